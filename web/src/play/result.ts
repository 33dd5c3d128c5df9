// How a game has ended, in a headline, a reason and a picture.
import { formatList, t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";
import type { Session } from "./session.svelte.ts";

export interface Result {
  headline: string;
  reason: string | null;
  mood: "won" | "lost" | "drawn";
}

/** The result; null before it is known. That of several boards may be decided although somebody plays on. */
export function resultOf(session: Session): Result | null {
  if (session.isMany) return session.isDecided ? resultOfMany(session) : null;
  return session.isOver ? resultOfOne(session) : null;
}

/** What has been achieved on the boards, each with who has done so: one's own comes first. */
export function milestonesOf(session: Session): string[] {
  const boards = session.state?.boards ?? [];
  const order = [...boards.keys()].sort((one, other) => Number(other === session.main) - Number(one === session.main));
  return order.flatMap((index) => {
    const milestone = (index === session.main ? session.facts : boards[index]?.facts)?.milestone;
    if (!milestone) return [];
    if (session.mine.includes(index)) return [say(milestone.text, session.game)];
    return [t("play.reached", { name: session.name(index), what: say(milestone.what, session.game) })];
  });
}

function resultOfOne(session: Session): Result | null {
  const { board, me } = session;
  const end = board?.facts.end;
  if (!board || !end) return null;
  const reason = say(end.reason, session.game);
  switch (end.kind) {
    case "won":
      return won(session, end.seat ?? null, reason);
    case "drawn":
      return { headline: t("end.draw", { reason }), reason: null, mood: "drawn" };
    case "lost":
      return { headline: t("end.over"), reason, mood: "lost" };
    case "forfeit": {
      // Of two the other one has won; of more nobody is named.
      if (session.seats.length === 2 && end.seat !== null && end.seat !== undefined)
        return won(session, 1 - end.seat, reason);
      return { headline: t("end.over"), reason, mood: end.seat === me ? "lost" : "drawn" };
    }
    case "aborted":
      return { headline: t("end.aborted", { reason }), reason: null, mood: "drawn" };
  }
}

function won(session: Session, seat: number | null, reason: string): Result {
  if (seat === null) return { headline: t("end.over"), reason, mood: "drawn" };
  if (session.me === seat) return { headline: t("end.youWin"), reason, mood: "won" };
  const mood = session.me === null ? "won" : "lost";
  return { headline: t("end.wins", { name: session.name(seat) }), reason, mood };
}

/** Several boards: whoever is first alone has won; a person must be ahead of the computer. */
function resultOfMany(session: Session): Result {
  const first = session.state?.ranking[0] ?? [];
  const { me } = session;
  const rivals = session.seats.filter((_, seat) => seat !== me);
  if (me !== null && rivals.every((seat) => !seat.person)) {
    const isBeaten = first.length === 1 && first[0] === me;
    return { headline: t(isBeaten ? "end.beat" : "end.computerWon"), reason: null, mood: isBeaten ? "won" : "lost" };
  }
  const [winner] = first;
  if (winner === undefined || (first.length > 1 && (me === null || first.includes(me))))
    return { headline: t("end.tie"), reason: null, mood: "drawn" };
  if (first.length > 1)
    return {
      headline: t("end.shared", { names: formatList(first.map((seat) => session.name(seat))) }),
      reason: null,
      mood: "lost",
    };
  return won(session, winner, "");
}
