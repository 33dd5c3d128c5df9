// Tells the service worker which files the app has, and names its version by what is in them.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { built } from "./folders.mjs";

const WORKER = join(built, "sw.js");
const files = readdirSync(built, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(built, join(entry.parentPath, entry.name)))
  // Modules are kept when they are used.
  .filter((file) => !/^(\.vite|modules)\//.test(file) && !/\.(gz|br|map)$/.test(file) && file !== "sw.js")
  .sort();
const version = createHash("sha256");
for (const file of files) version.update(file).update(readFileSync(join(built, file)));
// The page is kept under the address of the folder.
const list = JSON.stringify(files.map((file) => (file === "index.html" ? "./" : file)));
const text = readFileSync(WORKER, "utf8");
if (!text.includes("__FILES__") || !text.includes("__VERSION__")) throw new Error("the service worker has no places");
writeFileSync(
  WORKER,
  text
    .replace("__FILES__", () => list.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("`", "\\`"))
    .replace("__VERSION__", version.digest("hex").slice(0, 16)),
);
