// A study for tests.
import type { Message, Study, StudyComparison, StudyEffect, StudySide, StudySummary } from "../protocol/types.ts";

/** A name that its author has given. */
export function named(text: string): Message {
  return { key: "", text };
}

export function summary(changes: Partial<StudySummary> = {}): StudySummary {
  return {
    id: "table-size",
    name: "table-size",
    question: { key: "", text: "How large should the table be?" },
    state: "finished",
    quick: true,
    published: false,
    games: ["loa"],
    played: 48,
    planned: 48,
    comparisons: 2,
    ended: 2,
    claims: 1,
    ...changes,
  };
}

export function side(changes: Partial<StudySide> = {}): StudySide {
  return {
    moves: 400,
    seconds: 0.002,
    nodes: 1234.5,
    depth: 3.25,
    branching: 4,
    cutoffs: 0.1,
    firstMove: 0.9,
    tableHits: null,
    points: null,
    depths: [
      { depth: 1, seconds: 0.0001 },
      { depth: 2, seconds: 0.001 },
    ],
    ...changes,
  };
}

export function comparison(changes: Partial<StudyComparison> = {}): StudyComparison {
  return {
    circumstance: 0,
    setting: 1,
    opponent: 0,
    games: 24,
    wins: 21,
    draws: 3,
    losses: 0,
    score: { value: 0.9375, low: 0.52, high: 1 },
    elo: 470,
    eloLow: 14,
    eloHigh: null,
    verdict: "stronger",
    early: true,
    nodes: { value: 0.5, low: 0.4, high: 0.6 },
    time: { value: 1.1, low: 0.9, high: 1.3 },
    depth: { value: 0.75, low: 0.5, high: 1 },
    sides: [side(), side()],
    ...changes,
  };
}

export function effect(changes: Partial<StudyEffect> = {}): StudyEffect {
  return {
    setting: 1,
    opponent: 0,
    games: 24,
    score: { value: 0.9375, low: 0.52, high: 1 },
    elo: 470,
    eloLow: 14,
    eloHigh: null,
    verdict: "stronger",
    nodes: { value: 0.5, low: 0.4, high: 0.6 },
    time: { value: 1.1, low: 0.9, high: 1.3 },
    depth: { value: 0.75, low: 0.5, high: 1 },
    ...changes,
  };
}

export function study(changes: Partial<Study> = {}): Study {
  const open = { value: 0.5, low: 0.3, high: 0.7 };
  return {
    summary: summary(),
    answer: [
      {
        key: "answer.in",
        text: "In 48 games, tt=off is stronger than the reference, with 94% (52% to 100%) of the points.",
      },
      { key: "answer.open", text: "For tt=64 nothing is shown: the true score lies between 30% and 70%." },
    ],
    findings: [{ key: "summary.frame", text: "2 comparisons with 48 games." }],
    seed: "1",
    gamesPerComparison: 24,
    error: 0.05,
    earlyStopping: true,
    allAgainstAll: false,
    settings: [
      { name: named("reference") },
      { name: named("tt=off") },
      { name: named("tt=64"), factor: "tt", value: 64 },
    ],
    referenceValues: [{ factor: "tt", value: 16 }],
    effects: [effect(), effect({ setting: 2, score: open, elo: 0, eloLow: -147, eloHigh: 147, verdict: "open" })],
    outlook: {
      games: 24,
      curve: [
        { games: 12, main: 0.4, each: null },
        { games: 24, main: 0.3, each: null },
        { games: 240, main: 0.1, each: null },
      ],
      rows: [
        { distance: 0.3, each: false, games: 24, seconds: 90 },
        { distance: 0.1, each: false, games: 240, seconds: 900 },
      ],
    },
    circumstances: [
      {
        name: named("Lines of Action"),
        game: "loa",
        options: "size=8",
        bots: ["alphabeta:tt=16", "alphabeta:tt=off", "alphabeta:tt=64"],
        ratings: [],
      },
    ],
    comparisons: [
      comparison(),
      comparison({
        setting: 2,
        score: open,
        elo: 0,
        eloLow: -147,
        eloHigh: 147,
        verdict: "open",
        early: false,
        nodes: { value: 1, low: 0.9, high: 1.1 },
      }),
    ],
    observations: [],
    files: ["results.json", "report.html", "comparisons.csv"],
    command: "agon study run study.toml --quick --out results",
    ...changes,
  };
}
