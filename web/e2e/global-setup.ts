// One server for all tests: the one at AGON_URL, or the program AGON_BIN started for the occasion.
import { fileURLToPath } from "node:url";

import type { TestProject } from "vitest/node";

import { Server } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    url: string;
    program: string;
  }
}

const BUILT = fileURLToPath(new URL("../../target/debug/agon", import.meta.url));

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const program = process.env["AGON_BIN"] ?? BUILT;
  project.provide("program", program);
  const running = process.env["AGON_URL"];
  if (running) {
    project.provide("url", running);
    return undefined;
  }
  const server = await Server.start(program);
  project.provide("url", server.url);
  return () => server.stop();
}
