// What the page does when something happens at the table: it says it aloud and makes a sound.
import { soundOf, type Sounds } from "../board/index.ts";
import type { News } from "../connection/table.svelte.ts";
import { t } from "../i18n/index.svelte.ts";
import { announce, interrupt } from "../lib/announcer.svelte.ts";
import type { Result } from "./result.ts";
import type { Session } from "./session.svelte.ts";
import { describeStep, describeTurn } from "./speech.ts";

/** `result` is how the game has ended with this. */
export function react(session: Session, news: News, sounds: Sounds, result: Result | null): void {
  const board = session.state?.boards[news.board];
  if (!board) return;
  const picture = session.called(board.picture);
  const told = news.steps.map((step, index) => {
    const seat = news.plies[index]?.seat;
    return describeStep(picture, step, seat === null || seat === undefined ? "" : session.title(seat));
  });
  // Whose turn it is would otherwise be a riddle to those who look and do not listen.
  const pass = told.findLast((_, index) => news.steps[index]?.kind === "pass");
  if (pass) session.note = { kind: "info", text: pass };
  if (news.undone) told.unshift(t("say.undone"));
  announce([...told, describeTurn(session)].filter((text) => text !== "").join(" "));
  const step = news.steps.find((_, index) => typeof news.plies[index]?.seat === "number");
  if (result) {
    sounds.play("end");
    interrupt(t("say.over", { result: [result.headline, result.reason ?? ""].join(" ").trim() }));
  } else if (step) {
    sounds.play(soundOf(step));
  }
}
