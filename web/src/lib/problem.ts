// What went wrong, in words.
import { Refusal } from "../connection/connection.ts";
import { t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";
import type { Message, RefusalCode } from "../protocol/types.ts";
import { ApiError } from "./api.ts";
import { isStatic } from "./place.svelte.ts";

export interface Trouble {
  /** In the language on screen, whenever it is read: the texts of the server may arrive after its refusal. */
  readonly text: string;
  /** The field of the form that is wrong, as the server names it; null if none is. */
  readonly field: string | null;
  /** A value that would do instead, where the server has found one: a free name for one that is taken. */
  readonly suggestion: string | null;
}

export function troubleOf(error: unknown, game?: string): Trouble {
  if (error instanceof Refusal) return describe(error.code, error.reason, error.field, game);
  if (error instanceof ApiError && error.problem) {
    const { code, message, field } = error.problem;
    return describe(code, message, field ?? null, game);
  }
  return {
    get text() {
      return t(isStatic ? "here.failed" : "app.noAnswer");
    },
    field: null,
    suggestion: null,
  };
}

function describe(code: RefusalCode, message: Message, field: string | null, game: string | undefined): Trouble {
  const free = code === "taken" ? message.arguments?.["name"] : undefined;
  return {
    get text() {
      return say(message, game);
    },
    field,
    suggestion: typeof free === "string" ? free : null,
  };
}
