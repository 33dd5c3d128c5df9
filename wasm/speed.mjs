// How many nodes a second bots search in a module, outside a browser, beside the program: the same bot, position and limit of nodes, each in turn
// several times, the median of each. Takes the program, and how often (3).
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Host } from "./module.mjs";

const [, , program, times = "3"] = process.argv;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const index = JSON.parse(readFileSync(join(root, "web/modules/index.json"), "utf8"));
/** Enough for about a second natively. */
const NODES = { expert: 2_000_000, mcts: 500_000 };

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];

const ratios = [];
for (const [game, { module: file, weights }] of Object.entries(index)) {
    const module = new WebAssembly.Module(readFileSync(join(root, "web/modules", file)));
    const host = new Host(module, weights && readFileSync(join(root, "games", game, "data/weights.bin")));
    for (const [name, nodes] of Object.entries(NODES)) {
        const bot = `${name}:nodes=${nodes}`;
        const [inside, outside] = [[], []];
        for (let count = 0; count < Number(times); count += 1) {
            const native = execFileSync(program, ["analyze", game, "--bot", bot, "--seed", "0", "--json"], { encoding: "utf8" });
            const { nodes: natively, seconds } = JSON.parse(native);
            outside.push(natively / seconds);
            const { body } = host.ask("POST", "analysis", { game, bot, millis: 10000 });
            inside.push(body.nodes / body.seconds);
        }
        const ratio = median(inside) / median(outside);
        ratios.push(ratio);
        const speed = (values) => `${(median(values) / 1e6).toFixed(2)} (${values.map((value) => (value / 1e6).toFixed(2)).join(", ")})`;
        console.log(`${game} ${name}: ${speed(inside)} of ${speed(outside)} million nodes a second, ${ratio.toFixed(2)}`);
    }
}
const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
console.log(`mean ${mean.toFixed(2)}, worst ${Math.min(...ratios).toFixed(2)}`);
