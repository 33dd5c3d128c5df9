// What the status line says: the state, then what to do.
import { placeName } from "../board/index.ts";
import { t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";
import { formatPlace } from "../lib/format.ts";
import type { Session } from "./session.svelte.ts";
import { passText } from "./speech.ts";

/** How many turns before the limit people are warned. */
const LAST_TURNS = 10;

/** How far the game has gone, and whether its limit is near. */
export function progressOf(session: Session): { text: string; isNear: boolean } | null {
  const progress = session.facts?.progress;
  if (!progress) return null;
  const text = say(progress.text, session.game);
  const left = progress.limit === null ? Infinity : progress.limit - progress.played;
  return left <= LAST_TURNS
    ? { text: t("status.left", { progress: text, k: left }), isNear: true }
    : { text, isNear: false };
}

/** Whose turn it is and what they are to do. */
export function statusOf(session: Session): string {
  const { state, board, turn } = session;
  if (!state || !board) return "";
  if (session.looked) return t("status.replay", { n: session.ply, m: board.facts.ply });
  if (session.isOver) return t("status.over");
  const pending = session.table.pending.get(session.main);
  if (pending) return t("status.sending", { move: session.moveName(pending.token) });
  if (state.skipping) return t("status.skipping");
  if (board.facts.waits) return t("status.waits");
  if (board.facts.end) {
    const reason = say(board.facts.end.reason, session.game);
    const done = t(session.mine.includes(session.main) ? "status.done" : "status.boardDone", { reason });
    return `${done} ${t("status.playOn", { n: session.open })}`;
  }
  if (session.isMyTurn) return myTurn(session);
  if (state.paused) return t("status.paused");
  return turn === null ? "" : othersTurn(session, turn);
}

function myTurn(session: Session): string {
  if (session.forcedPass !== null) return passText(session);
  if (session.rotating) return t("status.rotating");
  const seat = session.turn === null ? "" : session.title(session.turn);
  const chosen = session.chosen.at(-1);
  if (chosen && session.picture) {
    const place = placeName(session.picture, chosen);
    return session.me === null ? t("status.seatTarget", { seat, place }) : t("status.chooseTarget", { place });
  }
  const kinds = new Set(session.board?.facts.moves?.map((move) => move.kind));
  const alone = session.me !== null;
  if (kinds.has("slide")) return t("status.slide");
  if (kinds.has("place")) return alone ? t("status.chooseSquare") : t("status.seatSquare", { seat });
  return alone ? t("status.choosePiece") : t("status.seatPiece", { seat });
}

function othersTurn(session: Session, turn: number): string {
  const name = session.name(turn);
  if (session.seats[turn]?.person) return t("status.seatToMove", { seat: name });
  const place = session.table.waiting.get(session.main);
  return place === undefined ? t("status.thinking", { name }) : t("status.inLine", { name, place: formatPlace(place) });
}
