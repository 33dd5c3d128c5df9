// A friendly word after a move of one's own against bots, if the move has earned it.
import { t } from "../i18n/index.svelte.ts";
import { analyse, type Opinion } from "../lib/api.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { Session } from "./session.svelte.ts";

const WORDS = ["praise.1", "praise.2", "praise.3", "praise.4", "praise.5", "praise.6"] as const;

/** These bots compliment whatever is played, as the program did that they come from. */
const POLITE = /^s5-/;

/** How long the opponent may think about a move, in milliseconds: praise is not worth more of the server's time. */
const THINKING = 200;

/** Whoever has less than this part of an even share of the chances is losing, and not to be cheered. */
const LOSING = 0.8;

/** `random` gives numbers from 0 to below 1. */
export function praise(random: () => number = Math.random): string {
  return t(WORDS[Math.floor(random() * WORDS.length)] ?? "praise.1");
}

/** Whether a move was among the best, where there were worse ones, in a position that is not lost anyway. */
export function isEarned(token: string, { unit, moves }: Opinion, seats: number): boolean {
  const [best] = moves;
  const played = moves.find(({ move }) => move === token);
  if (!best || !played || played.bound !== null || played.score < best.score) return false;
  if (!moves.some(({ score }) => score < best.score)) return false;
  return best.score >= (unit === "percent" ? (LOSING * 100) / seats : 0);
}

/** How to judge a move that is about to be played: must be asked before, and the answer called after it. */
export function judge(session: Session, token: string): () => Promise<boolean> {
  const { seats, me, state, board } = session;
  const bots = seats.filter((seat, index) => index !== me && !seat.person);
  const isAlone = me !== null && bots.length === seats.length - 1 && bots.length > 0;
  const hasChoice = (board?.facts.moves?.length ?? 0) > 1;
  const [bot] = bots;
  // People who share a screen or race against time need no praise, and between people it would be help.
  if (!settings.praise || !bot || !isAlone || !hasChoice || session.isMany || session.isOnline || !state || !board)
    return () => Promise.resolve(false);
  if (POLITE.test(bot.occupant)) return () => Promise.resolve(true);
  const { game, options } = state;
  const { position } = board.facts;
  const question = { game, options, position, moves: [], bot: bot.occupant, millis: THINKING };
  return () =>
    analyse(question).then(
      (opinion) => isEarned(token, opinion, seats.length),
      // A server that is too busy for this loses nobody anything.
      () => false,
    );
}
