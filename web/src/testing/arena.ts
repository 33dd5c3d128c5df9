// A tournament for tests of components: three players in the middle of the second round, to be changed where a
// test needs it.
import type { Standing, TechnicalLoss, Tournament, TournamentGame, TournamentSummary } from "../protocol/types.ts";

export function standing(name: string, changes: Partial<Standing> = {}): Standing {
  return {
    place: 1,
    name,
    kind: "python",
    points: 6,
    games: 2,
    wins: 2,
    draws: 0,
    losses: 0,
    technicalWins: 0,
    technicalLosses: 0,
    disqualified: false,
    elo: 100,
    eloError: 60,
    meanTime: 0.4,
    slowest: 0.9,
    meanDepth: null,
    ...changes,
  };
}

export function summary(changes: Partial<TournamentSummary> = {}): TournamentSummary {
  return {
    id: "spring",
    name: "Spring course",
    state: "running",
    games: ["loa"],
    played: 6,
    planned: 12,
    running: 0,
    players: 3,
    leaders: ["deep"],
    updated: "2026-11-15T18:00:00Z",
    web: false,
    ...changes,
  };
}

export const LOSS: TechnicalLoss = {
  player: "first",
  opponents: ["deep"],
  number: 3,
  round: 1,
  game: "spring-3",
  fault: "late",
  reason: { key: "fault.late", text: "first ran out of time" },
  detail: "no move within 0.5 s",
  ply: 12,
  disqualified: false,
};

export function match(number: number, changes: Partial<TournamentGame> = {}): TournamentGame {
  return {
    id: `spring-${number}`,
    number,
    round: 1,
    game: "loa",
    options: "size=8",
    players: ["deep", "first"],
    result: {
      seats: ["win", "loss"],
      points: [3, 0],
      scores: [],
      reason: { key: "end.connected", text: "all pieces connected" },
      detail: "",
      plies: 41,
    },
    ...changes,
  };
}

export function tournament(changes: Partial<Tournament> = {}): Tournament {
  const met = { games: 2, points: 6, wins: 2, draws: 0, losses: 0 };
  return {
    summary: summary(),
    rounds: [1, 2].map((number) => ({
      number,
      game: "loa",
      options: "size=8,turns=50",
      time: "500ms",
      setup: "10s",
      format: "round-robin",
      played: number === 1 ? 6 : 0,
      planned: 6,
    })),
    standings: [
      standing("deep"),
      standing("house", { place: 2, kind: "bot", points: 1, wins: 0, draws: 1, losses: 1, elo: -0.3, eloError: 50 }),
      standing("first", {
        place: 3,
        points: -2,
        wins: 0,
        losses: 1,
        technicalLosses: 1,
        elo: null,
        eloError: null,
        disqualified: true,
      }),
    ],
    cross: [
      [null, met, met],
      [{ ...met, points: 0, wins: 0, losses: 2 }, null, null],
      [{ ...met, points: -2, wins: 0, losses: 2 }, null, null],
    ],
    technical: [LOSS],
    technicalCount: 1,
    running: [],
    secondsLeft: 720,
    notes: [],
    files: ["report.html", "table.csv"],
    ...changes,
  };
}
