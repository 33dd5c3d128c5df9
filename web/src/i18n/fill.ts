// Texts with placeholders in braces, as the catalogues of the app, of games and of the server have them.

export type Arguments = Record<string, string | number>;

/** Fills the placeholders of `text`; one without a value stays as it is, so that its lack is seen. */
export function fill(text: string, value: (name: string) => string | undefined): string {
  return text.replace(/\{([a-zA-Z0-9-]+)\}/g, (whole, name: string) => value(name) ?? whole);
}

/** The names of the placeholders of `text`, sorted. */
export function placeholders(text: string): string[] {
  return [...text.matchAll(/\{([a-zA-Z0-9-]+)\}/g)].map((match) => match[1] ?? "").sort();
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Keeps `text`, a name or a move, from being reordered inside right-to-left text, and a Hebrew name from
 * reordering English text.
 */
export function isolate(text: string, rightToLeft: boolean): string {
  return rightToLeft || RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** The names that {@link isolate} kept apart inside `text`, and what is around them; all of it if there are none. */
export function partsOf(text: string): { text: string; isName: boolean }[] {
  const isMixed = text.includes("\u2068");
  return text
    .split(/(\u2068.*\u2069)/)
    .filter((part) => part !== "")
    .map((part) => ({
      text: part.replace(/^\u2068(.*)\u2069$/, "$1"),
      isName: !isMixed || part.startsWith("\u2068"),
    }));
}
