import { beforeAll, describe, expect, it } from "vitest";

import { setLanguage } from "../i18n/index.svelte.ts";
import { BOT, seat } from "../testing/table.ts";
import {
  formatClock,
  formatPace,
  formatPlace,
  formatScore,
  formatSpan,
  moveName,
  moveSign,
  nearestPace,
  PACES,
} from "./format.ts";
import { seatName } from "./names.ts";
import { formatOptions, giveSet, optionsOfQuery, parseOptions, seatShape } from "./options.ts";
import { routeOf } from "./router.svelte.ts";
import { readSettings, type Settings } from "./settings.svelte.ts";

beforeAll(() => setLanguage("en"));

describe("names of seats", () => {
  const seats = [seat("Black", { mine: false }), seat("White", { mine: false, name: "Benno" }), seat("Red", BOT)];
  const names = (isOnline: boolean) => seats.map((_, index) => seatName("loa", seats, index, isOnline));

  it("online, whoever has no name any more has deleted the game", () => {
    expect(names(true)).toEqual(["Deleted player", "Benno", "Bot · Hard"]);
  });

  it("elsewhere, whoever has no name goes by the seat", () => {
    expect(names(false)).toEqual(["Black", "Benno", "Bot · Hard"]);
  });
});

describe("routes", () => {
  it.each([
    ["/rules/tablut", { page: "rules", game: "tablut" }],
    ["/rules", { page: "missing" }],
    ["/", { page: "home" }],
    ["/watch", { page: "watch" }],
    ["/me/", { page: "me" }],
    ["/settings", { page: "settings" }],
    ["/othello", { page: "about", game: "othello" }],
    ["/chinese-checkers/new", { page: "new", game: "chinese-checkers" }],
    ["/lobbies", { page: "lobbies" }],
    ["/lobby/abc", { page: "lobby", lobby: "abc" }],
    ["/join/abc", { page: "join", key: "abc" }],
    ["/lobby", { page: "missing" }],
    ["/join", { page: "missing" }],
    ["/tree/loa", { page: "tree", game: "loa" }],
    ["/tree", { page: "missing" }],
    ["/game/abc", { page: "table", table: "abc" }],
    ["/game", { page: "missing" }],
    ["/game/abc/def", { page: "missing" }],
    ["/othello/old", { page: "missing" }],
    ["/arena", { page: "arena" }],
    ["/arena/spring", { page: "tournament", tournament: "spring" }],
    ["/arena/spring/k3y", { page: "author", tournament: "spring", key: "k3y" }],
    ["/arena/spring/k3y/7", { page: "missing" }],
    ["/studies", { page: "studies" }],
    ["/studies/tablut-king", { page: "study", study: "tablut-king" }],
    ["/studies/tablut-king/more", { page: "missing" }],
    ["/arena/new", { page: "tournament", tournament: "new" }],
    ["/%E0%A4%A", { page: "about", game: "%E0%A4%A" }],
  ])("%s", (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });
});

