// What a page and its two workers say to each other. One worker holds the tables of a game, another one thinks,
// because one thread cannot hear "stop" while it searches.
import type { Reply, TabRequest } from "./driver.ts";
import type { ModuleFiles } from "./modules.ts";

/** From a page to the worker of a game's tables. */
export type ToTables =
  | { type: "open"; base: string; files: ModuleFiles; memory: number; build: string }
  | { type: "connect"; connection: number }
  | { type: "disconnect"; connection: number }
  | { type: "message"; connection: number; text: string }
  | ({ type: "request" } & TabRequest);

/** From the worker of a game's tables to its page. */
export type FromTables =
  | { type: "tell"; to: readonly number[]; text: string }
  | { type: "reply"; reply: Reply }
  | { type: "progress"; share: number }
  | { type: "failed"; reason: string };

/** To the worker that thinks. */
export type ToEngine =
  | { type: "open"; base: string; files: ModuleFiles }
  | { type: "ask"; number: number; weights: boolean; question: unknown }
  | { type: "cancel"; number: number };

/** From the worker that thinks. */
export type FromEngine =
  | { type: "ready"; canPause: boolean }
  | { type: "news"; number: number; news: unknown }
  | { type: "answer"; number: number; news: unknown }
  | { type: "progress"; share: number };
