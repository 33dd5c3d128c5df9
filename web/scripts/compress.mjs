// Lays a .gz file beside every text asset of the build, which the server sends to browsers that take it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { built } from "./folders.mjs";

for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && /\.(html|js|css|svg|json|webmanifest)$/.test(entry.name)) {
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}
