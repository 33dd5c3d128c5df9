// What is read aloud: what just happened, and on request moves, board and clocks.
import { placeName, stepDigest } from "../board/index.ts";
import { t } from "../i18n/index.svelte.ts";
import { gameText, say } from "../i18n/server.svelte.ts";
import { formatClock } from "../lib/format.ts";
import type { BoardPicture, Step } from "../protocol/types.ts";
import type { Session } from "./session.svelte.ts";

/** "Black d3, 1 flipped." */
export function describeStep(picture: BoardPicture, step: Step, seat: string): string {
  const { kind, from, to, heading, block, flipped, captured, hops } = stepDigest(picture, step);
  switch (kind) {
    case "place":
      return flipped > 0
        ? t("say.placeFlips", { seat, to: to ?? "", n: flipped })
        : t("say.place", { seat, to: to ?? "" });
    case "move":
      if (hops > 0) return t("say.hops", { seat, n: hops, from: from ?? "", to: to ?? "" });
      return captured.length > 0
        ? t("say.capture", { seat, from: from ?? "", to: to ?? "", captured: captured.join(", ") })
        : t("say.move", { seat, from: from ?? "", to: to ?? "" });
    case "turn":
      return t("say.turn", { seat, place: block ?? "" });
    case "pass":
      return t("say.pass", { seat });
    case "slide":
      return heading ? t(`say.slide.${heading}`) : "";
    case "appear":
      return "";
  }
}

/** What follows: whose turn it is, or what there is to score. */
export function describeTurn(session: Session): string {
  const { turn } = session;
  const facts = session.board?.facts;
  if (turn === null || !facts) return "";
  if (session.seats.length === 1 || session.isMany) {
    const parts = facts.score === null || facts.score === undefined ? [] : [t("say.score", { n: facts.score })];
    if (facts.chance) parts.push(say(facts.chance, session.game));
    return parts.join(" ");
  }
  if (session.forcedPass !== null) return `${passText(session)} ${t("say.passKey")}`;
  if (turn === session.me) return t("status.yourTurn");
  const seat = session.title(turn);
  const count = facts.moves?.length ?? 0;
  return count > 0 ? t("status.seatToMoveCount", { seat, n: count }) : t("status.seatToMove", { seat });
}

export function passText(session: Session): string {
  const { turn, me } = session;
  return turn === me || turn === null ? t("status.pass") : t("status.seatPass", { seat: session.title(turn) });
}

export function readMoves(session: Session): string {
  const moves = (session.facts?.moves ?? []).map((move) => session.moveName(move.token));
  return moves.length === 0 ? t("say.noMoves") : t("say.moves", { n: moves.length, moves: moves.join(", ") });
}

export function readBoard(picture: BoardPicture, game: string, nameOf: (style: string) => string): string {
  return picture.layout === "tiles" ? readTiles(picture) : readPieces(picture, game, nameOf);
}

function readTiles(picture: BoardPicture): string {
  return picture.rows
    .map((_, row) => {
      const tiles = picture.cells
        .filter(({ at }) => at[0] === row)
        .map((cell) => cell.piece?.number ?? t("board.empty"));
      return t("say.row", { n: row + 1, tiles: tiles.join(", ") });
    })
    .join(" ");
}

function readPieces(picture: BoardPicture, game: string, nameOf: (style: string) => string): string {
  const places = new Map<string, string[]>();
  for (const cell of picture.cells) {
    if (!cell.piece) continue;
    const name = nameOf(cell.piece.style);
    places.set(name, [...(places.get(name) ?? []), placeName(picture, cell.at)]);
  }
  return [...places]
    .map(([name, at]) => t("say.pieces", { piece: gameText(game, name, name), places: at.join(", ") }))
    .join(" ");
}

/** "Black: You. White: Bot · Hard." */
export function readPlayers(session: Session): string {
  const seats = session.seats.map((_, seat) =>
    t("say.player", {
      seat: session.isMany ? t("new.board", { n: seat + 1 }) : session.title(seat),
      name: session.name(seat),
    }),
  );
  return seats.join(" ");
}

export function readClocks(session: Session): string {
  const clocks = session.seats.map((_, seat) => clockLeft(session, seat, performance.now()));
  const parts = clocks.flatMap((left, seat) =>
    left === null ? [] : [t("say.clock", { name: session.name(seat), time: formatClock(left) })],
  );
  return parts.length > 0 ? parts.join(" ") : t("say.noClocks");
}

/** What is left on a seat's clock at `now`, reckoned from the server's last word; null without a clock. */
export function clockLeft(session: Session, seat: number, now: number): number | null {
  const board = session.isMany ? seat : 0;
  const clocks = session.state?.boards[board]?.facts.clocks ?? [];
  const left = clocks[clocks.length === 1 ? 0 : seat] ?? null;
  if (left === null || !isClockRunning(session, seat)) return left;
  return Math.max(0, left - (now - (session.table.received[board] ?? now)));
}

export function isClockRunning(session: Session, seat: number): boolean {
  const facts = session.state?.boards[session.isMany ? seat : 0]?.facts;
  if (!facts || facts.stopped || facts.end || facts.waits || session.state?.paused) return false;
  return session.isMany || facts.turn === seat;
}
