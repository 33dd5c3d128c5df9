// Who sits at this browser, as the server knows it.
import { nameMe, whoAmI } from "./api.ts";

class Me {
  /** The name; empty if nobody has said it, null while it is not known. */
  name = $state<string | null>(null);
  #asked = false;

  load(): void {
    if (this.#asked) return;
    this.#asked = true;
    whoAmI().then(
      ({ name }) => (this.name = name),
      () => (this.#asked = false),
    );
  }

  /** Keeps the name under which somebody plays, if nobody has said one before. */
  async introduce(name: string): Promise<void> {
    if (this.name === "") await this.rename(name).catch(() => undefined);
  }

  async rename(name: string): Promise<void> {
    this.name = (await nameMe(name)).name;
  }
}

export const me = new Me();
