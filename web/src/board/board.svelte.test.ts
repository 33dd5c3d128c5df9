import { flushSync, mount, settled, unmount } from "svelte";
import { afterEach, describe, expect, it } from "vitest";

import type { BoardFacts, BoardPicture, MoveState, Step, Style } from "../protocol/types.ts";
import BoardThumb from "./BoardThumb.svelte";
import { TestBoard } from "./testing/board.svelte.ts";
import positions from "./testing/positions.json";
import { DISCS, factsWith, hole, MARBLES, moveOf, square, squares, star, TILES, tiles } from "./testing/samples.ts";

interface Sample {
  picture: BoardPicture;
  facts: BoardFacts;
  styles: Style[];
}
const SAMPLES = Object.entries(positions as unknown as Record<string, Sample>);

let mounted: TestBoard[] = [];

function mountBoard(given: ConstructorParameters<typeof TestBoard>[0]): TestBoard {
  const one = new TestBoard(given);
  mounted.push(one);
  return one;
}

afterEach(() => {
  for (const one of mounted) one.close();
  mounted = [];
});

const PICTURE = squares("b.. .w. ...");
const MOVES = [
  moveOf(square("a1"), square("c1"), "a1c1"),
  moveOf(square("a1"), square("b2"), "a1b2", {
    effects: [
      { kind: "remove", at: square("b2") },
      { kind: "move", from: square("a1"), to: square("b2") },
    ],
  }),
];
const BOARD = { picture: PICTURE, facts: factsWith(MOVES), styles: DISCS };

describe("dots on a board of squares", () => {
  const dots = (shown: TestBoard): (string | null)[][] =>
    shown.all(".dots circle").map((dot) => [dot.getAttribute("cx"), dot.getAttribute("cy")]);

  it("are drawn where the game says so, whatever the board is made of", () => {
    expect(dots(mountBoard({ ...BOARD, picture: { ...PICTURE, dots: [square("a1"), square("b1")] } }))).toEqual([
      ["100", "100"],
      ["200", "100"],
    ]);
    expect(dots(mountBoard({ ...BOARD, picture: { ...squares("b.. .w. ...", "", "felt") } }))).toEqual([]);
  });

  it("turn with the board", () => {
    const turned = mountBoard({ ...BOARD, picture: { ...PICTURE, dots: [square("a1")] }, turned: 1 });
    expect(dots(turned)).toEqual([["200", "100"]]);
  });
});