describe("formats", () => {
  it.each([
    [250_000, "4:10"],
    [60_000, "1:00"],
    [9_940, "0:09.9"],
    [0, "0:00.0"],
    [-5, "0:00.0"],
    [3_725_000, "1:02:05"],
  ])("a clock of %d ms as %s", (millis, text) => {
    expect(formatClock(millis)).toBe(text);
  });

  it("spans", () => {
    expect([formatSpan(340), formatSpan(1234)]).toEqual(["340 ms", "1.2 s"]);
  });

  it("places in a line", async () => {
    expect([1, 2, 3, 4, 11, 22].map(formatPlace)).toEqual(["1st", "2nd", "3rd", "4th", "11th", "22nd"]);
    await setLanguage("he");
    expect(formatPlace(3)).toBe("3");
    await setLanguage("en");
  });

  it("scores with their unit, and proven ones", () => {
    expect(formatScore({ value: 3.25, unit: "discs" })).toBe("+3.25 discs");
    expect(formatScore({ value: 3.25, unit: "discs" }, false)).toBe("+3.25");
    expect(formatScore({ value: -0.5, unit: null })).toBe("-0.5");
    expect(formatScore({ value: 61, unit: "percent" })).toBe("61%");
    expect(formatScore({ value: 106_653.2, unit: "points" })).toBe("106,653 points");
    expect(formatScore({ value: 12, unit: "furlongs" })).toBe("+12 furlongs");
    expect(formatScore({ value: 0, unit: null, proven: 1 })).toBe("wins in 1 ply");
    expect(formatScore({ value: 0, unit: null, proven: -4 })).toBe("loses in 4 plies");
  });

  it("moves by notation, arrows and words", async () => {
    expect(["d3", "pass", "left"].map(moveSign)).toEqual(["d3", "pass", "←"]);
    expect(["d3", "pass", "left"].map(moveName)).toEqual(["d3", "pass", "left"]);
    await setLanguage("he");
    expect(["d3", "pass", "left"].map(moveSign)).toEqual(["d3", "העברת תור", "←"]);
    expect(moveName("pass")).toBe("העברת תור");
    await setLanguage("en");
  });

  it("paces from slow to fast", () => {
    expect(PACES.map(nearestPace)).toEqual(PACES.map((_, index) => index));
    expect(nearestPace(0)).toBe(PACES.length - 1);
    expect(nearestPace(60_000)).toBe(0);
    expect([formatPace(2000), formatPace(1000), formatPace(20)]).toEqual([
      "a move every 2 seconds",
      "1 move a second",
      "50 moves a second",
    ]);
  });
});

describe("options", () => {
  it("are read and written", () => {
    expect(parseOptions("size=8,turns=100")).toEqual({ size: "8", turns: "100" });
    expect(parseOptions("")).toEqual({});
    expect(formatOptions({ seats: "g/r", goal: "fill" })).toBe("seats=g/r,goal=fill");
  });

  it("come from the address as far as the game has them", () => {
    const choices = [{ key: "size", default: "8", kind: { kind: "switch" as const } }];
    expect(optionsOfQuery(new URLSearchParams("size=12&mode=bot"), choices)).toEqual({ size: "12" });
  });

  it("have a shape where they arrange seats", () => {
    expect(seatShape("gr/yp/ob")).toEqual({ seats: 3, sets: 2 });
    expect(seatShape("g/r")).toEqual({ seats: 2, sets: 1 });
    expect(seatShape("g/yo")).toBeNull();
    expect(seatShape("")).toBeNull();
  });

  it("give a set to one seat and take it from the others", () => {
    expect(giveSet("g/r", 0, "y")).toBe("gy/r");
    expect(giveSet("g/r", 0, "r")).toBe("gr");
    expect(giveSet("gr/yp", 1, "g")).toBe("r/ypg");
    expect(giveSet("gr/yp", 1, "p")).toBe("gr/y");
    expect(giveSet("gg/r", 1, "g")).toBe("rg");
  });
});

describe("stored settings", () => {
  const fallback: Settings = {
    theme: "auto",
    language: "en",
    sound: false,
    notify: false,
    motion: "auto",
    pace: 1000,
    coordinates: true,
    places: "letters",
    praise: true,
  };

  it("are kept where they hold", () => {
    const stored = {
      theme: "dark",
      language: "he",
      sound: true,
      notify: true,
      motion: "off",
      pace: 20,
      coordinates: false,
      places: "numbers",
      praise: false,
    };
    expect(readSettings(JSON.stringify(stored), fallback)).toEqual(stored);
  });

  it.each(["", "{", "null", "[]", '{"theme":"pink","pace":-1,"sound":"yes","notify":1,"language":"xx"}'])(
    "fall back from %s",
    (text) => {
      expect(readSettings(text, fallback)).toEqual(fallback);
    },
  );
});
