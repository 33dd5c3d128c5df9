// Brings dist up to the last build and leaves alone what is the same, so that the program is linked again
// only if the app has changed.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import { built, dist } from "./folders.mjs";

/** The files below a folder, by their paths within it. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

const wanted = new Set(filesIn(built));
for (const file of filesIn(dist)) {
  if (!wanted.has(file)) rmSync(join(dist, file));
}
for (const file of wanted) {
  const content = readFileSync(join(built, file));
  const path = join(dist, file);
  if (existsSync(path) && readFileSync(path).equals(content)) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
