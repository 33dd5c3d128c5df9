// Has the modules play, analyse and record every game outside a browser, and compares with what the program says natively: the same seed and
// the same limit of nodes give the same moves and the same scores, to the last bit. Takes the program; counts as `cargo test` does.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { Host, Instance } from "./module.mjs";

const [, , program] = process.argv;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SEED = 7;
// Of what an analysis tells, this depends on how fast the machine is.
const TIMED = ["seconds", "nodes_per_second", "playouts/s"];
// Of what a record tells, too.
const TIMED_LINE = /^(date|x-times): .*\n/gm;

const folder = mkdtempSync(join(tmpdir(), "agon-wasm-"));
const index = JSON.parse(readFileSync(join(root, "web/modules/index.json"), "utf8"));
let [passed, failed] = [0, 0];

function test(name, check) {
    try {
        check();
        passed += 1;
        console.log(`test ${name} ... ok`);
    } catch (error) {
        failed += 1;
        console.log(`test ${name} ... FAILED\n${error.stack}`);
    }
}

// Asks the program.
function run(...words) {
    return execFileSync(program, words, { encoding: "utf8", input: "", stdio: ["pipe", "pipe", "pipe"] });
}

function assert(holds, what) {
    if (!holds) throw new Error(what);
}

function assertSame(found, expected) {
    if (isDeepStrictEqual(found, expected)) return;
    throw new Error(`WebAssembly:\n${JSON.stringify(found)}\nnatively:\n${JSON.stringify(expected)}`);
}

// What does not depend on time.
function untimed(analysis) {
    return JSON.parse(JSON.stringify(analysis, (key, value) => (TIMED.includes(key) ? undefined : value)));
}

// What the bots of a game think natively of a position a little way into it.
function signatures(game) {
    const text = readFileSync(join(root, "games", game, "tests/snapshots/signatures.snap"), "utf8");
    const [first, ...lines] = text.split("---\n").at(-1).trim().split("\n");
    const line = /^(\S+) +depth +(\d+), +(\d+) nodes: (\S+) (\S+)$/;
    const bots = lines.map((text) => {
        const [, bot, depth, nodes, best, score] = line.exec(text);
        return { bot, depth: Number(depth), nodes: Number(nodes), best, score: score === "-" ? null : Number(score) };
    });
    return { moves: first.split(" ").slice(1), bots };
}

// Every position of the sample game, as the program knows it, with the legal moves there.
function positions(game) {
    const sample = readFileSync(join(root, "games", game, "data/sample.txt"), "utf8");
    const moves = sample
        .split("\n\n")[1]
        .split(/\s+/)
        .filter((word) => word !== "" && !/^\d+\.+$/.test(word));
    return moves.slice(0, 40);
}

test("there is a module for every game", () => {
    assertSame(Object.keys(index).sort(), [2048, "chinese-checkers", "loa", "othello", "tablut"].map(String).sort());
});

