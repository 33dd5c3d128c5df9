// How much has been said that the person has not seen, where the chat is not always on screen.
import type { Session } from "./session.svelte.ts";

export class Unread {
  #seen = $state(0);

  constructor(private readonly session: Session) {
    this.#seen = Number(sessionStorage.getItem(this.#key)) || 0;
  }

  get #key(): string {
    return `agon.chat-seen.${this.session.table.id}`;
  }

  /** The lines that others have written since. */
  get count(): number {
    const muted = this.session.online?.muted ?? [];
    const isOfOthers = (seat: number | null) =>
      seat === null || !(this.session.mine.includes(seat) || muted.includes(seat));
    return this.session.table.lines.filter(({ seq, seat }) => seq > this.#seen && isOfOthers(seat)).length;
  }

  /** Everything so far has been seen. Call it in an effect: it follows the chat. */
  see(): void {
    const last = this.session.table.lines.at(-1)?.seq;
    if (last === undefined) return;
    this.#seen = last;
    sessionStorage.setItem(this.#key, String(last));
  }
}
