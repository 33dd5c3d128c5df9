// One server for all tests: the one at AGON_URL, or the program AGON_BIN started for the occasion.
import { fileURLToPath } from "node:url";

import type { TestProject } from "vitest/node";

import type { GameInfo } from "../src/protocol/types.ts";
import { Server } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    url: string;
    program: string;
    /** The games that the server has. */
    games: { id: string; seats: number }[];
  }
}

const BUILT = fileURLToPath(new URL("../../target/debug/agon", import.meta.url));

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const program = process.env["AGON_BIN"] ?? BUILT;
  project.provide("program", program);
  const running = process.env["AGON_URL"];
  const server = running ? undefined : await Server.start(program);
  const url = running ?? server?.url ?? "";
  project.provide("url", url);
  const catalogue = (await (await fetch(`${url}/api/v1/catalogue`)).json()) as GameInfo[];
  project.provide(
    "games",
    catalogue.map(({ game, seats }) => ({ id: game, seats: seats.length })),
  );
  return server && (() => server.stop());
}
