// Playing again at one browser: with sides swapped, or with other players.
import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";

import type { GameInfo, NewTable } from "../protocol/types.ts";
import { BOT, seat, sessionAt, table } from "../testing/table.ts";
import RematchButton from "./RematchButton.svelte";
import SeatsDialog from "./SeatsDialog.svelte";

const OVER = { turn: null, end: { kind: "won" as const, seat: 0, reason: { key: "", text: "" } } };
const INFO = { game: "othello", bots: [{ name: "easy", group: "level" }], styles: [] } as unknown as GameInfo;

const shown: Record<string, unknown>[] = [];
let opened: NewTable[] = [];

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  opened = [];
});

function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): void {
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("fetch", (_: string, request: RequestInit) => {
    opened.push(JSON.parse(request.body as string) as NewTable);
    return Promise.resolve(new Response(JSON.stringify({ id: "n2" })));
  });
  shown.push(mount(component, { target: document.body, props }));
  flushSync();
}

const labels = () => [...document.querySelectorAll("button")].map((button) => button.textContent?.trim());

async function press(label: string): Promise<void> {
  [...document.querySelectorAll("button")].find((button) => button.textContent?.trim() === label)?.click();
  await new Promise((resolve) => setTimeout(resolve));
}

it("swaps sides against a bot", async () => {
  const state = table(OVER);
  show(RematchButton, { session: sessionAt(state), state });
  await press("Swap sides");
  expect(opened.map(({ seats }) => seats.map(({ occupant }) => occupant))).toEqual([["hard", "human"]]);
});

it("has no sides to swap where people share the screen, or with more than two", () => {
  for (const seats of [
    [seat("Black"), seat("White")],
    [seat("Green"), seat("Red", BOT), seat("Blue", BOT)],
  ]) {
    const state = table(OVER, { seats });
    show(RematchButton, { session: sessionAt(state), state });
  }
  expect(labels()).toEqual(["Rematch", "Rematch"]);
});

it("seats other players after the end, for the next game", async () => {
  const session = sessionAt(table(OVER));
  const act = vi.spyOn(session, "act");
  show(SeatsDialog, { session, info: INFO });
  expect(document.body.textContent).toContain("These seats count in the next game.");
  const [, second] = document.querySelectorAll("select");
  if (!second) throw new Error("there is no second seat");
  second.value = "easy";
  second.dispatchEvent(new Event("change", { bubbles: true }));
  flushSync();
  await press("Restart with these seats");
  expect(act).not.toHaveBeenCalled();
  expect(opened.map(({ seats }) => seats.map(({ occupant }) => occupant))).toEqual([["human", "easy"]]);
});
