// What went wrong, in words.
import { ApiError } from "./api.ts";
import { Refusal } from "../connection/connection.ts";
import { t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";

export interface Trouble {
  text: string;
  /** The field of the form that is wrong, as the server names it; null if none is. */
  field: string | null;
}

export function troubleOf(error: unknown, game?: string): Trouble {
  if (error instanceof Refusal) return { text: say(error.reason, game), field: null };
  if (error instanceof ApiError && error.problem) {
    return { text: say(error.problem.message, game), field: error.problem.field ?? null };
  }
  return { text: t("app.noAnswer"), field: null };
}
