// What went wrong, in words.
import { ApiError } from "./api.ts";
import { Refusal } from "../connection/connection.ts";
import { t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";
import type { Message } from "../protocol/types.ts";

export interface Trouble {
  /** In the language on screen, whenever it is read: the texts of the server may arrive after its refusal. */
  readonly text: string;
  /** The field of the form that is wrong, as the server names it; null if none is. */
  readonly field: string | null;
}

export function troubleOf(error: unknown, game?: string): Trouble {
  if (error instanceof Refusal) return said(error.reason, game, null);
  if (error instanceof ApiError && error.problem) return said(error.problem.message, game, error.problem.field ?? null);
  return {
    get text() {
      return t("app.noAnswer");
    },
    field: null,
  };
}

function said(message: Message, game: string | undefined, field: string | null): Trouble {
  return {
    get text() {
      return say(message, game);
    },
    field,
  };
}
