// How tests play: they ask the server what is legal, and then point, press or touch as a person does.
import type { Page } from "playwright-core";

import { en } from "../src/i18n/en.ts";
import { he } from "../src/i18n/he.ts";
import type { BoardFacts, MoveState, Spot, TableState } from "../src/protocol/types.ts";

export type Hand = "pointer" | "keyboard" | "touch";

/** Opens a game with bots or people through the server, as a form does, and shows it. */
export async function openGame(page: Page, game: string, table: Record<string, unknown> = {}): Promise<void> {
  await page.goto("/settings");
  const id = await page.evaluate(
    async (body) => {
      const response = await fetch("/api/v1/games", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return ((await response.json()) as { id: string }).id;
    },
    {
      game,
      seats: game === "2048" ? [{ occupant: "human" }] : [{ occupant: "human" }, { occupant: "easy" }],
      ...table,
    },
  );
  await page.goto(`/game/${id}`);
  await boardIsThere(page);
}

/**
 * Chooses one of several answers. Its label is what people click; unlike the circle, it is only clicked once it
 * has stopped moving.
 */
export async function choose(page: Page, name: string): Promise<void> {
  const answer = page.getByRole("radio", { name });
  await answer.locator("..").click();
  if (!(await answer.isChecked())) throw new Error(`${name} was not chosen`);
}

/** Chooses the first or second of two sides in the form for a new game. */
export async function chooseSide(page: Page, side: 0 | 1): Promise<void> {
  await page.locator(".sides label").nth(side).click();
}

/** Unfolds what the form for a new game only states at first. */
export async function unfold(page: Page): Promise<void> {
  await page.locator("form summary").click();
}

export async function boardIsThere(page: Page): Promise<void> {
  await page.locator('[role="grid"]').waitFor();
}

/** What the server knows of the table on screen. */
export async function tableOf(page: Page): Promise<TableState> {
  return page.evaluate(async () => {
    const id = location.pathname.split("/").at(-1) ?? "";
    return (await fetch(`/api/v1/games/${id}`)).json() as Promise<TableState>;
  });
}

export async function factsOf(page: Page, board = 0): Promise<BoardFacts> {
  const facts = (await tableOf(page)).boards[board]?.facts;
  if (!facts) throw new Error("the table has no such board");
  return facts;
}

const PATIENCE = 20_000;

/** Asks again and again until there is an answer. */
async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Waits until somebody at this browser is to move on a board, and returns what they may play; nothing once it is
 * over.
 */
export function untilMyMove(page: Page, board = 0): Promise<MoveState[]> {
  return until("my turn", async () => {
    const { end, moves, waits } = await factsOf(page, board);
    if (end) return [];
    return !waits && moves && moves.length > 0 ? moves : undefined;
  });
}

/** Waits until at least so many plies have been played. */
export async function untilPly(page: Page, ply: number, board = 0): Promise<void> {
  await until(`ply ${ply}`, async () => ((await factsOf(page, board)).ply >= ply ? true : undefined));
}

/** The element of a place; boards number places by row and column. */
function cell(page: Page, [row, column]: Spot) {
  return page.locator(`[data-key="${row * 256 + column}"]`);
}

async function pointAt(page: Page, spot: Spot, hand: Hand): Promise<void> {
  const place = cell(page, spot);
  if (hand === "pointer") return place.click({ force: true });
  if (hand === "touch") return place.tap({ force: true });
  await place.focus();
  await page.keyboard.press("Enter");
}

/** Cells smaller than this are confirmed when they are touched. */
const SURE_TOUCH = 32;

/** Plays on a small cell only once a button was touched. */
async function confirmTouch(page: Page, spot: Spot): Promise<void> {
  const box = await cell(page, spot).boundingBox();
  if (box && box.width < SURE_TOUCH)
    await page.getByRole("button", { name: new RegExp(`^(${en["board.play"]}|${he["board.play"]})$`) }).tap();
}

const ARROWS = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" };
const SWIPES = { left: [-90, 0], right: [90, 0], up: [0, -90], down: [0, 90] };

async function slide(page: Page, heading: keyof typeof ARROWS, hand: Hand): Promise<void> {
  const board = page.locator('[role="grid"]');
  if (hand === "keyboard") {
    await board.focus();
    return page.keyboard.press(ARROWS[heading]);
  }
  await board.scrollIntoViewIfNeeded();
  const box = await board.boundingBox();
  if (!box) throw new Error("the board is not on screen");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [dx = 0, dy = 0] = SWIPES[heading];
  if (hand === "pointer") {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    return page.mouse.up();
  }
  // Playwright taps but does not swipe; the browser's own protocol does.
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x, y }]);
  await touch("touchMove", [{ x: x + dx / 2, y: y + dy / 2 }]);
  await touch("touchMove", [{ x: x + dx, y: y + dy }]);
  await touch("touchEnd", []);
}

/** Makes a move on the board as a person would, and waits until the server has it. */
export async function play(page: Page, move: MoveState, hand: Hand, board = 0): Promise<void> {
  const { ply } = await factsOf(page, board);
  // The page hears of the last move a moment after the server has it.
  await page.locator(`[data-testid="status"][data-ply="${ply}"][data-may-move="true"]`).waitFor();
  if (move.heading) await slide(page, move.heading, hand);
  else {
    if (move.from) await pointAt(page, move.from, hand);
    if (move.to) await pointAt(page, move.to, hand);
    if (move.to && hand === "touch") await confirmTouch(page, move.to);
  }
  await untilPly(page, ply + 1, board);
}
