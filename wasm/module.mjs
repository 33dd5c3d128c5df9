// A module outside a browser: a table and an engine in one thread, with a store in memory. It is what workers do in a page, for tests and
// measurements, and shows in few lines how a module is driven; docs/tab.md tells what goes in and out.
import { readFileSync } from "node:fs";

const text = new TextDecoder();
const bytes = new TextEncoder();

/** An instance of a compiled module. `now` and `pause` are its clock and what it hears between slices. */
export class Instance {
    news = [];

    constructor(module, { now = () => performance.now(), pause = () => 0 } = {}) {
        const tell = (start, length) => this.news.push(JSON.parse(this.#read(start, length)));
        this.exports = new WebAssembly.Instance(module, { host: { now, pause, tell } }).exports;
    }

    #read(start, length) {
        return text.decode(new Uint8Array(this.exports.memory.buffer, start, length));
    }

    #write(content) {
        const start = this.exports.room(content.length);
        new Uint8Array(this.exports.memory.buffer, start, content.length).set(content);
    }

    /** What the table wants to have done after a message. */
    handle(message, now, date) {
        this.#write(bytes.encode(JSON.stringify(message)));
        const length = this.exports.handle(now, date);
        return JSON.parse(this.#read(this.exports.answer(), length));
    }

    /** What the engine answers. */
    think(asked) {
        this.#write(bytes.encode(JSON.stringify(asked)));
        const length = this.exports.think();
        return JSON.parse(this.#read(this.exports.answer(), length));
    }

    /** Hands in the file of trained weights. */
    loadWeights(file) {
        this.#write(file);
        return this.exports.load_weights();
    }
}

/** A page's worker: a table, its engine, and what is stored. Time stands still unless somebody moves it. */
export class Host {
    time = 1000;
    date = 1_790_000_000;
    /** Messages that the page of connection 1 was told, and answers to its requests, by their numbers. */
    told = [];
    replies = new Map();
    /** Stored tables. */
    stored = new Map();
    /** What happens to what is to be stored: `done`, `failed`, or `waits`. */
    storing = "done";
    waiting = [];
    #line = [];
    #isBusy = false;
    #requests = 0;
    #wake = Infinity;

    constructor(module, weights = null, memory = 64) {
        this.table = new Instance(module);
        this.engine = new Instance(module);
        if (weights && this.engine.loadWeights(weights) !== 0) throw new Error("the weights are refused");
        this.send({ type: "open", random: "0123456789abcdef".repeat(4), build: "test", memory });
        this.send({ type: "connect", connection: 1 });
        this.say({ type: "hello", protocol: this.told[0].protocol });
    }

    static async load(file, weights) {
        return new Host(await WebAssembly.compile(readFileSync(file)), weights);
    }

    /** Says something as a page would over a WebSocket. */
    say(message) {
        this.send({ type: "message", connection: 1, text: JSON.stringify(message) });
    }

    /** Asks something as a page would over HTTP; the answer may come later. */
    request(method, path, body = null, more = {}) {
        const request = (this.#requests += 1);
        const content = body === null || typeof body === "string" ? body : JSON.stringify(body);
        this.send({ type: "request", request, method, path: `/api/v1/${path}`, body: content, ...more });
        return request;
    }

    /** The same, answered at once: the status and the body. */
    ask(method, path, body, more) {
        const reply = this.replies.get(this.request(method, path, body, more));
        if (!reply) throw new Error(`${method} ${path} is not answered`);
        if (reply.type !== "application/json" || reply.body === "") return { status: reply.status, body: reply.body };
        return { status: reply.status, body: JSON.parse(reply.body) };
    }

    /** Lets time pass until nothing is left to wait for. */
    run(limit = 1e6) {
        for (let count = 0; this.#wake < Infinity && count < limit; count += 1) {
            this.time = Math.max(this.time, this.#wake);
            this.#wake = Infinity;
            this.send({ type: "tick" });
        }
    }

    /** Tells the table something and does what it wants, in order. */
    send(message) {
        this.#line.push(message);
        if (this.#isBusy) return;
        this.#isBusy = true;
        try {
            while (this.#line.length > 0) {
                for (const effect of this.table.handle(this.#line.shift(), this.time, this.date)) this.#perform(effect);
            }
        } finally {
            this.#isBusy = false;
        }
    }

    #perform(effect) {
        switch (effect.do) {
            case "tell":
                this.told.push(JSON.parse(effect.text));
                break;
            case "reply":
                this.replies.set(effect.request, effect);
                break;
            case "store":
                if (this.storing === "waits") this.waiting.push(effect);
                else this.finish(effect, this.storing === "done");
                break;
            case "load":
                this.#line.push({ type: "loaded", number: effect.number, table: this.stored.get(effect.table) ?? null });
                break;
            case "rows": {
                const rows = [...this.stored.values()].map((table) => table.row);
                this.#line.push({ type: "rows", number: effect.number, rows });
                break;
            }
            case "ask": {
                const answer = this.engine.think({ number: effect.number, question: effect.question });
                for (const news of this.engine.news.splice(0)) this.#line.push({ type: "news", news });
                this.#line.push({ type: "news", news: answer });
                break;
            }
            case "wake":
                this.#wake = effect.at;
                break;
        }
    }

    /** Stores something, or fails to. */
    finish({ number, write }, isDone = true) {
        const known = this.stored.get(write.table)?.events ?? [];
        const conflict = !write.delete && known.length !== write.known;
        if (!isDone || conflict) return this.send({ type: "store-failed", number, conflict });
        if (write.delete) this.stored.delete(write.table);
        else {
            const { row, settings, events } = write;
            this.stored.set(write.table, { row, settings, events: [...known, ...events] });
        }
        this.send({ type: "stored", number });
    }
}
