// The texts that tests look for, in the language of the page.
import { en } from "../src/i18n/en.ts";
import { he } from "../src/i18n/he.ts";

export type Language = "en" | "he";

export function words(language: Language): Record<keyof typeof en, string> {
  return language === "he" ? he : en;
}
