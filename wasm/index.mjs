// Lays the compiled modules into web/modules, compressed beside themselves, under names that change with their content; says how large they
// are and fails above the limit. `index.json` there names them, and the files of trained weights that belong to them. Called with the folder of
// the compiled modules, or with nothing if there are none.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [, , compiled] = process.argv;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "web/modules");
const KILO = 1000;
/** The most that a module may weigh as browsers load it, without weights. */
const LIMITS = { othello: 690, loa: 690, tablut: 525, "chinese-checkers": 570, 2048: 500 };

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Writes a file unless it is there already, so that nothing is built again that has not changed. */
function put(name, bytes) {
    const path = join(folder, name);
    if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(bytes))) writeFileSync(path, bytes);
}

/** The compressed file of that name, made only if its content has changed. */
function compressed(name, compress) {
    const path = join(folder, name);
    if (!existsSync(path)) writeFileSync(path, compress());
    return readFileSync(path).length;
}

mkdirSync(folder, { recursive: true });
const index = {};
const kept = new Set(["index.json"]);
let isTooMuch = false;
for (const game of compiled ? Object.keys(LIMITS) : []) {
    const bytes = readFileSync(join(compiled, `tab_${game.replaceAll("-", "_")}.wasm`));
    const name = `${game}.${hash(bytes).slice(0, 16)}.wasm`;
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
    const size = compressed(`${name}.br`, () => brotliCompressSync(bytes, brotli)) / KILO;
    compressed(`${name}.gz`, () => gzipSync(bytes, { level: 9 }));
    put(name, bytes);
    for (const end of ["", ".br", ".gz"]) kept.add(name + end);
    console.log(`${game}: ${size.toFixed(1)} kB of at most ${LIMITS[game]}`);
    isTooMuch ||= size > LIMITS[game];
    const file = join(root, "games", game, "data/weights.bin");
    const weights = existsSync(file) ? readFileSync(file) : null;
    const sha256 = weights && hash(weights);
    index[game] = {
        module: name,
        bytes: bytes.length,
        weights: weights && { file: `${game}.${sha256.slice(0, 16)}.bin`, bytes: weights.length, sha256 },
    };
}
for (const old of readdirSync(folder)) {
    if (!kept.has(old)) rmSync(join(folder, old));
}
put("index.json", `${JSON.stringify(index, null, 2)}\n`);
process.exit(isTooMuch ? 1 : 0);