describe.each(SAMPLES)("a board of %s", (_game, { picture, facts, styles }) => {
  it("is a grid of all its places, above a drawing that is hidden from screen readers", () => {
    const shown = mountBoard({ picture, facts, styles });
    expect(shown.grid.getAttribute("aria-label")).toBe("Board");
    expect(shown.all('[role="gridcell"]')).toHaveLength(picture.cells.length);
    expect(shown.all('[role="row"]')).toHaveLength(new Set(picture.cells.map(({ at: [row] }) => row)).size);
    for (const cell of shown.all('[role="gridcell"]')) expect(cell.getAttribute("aria-label")).toBeTruthy();
    expect(shown.find(".drawing").getAttribute("aria-hidden")).toBe("true");
  });

  it("has one tab stop", () => {
    expect(mountBoard({ picture, facts, styles }).all('[tabindex="0"]')).toHaveLength(1);
  });

  it("shows every piece once, and knows what each looks like", () => {
    const shown = mountBoard({ picture, facts, styles });
    const uses = shown.all("use");
    expect(uses).toHaveLength(picture.cells.filter((cell) => cell.piece).length);
    for (const use of uses) {
      const id = use.getAttribute("href")?.slice(1) ?? "";
      expect(shown.find(`[id="${id}"]`).children.length).toBeGreaterThan(0);
    }
  });

  it("is drawn small, too", () => {
    const target = document.createElement("div");
    const thumb = mount(BoardThumb, { target, props: { picture, facts, styles, label: "A board" } });
    flushSync();
    expect(target.querySelector("svg")?.getAttribute("role")).toBe("img");
    expect(target.querySelectorAll("use")).toHaveLength(picture.cells.filter((cell) => cell.piece).length);
    expect(target.querySelectorAll('[role="gridcell"]')).toHaveLength(0);
    void unmount(thumb);
  });

  it("plays every legal move when people point at it", () => {
    const shown = mountBoard({ picture, facts, styles, rotating: true });
    for (const move of facts.moves ?? []) {
      if (move.heading)
        shown.key({ left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" }[move.heading]);
      else if (move.block) {
        const { x, y } = shown.at(move.block);
        for (const type of ["pointerdown", "pointerup"]) shown.pointer(type, { x: x + 50, y: y + 50 });
      } else {
        if (move.from) shown.tap(move.from);
        if (move.to) shown.tap(move.to);
      }
    }
    expect(shown.heard.moves).toEqual(facts.moves?.map((move) => move.token));
    expect(shown.heard.refused).toEqual([]);
  });
});

describe("drawing", () => {
  it("has the king wear a crown and grounds their patterns", () => {
    const shown = mountBoard({ picture: squares("... .k. ...", "^.. .+. ..#"), facts: factsWith(), styles: DISCS });
    expect(shown.find("defs circle").getAttribute("r")).toBe("43");
    expect(shown.all("defs path")).toHaveLength(1);
  });

  it("has a ring in black discs, and signs on marbles", () => {
    const discs = mountBoard({ ...BOARD, facts: factsWith() });
    expect(discs.all("defs circle").map((circle) => circle.getAttribute("r"))).toEqual(["40", "28", "40"]);
    const marbles = mountBoard({ picture: star(), facts: factsWith(), styles: MARBLES });
    expect(marbles.all("defs path")).toHaveLength(6);
    expect(marbles.all("polygon")).toHaveLength(6);
  });

  it("frames tiles from 2048 on, and makes long numbers smaller", () => {
    const picture = tiles("2 64 512 1024\n2048 16384 131072 0\n0 0 0 0\n0 0 0 0");
    const shown = mountBoard({ picture, facts: factsWith(), styles: TILES });
    const sizes = shown.all("defs text").map((text) => text.getAttribute("font-size"));
    expect(sizes).toEqual(["48", "48", "38", "29", "29", "23", "19"]);
    expect(shown.all("defs rect")).toHaveLength(7 + 3);
    for (const text of shown.all("defs text")) expect(text.getAttribute("text-anchor")).toBe("middle");
  });

  it("names rows and columns as they are seen, or not at all", () => {
    const names = (shown: TestBoard): string =>
      shown
        .all(".names text")
        .map((text) => text.textContent)
        .join("");
    expect(names(mountBoard(BOARD))).toBe("abc123");
    expect(names(mountBoard({ ...BOARD, turned: 2 }))).toBe("cba321");
    expect(names(mountBoard({ ...BOARD, turned: 1 }))).toBe("321abc");
    expect(names(mountBoard({ ...BOARD, coordinates: false }))).toBe("");
  });

  it("leaves unknown styles visible", () => {
    const picture = squares("b");
    expect(mountBoard({ picture, facts: factsWith(), styles: [] }).all("defs circle").length).toBeGreaterThan(0);
  });
});

describe("pointing", () => {
  it("selects a piece, shows where it can go, and plays", () => {
    const shown = mountBoard(BOARD);
    shown.tap(square("a1"));
    expect(shown.cell("a1").getAttribute("aria-selected")).toBe("true");
    expect(shown.all('[data-mark="now dot"]')).toHaveLength(2);
    expect(shown.cell("c1").getAttribute("aria-label")).toBe("c1, empty, possible move");
    expect(shown.heard.said).toEqual(["a1 selected. Possible moves: 2."]);
    shown.tap(square("c1"));
    expect(shown.heard.moves).toEqual(["a1c1"]);
    expect(shown.cell("a1").getAttribute("aria-selected")).toBe("false");
  });

  it("elsewhere clears the selection and asks why", () => {
    const shown = mountBoard(BOARD);
    shown.tap(square("a1"));
    shown.tap(square("c3"));
    expect(shown.all('[data-mark="now dot"]')).toHaveLength(0);
    expect(shown.heard.refused).toEqual([{ kind: "point", places: [square("a1"), square("c3")] }]);
  });

  it("drags pieces to where they can go", () => {
    const shown = mountBoard(BOARD);
    shown.pointer("pointerdown", shown.at(square("a1")));
    shown.pointer("pointermove", { x: 180, y: 60 });
    expect(shown.all("use[transform]").map((use) => use.getAttribute("transform"))).toEqual([
      "translate(180 60) scale(1 1)",
    ]);
    shown.pointer("pointerup", shown.at(square("c1")));
    expect(shown.heard.moves).toEqual(["a1c1"]);
  });

  it("keeps a piece selected that is dropped where it was", () => {
    const shown = mountBoard(BOARD);
    shown.pointer("pointerdown", { x: 30, y: 50 });
    shown.pointer("pointermove", { x: 60, y: 50 });
    shown.pointer("pointerup", { x: 60, y: 50 });
    expect(shown.cell("a1").getAttribute("aria-selected")).toBe("true");
    expect(shown.heard.moves).toEqual([]);
  });

  it("by touch on small squares asks before it plays", () => {
    // Without a layout, squares count as small.
    const shown = mountBoard(BOARD);
    shown.tap(square("a1"), "touch");
    shown.tap(square("c1"), "touch");
    expect(shown.heard.moves).toEqual([]);
    const [play, cancel] = shown.all("button") as HTMLButtonElement[];
    expect([play?.textContent, cancel?.textContent]).toEqual(["Play", "Cancel"]);
    cancel?.click();
    flushSync();
    expect(shown.all("button")).toEqual([]);
    shown.tap(square("c1"), "touch");
    (shown.all("button")[0] as HTMLButtonElement).click();
    expect(shown.heard.moves).toEqual(["a1c1"]);
  });

  it("by touch shows the piece that would appear, as all moves place it or as this one does", () => {
    const piece = { style: "white", owner: 1 };
    const told: MoveState = { kind: "place", token: "c1", to: square("c1") };
    const own: MoveState = { ...told, effects: [{ kind: "place", at: square("c1"), piece }] };
    const pieces = (facts: BoardFacts) => {
      const shown = mountBoard({ ...BOARD, facts });
      const before = shown.all("use").length;
      shown.tap(square("c1"), "touch");
      return shown.all("use").length - before;
    };
    expect(pieces({ ...factsWith([told]), placed: piece })).toBe(1);
    expect(pieces(factsWith([own]))).toBe(1);
    expect(pieces(factsWith([told]))).toBe(0);
  });

  it("on places that mean several moves asks which one", () => {
    const promotions = ["a1c1q", "a1c1n"].map((token) => moveOf(square("a1"), square("c1"), token));
    const shown = mountBoard({ ...BOARD, facts: factsWith(promotions) });
    shown.tap(square("a1"));
    shown.tap(square("c1"));
    expect(shown.heard.moves).toEqual([]);
    expect(shown.heard.said.at(-1)).toBe("Choose a move: a1c1q, a1c1n.");
    const buttons = shown.all("button") as HTMLButtonElement[];
    expect(buttons.map((button) => button.textContent)).toEqual(["a1c1q", "a1c1n", "Cancel"]);
    expect(document.activeElement).toBe(buttons[0]);
    buttons[1]?.click();
    flushSync();
    expect(shown.heard.moves).toEqual(["a1c1n"]);
    expect(shown.all("button")).toEqual([]);
  });

  it("on any place of a column drops a piece into it", () => {
    const places = ["c1", "c2", "c3"].map((name) => [square(name)]);
    const drop: MoveState = { kind: "place", token: "c", to: square("c3"), places };
    const shown = mountBoard({ ...BOARD, facts: factsWith([drop]) });
    expect(shown.all('[data-mark="now dot"]')).toHaveLength(1);
    shown.tap(square("c1"));
    expect(shown.heard.moves).toEqual(["c"]);
  });

  it("out of turn plays nothing, and is reported", () => {
    const shown = mountBoard({ ...BOARD, interactive: false });
    shown.tap(square("a1"));
    shown.drag(square("a1"), square("c1"));
    expect(shown.heard.moves).toEqual([]);
    expect(shown.heard.refused).toEqual([{ kind: "point", places: [square("a1")] }]);
  });

  it("waits while a move is on its way", () => {
    const shown = mountBoard({ ...BOARD, pending: "a1c1" });
    shown.tap(square("a1"));
    expect(shown.cell("a1").getAttribute("aria-selected")).toBe("false");
    expect(shown.all('[data-mark="now brackets"]')).toHaveLength(1);
  });

  it("over a target outlines what would be taken", () => {
    const shown = mountBoard(BOARD);
    shown.tap(square("a1"));
    expect(shown.all('[data-mark="now dashed-ring"]')).toHaveLength(0);
    shown.pointer("pointermove", shown.at(square("b2")));
    expect(shown.all('[data-mark="now dashed-ring"]')).toHaveLength(1);
    shown.pointer("pointerleave", { x: 0, y: 0 });
    expect(shown.all('[data-mark="now dashed-ring"]')).toHaveLength(0);
  });

  it("works for screen readers that click", () => {
    const shown = mountBoard(BOARD);
    shown.click("a1");
    shown.click("b2");
    expect(shown.heard.moves).toEqual(["a1b2"]);
  });

  it("can be dragged only where pieces can move", () => {
    const shown = mountBoard(BOARD);
    expect(shown.all(".movable").map((cell) => cell.getAttribute("aria-label"))).toEqual(["a1, black"]);
  });
});

describe("blocks", () => {
  const turn = (name: string): MoveState => ({ kind: "turn", token: `turn ${name}`, block: square(name) });
  const facts = factsWith([...MOVES, turn("a1"), turn("b1"), turn("b2")]);

  it("are offered for the selected piece, or all of them", () => {
    const shown = mountBoard({ ...BOARD, facts });
    expect(shown.all("[data-block]")).toHaveLength(0);
    shown.tap(square("a1"));
    expect(shown.all("[data-block]")).toHaveLength(1);
    shown.set({ rotating: true });
    expect(shown.all("[data-block]")).toHaveLength(3);
  });

  it("turn when their sign is hit", () => {
    const shown = mountBoard({ ...BOARD, facts });
    shown.tap(square("a1"));
    for (const type of ["pointerdown", "pointerup"]) shown.pointer(type, { x: 100 + 24, y: 100 - 24 });
    expect(shown.heard.moves).toEqual(["turn a1"]);
  });

  it("are previewed under the pointer", () => {
    const shown = mountBoard({ ...BOARD, facts, rotating: true });
    shown.pointer("pointermove", { x: 205, y: 205 });
    expect(shown.find('[data-mark="now brackets"]').getAttribute("transform")).toBe("translate(200 200)");
  });

  it("are chosen by R and turned by Enter", () => {
    const shown = mountBoard({ ...BOARD, facts });
    shown.key("KeyR");
    expect(shown.heard.said).toEqual(["Block at a1. Press Enter to rotate it."]);
    shown.key("KeyR");
    shown.key("KeyR");
    expect(shown.heard.said.at(-1)).toBe("Block at b2. Press Enter to rotate it.");
    shown.key("Enter");
    expect(shown.heard.moves).toEqual(["turn b2"]);
  });
});

describe("keys", () => {
  it("move the focus and play", () => {
    const shown = mountBoard(BOARD);
    expect(shown.focus).toBe("b2, white");
    shown.key("KeyN");
    expect(shown.focus).toBe("a1, black");
    shown.key("Enter");
    shown.key("KeyN");
    expect(shown.focus).toBe("c1, empty, possible move");
    shown.key("Space");
    expect(shown.heard.moves).toEqual(["a1c1"]);
  });

  it("go by screen direction on a turned board", () => {
    const shown = mountBoard({ ...BOARD, turned: 2 });
    shown.key("ArrowUp");
    expect(shown.focus).toBe("b3, empty");
    shown.key("Home");
    expect(shown.focus).toBe("c3, empty");
  });

  it("let Escape clear the selection, and leave it to the page otherwise", () => {
    const shown = mountBoard(BOARD);
    shown.click("a1");
    shown.key("Escape");
    expect(shown.cell("a1").getAttribute("aria-selected")).toBe("false");
    const event = new KeyboardEvent("keydown", { code: "Escape", bubbles: true, cancelable: true });
    shown.grid.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  });

  it("tell the page what is its business", () => {
    const shown = mountBoard(BOARD);
    for (const code of ["KeyU", "KeyH", "KeyB", "Comma", "Period", "KeyM", "KeyL", "KeyI", "KeyT"]) shown.key(code);
    expect(shown.heard.commands).toEqual([
      "undo",
      "hint",
      "turn-board",
      "previous",
      "next",
      "type-move",
      "read-moves",
      "read-board",
      "read-clocks",
    ]);
  });

  it("let people look around when it is not their turn", () => {
    const shown = mountBoard({ ...BOARD, interactive: false });
    shown.key("ArrowLeft");
    expect(shown.focus).toBe("a2, empty");
    shown.key("KeyN");
    expect(shown.focus).toBe("a2, empty");
  });
});

describe("tiles", () => {
  const picture = tiles("2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 2");
  const slides = (["right", "down"] as const).map((heading): MoveState => ({ kind: "slide", token: heading, heading }));
  const board = { picture, facts: factsWith(slides), styles: TILES };

  it("slide by arrows, and say so if nothing moves that way", () => {
    const shown = mountBoard(board);
    shown.key("ArrowRight");
    shown.key("ArrowLeft");
    expect(shown.heard.moves).toEqual(["right"]);
    expect(shown.heard.refused).toEqual([{ kind: "slide", heading: "left" }]);
  });

  it("slide by swipes, one for each press", () => {
    const shown = mountBoard(board);
    shown.pointer("pointerdown", { x: 100, y: 100 }, "touch");
    shown.pointer("pointermove", { x: 110, y: 122 }, "touch");
    expect(shown.heard.moves).toEqual([]);
    shown.pointer("pointermove", { x: 110, y: 130 }, "touch");
    shown.pointer("pointermove", { x: 110, y: 190 }, "touch");
    expect(shown.heard.moves).toEqual(["down"]);
  });

  it("keep two more keys while a move is on its way", () => {
    const shown = mountBoard({ ...board, pending: "right" });
    for (const code of ["ArrowDown", "ArrowRight", "ArrowRight"]) shown.key(code);
    expect(shown.heard.moves).toEqual([]);
    shown.set({ pending: null, picture: { ...picture }, facts: factsWith(slides, { ply: 2 }) });
    expect(shown.heard.moves).toEqual(["down"]);
    shown.set({ pending: "down" });
    shown.set({ pending: null, picture: { ...picture }, facts: factsWith(slides, { ply: 4 }) });
    expect(shown.heard.moves).toEqual(["down", "right"]);
    shown.set({ picture: { ...picture }, facts: factsWith(slides, { ply: 6 }) });
    expect(shown.heard.moves).toEqual(["down", "right"]);
  });
});

describe("motion", () => {
  const step: Step = {
    kind: "move",
    from: square("a1"),
    to: square("c1"),
    effects: [{ kind: "move", from: square("a1"), to: square("c1") }],
  };
  const after = { picture: squares("..b .w. ..."), facts: factsWith([]), steps: [step] };
  const flying = (shown: TestBoard): number => shown.all("use[transform]").length;

  it("shows what led to a new position, each piece once", () => {
    const shown = mountBoard({ ...BOARD, motion: true });
    shown.set(after);
    expect(flying(shown)).toBe(1);
    expect(shown.all("use")).toHaveLength(2);
  });

  it("is ended by a key, a press and a new position", () => {
    for (const end of [
      (shown: TestBoard) => shown.key("ArrowLeft"),
      (shown: TestBoard) => shown.pointer("pointerdown", { x: 50, y: 50 }),
      (shown: TestBoard) => shown.set({ picture: PICTURE, steps: null }),
    ]) {
      const shown = mountBoard({ ...BOARD, motion: true });
      shown.set(after);
      end(shown);
      expect(flying(shown)).toBe(0);
      expect(shown.all("use")).toHaveLength(2);
    }
  });

  it("is left out for jumps, and where people do not want it", () => {
    const jumping = mountBoard({ ...BOARD, motion: true });
    jumping.set({ ...after, steps: null });
    expect(flying(jumping)).toBe(0);
    const resting = mountBoard(BOARD);
    resting.set(after);
    expect(flying(resting)).toBe(0);
  });

  it("turns the board", () => {
    const shown = mountBoard({ ...BOARD, motion: true });
    shown.set({ turned: 2 });
    expect(shown.find(".drawing").getAttribute("transform")).toMatch(/^rotate\(-1\d\d[.\d]* 150 150\)$/);
    shown.key("ArrowLeft");
    expect(shown.find(".drawing").hasAttribute("transform")).toBe(false);
  });

  it("forgets what was selected", () => {
    const shown = mountBoard(BOARD);
    shown.click("a1");
    shown.set(after);
    expect(shown.all('[aria-selected="true"]')).toHaveLength(0);
  });
});

describe("a forced pass", () => {
  const pass: MoveState = { token: "pass", kind: "pass" };

  it("is played by Enter wherever the focus is, and by no click", () => {
    const shown = mountBoard({ ...BOARD, facts: factsWith([pass]) });
    shown.tap(square("a1"));
    expect(shown.heard.moves).toEqual([]);
    shown.key("Enter");
    expect(shown.heard.moves).toEqual(["pass"]);
  });

  it("is not played where there is a choice, or out of turn", () => {
    mountBoard({ ...BOARD, facts: factsWith([pass, ...MOVES]) }).key("Enter");
    mountBoard({ ...BOARD, facts: factsWith([pass]), interactive: false }).key("Enter");
    expect(mounted.map(({ heard }) => heard.moves)).toEqual([[], []]);
  });
});

it("tells what has been chosen, and that it was let go", () => {
  const shown = mountBoard(BOARD);
  shown.tap(square("a1"));
  shown.key("Escape");
  expect(shown.heard.chosen).toEqual([[], [square("a1")], []]);
});

describe("the focus", () => {
  it("stays where it is when pieces move or the board is turned", () => {
    const shown = mountBoard(BOARD);
    const corner = shown.cell("a1");
    shown.set({ picture: squares("..b .w. ...") });
    expect(shown.cell("a1, empty")).toBe(corner);
    shown.set({ turned: 2 });
    expect(shown.cell("a1")).toBe(corner);
    expect(corner.getAttribute("x")).toBe("200");
  });

  it("can be given to the board", async () => {
    const shown = mountBoard(BOARD);
    await shown.takeFocus();
    expect(document.activeElement).toBe(shown.cell("b2"));
    const tray = mountBoard({
      picture: tiles("2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 2"),
      facts: factsWith(),
      styles: TILES,
    });
    await tray.takeFocus();
    expect(document.activeElement).toBe(tray.grid);
  });

  it("waits for the places if it is given to a board that is not drawn yet", async () => {
    const shown = new TestBoard(BOARD, true);
    mounted.push(shown);
    await settled();
    expect(document.activeElement).toBe(shown.cell("b2"));
  });

  it("finds its place on another board", () => {
    const shown = mountBoard(BOARD);
    shown.set({ picture: squares("b... .... .... ....") });
    expect(shown.all('[role="gridcell"]')).toHaveLength(16);
    expect(shown.all('[tabindex="0"]')).toHaveLength(1);
  });
});

it("hops are shown as the way they took", () => {
  const path = ["0311", "0513", "0711"].map(hole);
  const step: Step = { kind: "move", from: path[0], to: path[2], path, effects: [] };
  const facts = factsWith([], { last: { seat: 0, token: "", step } });
  const shown = mountBoard({ picture: star([["0311", "0711"]]), facts, styles: MARBLES });
  expect(shown.all("polyline")).toHaveLength(2);
});

it("hints are marked by their token", () => {
  const shown = mountBoard({ ...BOARD, hint: "a1c1" });
  expect(shown.all('[data-mark^="hint"]')).toHaveLength(2);
  shown.set({ hint: "nothing like that" });
  expect(shown.all('[data-mark^="hint"]')).toHaveLength(0);
});