for (const [game, { module: file, weights: weightFile }] of Object.entries(index)) {
    const module = new WebAssembly.Module(readFileSync(join(root, "web/modules", file)));
    const weights = weightFile && readFileSync(join(root, "games", game, "data/weights.bin"));
    const host = new Host(module, weights);
    const info = host.ask("GET", `catalogue/${game}`).body;
    const seats = info.seats.length;
    // One who plays alone may play for very long the better they search.
    const bot = seats === 1 ? "greedy" : "expert:nodes=300";
    const record = join(folder, `${game}.txt`);
    const asked = { game, seats: Array(seats).fill({ occupant: bot }), pace: 0 };

    test(`${game}: every bot thinks what it thinks natively`, () => {
        const { moves, bots } = signatures(game);
        assertSame(
            bots.map(({ bot }) => bot),
            info.bots.map(({ name }) => name),
        );
        bots.forEach((expected, number) => {
            const limits = { nodes: 20000, depth: 4 };
            const question = { kind: "move", seat: expected.bot, game: { game, moves }, bot: expected.bot, seed: "1", limits };
            const news = host.engine.think({ number, question });
            const [{ best, score, depth, nodes }] = news.answer ?? [news];
            const isSame = score === expected.score || Math.abs(score - expected.score) <= 0.000501;
            assertSame(
                { bot: expected.bot, depth, nodes, best, score: isSame ? expected.score : score },
                expected,
            );
        });
    });

    test(`${game}: a game is played as the program plays it`, () => {
        const { status, body } = host.ask("POST", "games", asked, { seed: `${SEED}` });
        assert(status === 201, JSON.stringify(body));
        host.say({ type: "watch", id: "watch", game: body.id });
        host.run();
        const state = host.ask("GET", `games/${body.id}`).body;
        assert(state.boards[0].facts.end, "the game goes on");
        // Whoever has missed much is told everything anew.
        const told = host.told.map((message) => (message.type === "state" ? message.state.seq : message.seq ?? 0));
        assertSame(Math.max(...told), state.seq);
        const players = Array(seats).fill(bot).join(",");
        run("watch", game, "--players", players, "--seed", `${SEED}`, "--pace", "off", "--plain", "--save", record);
        const plain = (text) => text.replace(TIMED_LINE, "");
        assertSame(plain(host.ask("GET", `games/${body.id}/record`).body), plain(readFileSync(record, "utf8")));
    });

    test(`${game}: a position is analysed as the program analyses it`, () => {
        for (const analyst of ["expert:nodes=2000", "mcts:nodes=5000"]) {
            const native = run("analyze", game, "--bot", analyst, "--seed", "0", "--json");
            const { status, body } = host.ask("POST", "analysis", { game, bot: analyst, millis: 10000 });
            assertSame(status, 200);
            assertSame(untimed(body), untimed(JSON.parse(native)));
        }
    });

    test(`${game}: the rules are those of the program`, () => {
        const moves = positions(game);
        const requests = moves.map((_, count) => ({ game, moves: moves.slice(0, count) }));
        const lines = requests.map((request) => JSON.stringify(request)).join("\n");
        const native = execFileSync(program, ["query"], { encoding: "utf8", input: lines }).trim().split("\n");
        requests.forEach((request, number) => {
            const { body } = host.ask("POST", "positions", request);
            const { position, legal } = JSON.parse(native[number]);
            assertSame(body.facts.position, position);
            assertSame(body.facts.moves.map((move) => move.token).sort(), legal.sort());
        });
    });

    test(`${game}: a record is read, replayed and written`, () => {
        const native = readFileSync(record, "utf8");
        const { status, body } = host.ask("POST", "records", native);
        assertSame(status, 201);
        assertSame(host.ask("GET", `games/${body.id}/record`).body.replace(TIMED_LINE, ""), native.replace(TIMED_LINE, ""));
        const refused = host.ask("POST", "records", native.replace(/^result: .*$/m, "result: *"));
        assertSame(refused.status, 422);
        assert(refused.body.message.text.includes("its moves give"), refused.body.message.text);
    });

    test(`${game}: nobody hears of a move before it is stored`, () => {
        const people = { ...asked, seats: Array(seats).fill({ occupant: "human" }) };
        const { id } = host.ask("POST", "games", people, { seed: `${SEED}` }).body;
        host.told.length = 0;
        host.say({ type: "watch", id: "watch", game: id });
        const { state } = host.told.find((message) => message.type === "state");
        const [{ token }] = state.boards[0].facts.moves;
        const events = host.stored.get(id).events.length;
        const move = { type: "move", id: "move", game: id, ply: state.boards[0].facts.ply, move: token };
        host.told.length = 0;
        host.storing = "waits";
        host.say(move);
        assertSame(host.told, []);
        assertSame(host.waiting.length, 1);
        host.storing = "failed";
        host.finish(host.waiting.shift(), false);
        assertSame(
            host.told.filter((message) => message.id === "move").map((message) => message.code),
            ["storage"],
        );
        assertSame(host.stored.get(id).events.length, events);
        host.told.length = 0;
        host.storing = "done";
        host.time += 2000;
        host.say(move);
        assert(
            host.told.some((message) => message.type === "ack" && message.id === "move"),
            JSON.stringify(host.told),
        );
        assert(host.stored.get(id).events.length > events, "the move is not stored");
        // A tab that comes back finds the game as it was.
        const other = new Host(module, weights);
        other.stored = host.stored;
        assertSame(other.ask("GET", `games/${id}`).body.boards, host.ask("GET", `games/${id}`).body.boards);
        assertSame(host.ask("DELETE", `games/${id}`).status, 204);
        assertSame(host.ask("GET", `games/${id}`).status, 404);
    });

    test(`${game}: a search lets its host run, and stops when it is told to`, () => {
        let [time, pauses] = [0, 0];
        // A clock that goes on by a millisecond whenever somebody looks.
        const instance = new Instance(module, { now: () => (time += 1), pause: () => ((pauses += 1), pauses > 3 ? 1 : 0) });
        if (weights) assertSame(instance.loadWeights(weights), 0);
        const limits = { nodes: 1e9 };
        const question = { kind: "move", seat: "x", game: { game }, bot: "expert", seed: "1", limits };
        if (info.chance) question.game.moves = signatures(game).moves;
        const { answer, failed } = instance.think({ number: 1, question });
        assert(answer, failed);
        assert(answer[0].nodes < limits.nodes, "it was not stopped");
        assert(pauses === 4 && time < 400, `${pauses} pauses in ${time} looks`);
    });

    if (weights) {
        test(`${game}: no bot judges by weights that are not there`, () => {
            const bare = new Instance(module);
            const { moves } = signatures(game);
            const question = { kind: "move", seat: "x", game: { game, moves }, bot: "expert", seed: "1", limits: { nodes: 10 } };
            assert(bare.think({ number: 1, question }).failed.includes("weights"), "it thinks without them");
            assertSame(bare.loadWeights(weights.subarray(0, weights.length / 2)), 1);
        });
    }
}
rmSync(folder, { recursive: true });
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed; 0 ignored`);
process.exitCode = failed ? 1 : 0;
