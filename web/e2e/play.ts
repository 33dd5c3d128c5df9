// How tests play: they ask the server what is legal, and then point, press or touch as a person does.
import type { Page } from "playwright-core";
import type { BoardFacts, MoveState, Spot, TableState } from "../src/protocol/types.ts";

export type Hand = "pointer" | "keyboard" | "touch";

/** Opens a game with bots or people through the server, as a form does, and shows it. */
export async function openGame(page: Page, game: string, table: Record<string, unknown> = {}): Promise<void> {
  await page.goto("/settings");
  const id = await page.evaluate(async (body) => {
    const response = await fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { table: string }).table;
  }, { game, seats: game === "2048" ? [{ occupant: "human" }] : [{ occupant: "human" }, { occupant: "easy" }], ...table });
  await page.goto(`/game/${id}`);
  await boardIsThere(page);
}

export async function boardIsThere(page: Page): Promise<void> {
  await page.locator('[role="grid"]').waitFor();
}

/** What the server knows of the table on screen. */
export async function tableOf(page: Page): Promise<TableState> {
  return page.evaluate(async () => {
    const id = location.pathname.split("/").at(-1) ?? "";
    return (await fetch(`/api/tables/${id}`)).json() as Promise<TableState>;
  });
}

export async function factsOf(page: Page, board = 0): Promise<BoardFacts> {
  const facts = (await tableOf(page)).boards[board]?.facts;
  if (!facts) throw new Error("the table has no such board");
  return facts;
}

/** Waits until somebody at this browser is to move on a board, and returns what they may play. */
export async function untilMyMove(page: Page, board = 0): Promise<MoveState[]> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { end, moves, waits } = await factsOf(page, board);
    if (end) return [];
    if (!waits && moves && moves.length > 0) return moves;
    if (Date.now() > deadline) throw new Error("it does not become my turn");
    await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 50)));
  }
}

/** The element of a place; boards number places by row and column. */
function cell(page: Page, { row, column }: Spot) {
  return page.locator(`[data-key="${row * 256 + column}"]`);
}

async function pointAt(page: Page, spot: Spot, hand: Hand): Promise<void> {
  const place = cell(page, spot);
  if (hand === "pointer") return place.click({ force: true });
  if (hand === "touch") return place.tap({ force: true });
  await place.focus();
  await page.keyboard.press("Enter");
}

const ARROWS = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" };
const SWIPES = { left: [-90, 0], right: [90, 0], up: [0, -90], down: [0, 90] };

async function slide(page: Page, heading: keyof typeof ARROWS, hand: Hand): Promise<void> {
  const board = page.locator('[role="grid"]');
  if (hand === "keyboard") {
    await board.focus();
    return page.keyboard.press(ARROWS[heading]);
  }
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
  if (move.heading) await slide(page, move.heading, hand);
  else {
    if (move.from) await pointAt(page, move.from, hand);
    if (move.to) await pointAt(page, move.to, hand);
  }
  await untilPly(page, ply + 1, board);
}

/** Waits until at least so many plies have been played. */
export async function untilPly(page: Page, ply: number, board = 0): Promise<void> {
  await page.waitForFunction(
    async ([wanted, index]) => {
      const id = location.pathname.split("/").at(-1) ?? "";
      const state = (await (await fetch(`/api/tables/${id}`)).json()) as TableState;
      return (state.boards[index ?? 0]?.facts.ply ?? 0) >= (wanted ?? 0);
    },
    [ply, board],
    { polling: 100 },
  );
}
