// Who sits at this browser, as the server knows it.
import { nameMe, whoAmI } from "./api.ts";

class Me {
  /** The name; empty if nobody has said it, null while it is not known. */
  name = $state<string | null>(null);
  #asked: Promise<void> | null = null;

  load(): void {
    void this.#ask();
  }

  #ask(): Promise<void> {
    this.#asked ??= whoAmI().then(
      ({ name }) => void (this.name = name),
      () => void (this.#asked = null),
    );
    return this.#asked;
  }

  /** The name, as soon as it is known; empty if nobody has said it. */
  async known(): Promise<string> {
    await this.#ask();
    return this.name ?? "";
  }

  /** Keeps the name under which somebody plays, if nobody has said one before. */
  async introduce(name: string): Promise<void> {
    if (this.name === "" && name !== "") await this.rename(name).catch(() => undefined);
  }

  async rename(name: string): Promise<void> {
    this.name = (await nameMe(name)).name;
  }
}

export const me = new Me();
