// Has the libraries play, analyse and record every game on WebAssembly, and compares with what the program says natively: the same
// seed and the same limit of nodes give the same moves. Takes the module and the program; counts as `cargo test` does.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

const [, , module, program] = process.argv;
const SEED = 7;
// Fewer digits than numbers have: powers and logarithms may differ in the last one.
const DIGITS = 13;
// Of what an analysis tells, this depends on how fast the machine is.
const TIMED = ["seconds", "nodes_per_second", "playouts/s"];
// Of what a record tells, too.
const TIMED_LINE = /^(date|x-times): .*\n/gm;

const { instance } = await WebAssembly.instantiate(readFileSync(module), { host: { now: () => performance.now() } });
const { memory, request_room, answer, answer_start } = instance.exports;

// Asks the module.
function ask(request) {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const room = request_room(bytes.length);
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const length = answer();
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answer_start(), length));
    const { ok, error } = JSON.parse(text);
    if (error !== undefined) throw new Error(error);
    return ok;
}

// Asks the program.
function run(...words) {
    return execFileSync(program, words, { encoding: "utf8", input: "", stdio: ["pipe", "pipe", "pipe"] });
}

// What does not depend on time, with numbers rounded.
function comparable(analysis) {
    const keep = (key, value) => {
        if (TIMED.includes(key)) return undefined;
        return typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value;
    };
    return JSON.parse(JSON.stringify(analysis, keep));
}

function assertSame(found, expected) {
    if (!isDeepStrictEqual(found, expected)) {
        throw new Error(`WebAssembly:\n${JSON.stringify(found)}\nnatively:\n${JSON.stringify(expected)}`);
    }
}

const folder = mkdtempSync(join(tmpdir(), "agon-wasm-"));
let [passed, failed] = [0, 0];
function test(name, check) {
    try {
        check();
        passed += 1;
        console.log(`test ${name} ... ok`);
    } catch (error) {
        failed += 1;
        console.log(`test ${name} ... FAILED\n${error.message}`);
    }
}

for (const { name, seats } of ask("games")) {
    // One who plays alone may play for very long the better they search.
    const bot = seats === 1 ? "greedy" : "expert:nodes=300";
    const file = join(folder, `${name}.txt`);
    let record;
    test(`${name}: a game is played as the program plays it`, () => {
        record = ask({ play: { game: name, bot, seed: SEED } });
        const players = Array(seats).fill(bot).join(",");
        run("watch", name, "--players", players, "--seed", `${SEED}`, "--pace", "off", "--plain", "--save", file);
        const plain = (text) => text.replace(TIMED_LINE, "");
        assertSame(plain(record), plain(readFileSync(file, "utf8")));
    });
    test(`${name}: a position is analysed as the program analyses it`, () => {
        for (const analyst of ["expert:nodes=2000", "mcts:nodes=5000"]) {
            const native = run("analyze", name, "--bot", analyst, "--seed", `${SEED}`, "--json");
            const found = ask({ analyze: { game: name, bot: analyst, seed: SEED } });
            assertSame(comparable(found), comparable(JSON.parse(native)));
        }
    });
    test(`${name}: a record is read, replayed and written`, () => {
        const native = readFileSync(file, "utf8");
        const { text, position } = ask({ record: { text: native } });
        assertSame(text, native);
        if (!run("show", name, "--position", position)) throw new Error("the program does not know the position");
        let refused;
        try {
            ask({ record: { text: native.replace(/^result: .*$/m, "result: *") } });
        } catch (error) {
            refused = error.message;
        }
        if (!refused?.startsWith("result: ")) throw new Error(`a wrong result is accepted: ${refused}`);
    });
}
rmSync(folder, { recursive: true });
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed; 0 ignored`);
process.exitCode = failed ? 1 : 0;
