// A study for tests.
import type { Study, StudyComparison, StudySide, StudySummary } from "../protocol/types.ts";

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

export function study(changes: Partial<Study> = {}): Study {
  const open = { value: 0.5, low: 0.3, high: 0.7 };
  return {
    summary: summary(),
    findings: [{ key: "summary.no-claim", text: "No setting was shown to be stronger or weaker than its opponent." }],
    seed: "1",
    gamesPerComparison: 24,
    error: 0.05,
    earlyStopping: true,
    allAgainstAll: false,
    settings: [{ name: "reference" }, { name: "tt=off" }, { name: "tt=64", factor: "tt", value: 64 }],
    circumstances: [
      {
        name: "Lines of Action",
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
