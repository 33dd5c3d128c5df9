// An organiser at this browser. The admin token is kept for this tab only, and never leaves it but as a header.
import { ApiError } from "../lib/api.ts";
import type { ArenaDesk } from "../protocol/types.ts";
import { readDesk } from "./api.ts";

const STORED = "agon.admin-token";

class Admin {
  /** The token; empty for everybody else. */
  token = $state(sessionStorage.getItem(STORED) ?? "");
  /** What can be worked with; null until the server has accepted the token. */
  desk = $state.raw<ArenaDesk | null>(null);

  /** Rejects if the server does not accept the token. */
  async signIn(token: string): Promise<void> {
    this.desk = await readDesk(token);
    this.token = token;
    sessionStorage.setItem(STORED, token);
  }

  signOut(): void {
    this.desk = null;
    this.token = "";
    sessionStorage.removeItem(STORED);
  }

  /** Reads anew what there is. A token that is not accepted any more is forgotten. */
  async refresh(): Promise<void> {
    if (this.token === "") return;
    await this.signIn(this.token).catch((error: unknown) => {
      // A server that does not answer for a while takes nobody's token away.
      if (error instanceof ApiError && error.problem) this.signOut();
    });
  }
}

export const admin = new Admin();
