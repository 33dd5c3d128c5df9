// Fails if the build has grown beyond what a first visit may cost. Counts what browsers load, as the server sends it.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { built } from "./folders.mjs";

const KILO = 1000;
const LIMITS = { first: 200 * KILO, game: 60 * KILO };
const manifest = JSON.parse(readFileSync(join(built, ".vite/manifest.json"), "utf8"));

/** The files of a module with all that it imports, except what is loaded later. */
function filesOf(name, found = new Set()) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the build has no ${name}`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const style of chunk.css ?? []) found.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

function weigh(files) {
  return [...files].reduce((sum, file) => sum + compressed(file), 0);
}

function compressed(file) {
  const path = join(built, `${file}.gz`);
  return existsSync(path) ? statSync(path).size : statSync(join(built, file)).size;
}

const shell = filesOf("index.html");
const home = new Set([...shell, ...filesOf("src/pages/Home.svelte")]);
const first = weigh(home) + compressed("index.html");
// What a game adds once somebody comes from the first page.
const game = weigh([...filesOf("src/pages/Table.svelte")].filter((file) => !home.has(file)));
const report = { first, game };
let isTooMuch = false;
for (const [name, bytes] of Object.entries(report)) {
  console.log(`${name}: ${(bytes / KILO).toFixed(1)} kB of at most ${LIMITS[name] / KILO}`);
  isTooMuch ||= bytes > LIMITS[name];
}
process.exit(isTooMuch ? 1 : 0);
