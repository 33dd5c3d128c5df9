// How much has been said that the person has not seen, where the chat is not always on screen.
import { lastSeen, seeLines } from "../lib/seen.ts";
import type { Session } from "./session.svelte.ts";

export class Unread {
  #seen = $state(0);

  constructor(private readonly session: Session) {
    this.#seen = lastSeen(session.table.id);
  }

  /** The lines that others have written since. */
  get count(): number {
    const { ownNames, mutedNames, table } = this.session;
    const isOfOthers = (name: string) => !(ownNames.includes(name) || mutedNames.includes(name));
    return table.lines.filter(({ seq, name }) => seq > this.#seen && isOfOthers(name)).length;
  }

  /** Everything so far has been seen. Call it in an effect: it follows the chat. */
  see(): void {
    this.#seen = seeLines(this.session.table.id, this.session.table.lines);
  }
}
