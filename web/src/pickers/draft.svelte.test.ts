import { describe, expect, it } from "vitest";

import type { GameInfo } from "../protocol/types.ts";
import { seat } from "../testing/table.ts";
import { Draft } from "./draft.svelte.ts";

function info(seats: string[]): GameInfo {
  return {
    game: "star",
    options: "",
    suggested: "",
    choices: [],
    seats: seats.map((title) => seat(title)),
    bots: [],
    styles: [],
  } as unknown as GameInfo;
}

const online = (seats: string[]) => new Draft(info(seats), "online", new URLSearchParams());

describe("a lobby that is being put together", () => {
  it("has the host on the first seat and the others open", () => {
    const draft = online(["Green", "Red", "Blue"]);
    draft.setName(" Friday star ");
    draft.terms.player = "Dana";
    draft.setOccupant(2, "hard");
    draft.clock = "5m+3s";
    expect(draft.lobby()).toEqual({
      name: "Friday star",
      player: "Dana",
      game: "star",
      options: "",
      mode: "single",
      seats: [
        { occupant: "human", name: null },
        { occupant: "open", name: null },
        { occupant: "hard", name: null },
      ],
      shuffle: false,
      terms: {
        clock: "5m+3s",
        leavers: "ask",
        grace: 120,
        interruption: 15,
        interruptions: 60,
        public: true,
        help: false,
        spectatorsChat: false,
      },
    });
  });

  it("takes what the game suggests for so many seats, unless something else is chosen", () => {
    const choices = [{ key: "goal", default: "strict", kind: { kind: "choice", words: ["strict", "fill"] } }];
    const suggesting = { ...info(["Green", "Red", "Blue"]), options: "goal=strict", suggested: "goal=fill", choices };
    const draft = new Draft(suggesting as unknown as GameInfo, "online", new URLSearchParams());
    expect([draft.options["goal"], draft.lobby().options]).toEqual(["fill", "goal=fill"]);
    expect([draft.challenge().options, draft.table(() => 0).options]).toEqual(["goal=fill", "goal=fill"]);
    draft.setOption("goal", "strict");
    expect(draft.lobby().options).toBe("goal=strict");
  });

  it("gives back of lost time what the host likes", () => {
    const draft = online(["Black", "White"]);
    draft.terms.interruption = 0;
    draft.terms.interruptions = 120;
    expect(draft.lobby().terms).toMatchObject({ interruption: 0, interruptions: 120 });
  });

  it("deals sides as the host likes", () => {
    const draft = online(["Black", "White"]);
    draft.setSide("second");
    expect(draft.lobby().seats.map(({ occupant }) => occupant)).toEqual(["open", "human"]);
    draft.setSide("random");
    expect(draft.lobby()).toMatchObject({ shuffle: true, seats: [{ occupant: "human" }, { occupant: "open" }] });
  });

  it("has days per move only without a clock", () => {
    const draft = online(["Black", "White"]);
    draft.terms.days = 3;
    expect(draft.lobby().terms).toMatchObject({ clock: "none", days: 3 });
    expect(draft.hasLeavers).toBe(true);
    draft.clock = "15s";
    expect(draft.lobby().terms).not.toHaveProperty("days");
    draft.clock = "none";
    draft.terms.days = null;
    expect(draft.hasLeavers).toBe(false);
  });

  it("suggests a clock and leaves the absent to those present among three or more", () => {
    const three = online(["Green", "Red", "Blue"]);
    expect(three.lobby().terms).toMatchObject({ clock: "60s", leavers: "ask", grace: 120 });
    expect(three.challenge().terms).toMatchObject({ clock: "60s", leavers: "ask" });
    three.clock = "none";
    three.terms.leavers = "resign";
    expect(three.lobby().terms).toMatchObject({ clock: "none", leavers: "resign" });
    expect(three.hasLeavers).toBe(true);
    expect(online(["Black", "White"]).lobby().terms).toMatchObject({ clock: "none", leavers: "bot" });
    expect(new Draft(info(["Green", "Red", "Blue"]), "bot", new URLSearchParams()).clock).toBe("none");
  });

  it("leaves nobody to decide where a move may take days", () => {
    const draft = online(["Green", "Red", "Blue"]);
    draft.terms.leavers = "ask";
    draft.clock = "none";
    draft.terms.days = 3;
    expect([draft.leaversChoices, draft.lobby().terms.leavers]).toEqual([["bot", "resign"], "bot"]);
  });

  it("is a race of two to six where a game has one seat", () => {
    const draft = online(["Player"]);
    expect(draft.lobby()).toMatchObject({
      mode: "race",
      seats: [{ occupant: "human" }, { occupant: "open" }],
      terms: { goal: { kind: "score" } },
    });
    for (let board = 2; board < 6; board += 1) draft.addBoard();
    expect([draft.occupants.length, draft.canAddBoard]).toEqual([6, false]);
    draft.terms.goal = "moves";
    expect(draft.lobby().terms.goal).toEqual({ kind: "moves", moves: 200 });
    draft.terms.goal = "time";
    draft.terms.minutes = 5;
    expect(draft.lobby().terms.goal).toEqual({ kind: "time", seconds: 300 });
  });

  it("points at the name that is taken until it is changed", () => {
    const draft = online(["Black", "White"]);
    draft.trouble = { text: "Name taken. Try Friday 2.", field: "name", suggestion: "Friday 2" };
    expect([draft.problemOf("name"), draft.generalProblem]).toEqual(["Name taken. Try Friday 2.", null]);
    draft.setName("Friday 2");
    expect(draft.problemOf("name")).toBeNull();
  });

  it("keeps the side when another way to play is chosen", () => {
    const draft = new Draft(info(["Black", "White"]), "bot", new URLSearchParams());
    draft.setSide("second");
    draft.setMode("online");
    expect([draft.side, draft.occupants]).toEqual(["second", ["open", "human"]]);
    draft.setMode("bot");
    expect(draft.occupants).toEqual(["easy", "human"]);
  });
});
