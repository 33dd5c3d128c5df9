// What a visitor prefers, kept in this browser.
import { isRightToLeft, type Language, LANGUAGES, setLanguage } from "../i18n/index.svelte.ts";

export const THEMES = ["auto", "light", "dark", "high-contrast"] as const;
export type Theme = (typeof THEMES)[number];
export const MOTIONS = ["auto", "on", "off"] as const;
export type Motion = (typeof MOTIONS)[number];
/** How places are called: as the game does, usually by a letter and a number, or by the numbers of row and column. */
export const PLACES = ["letters", "numbers"] as const;
export type Places = (typeof PLACES)[number];

export interface Settings {
  theme: Theme;
  language: Language;
  sound: boolean;
  /** Whether to be notified when it is one's turn in a hidden tab. */
  notify: boolean;
  motion: Motion;
  /** Least time between moves of bots that play each other, in milliseconds. */
  pace: number;
  coordinates: boolean;
  places: Places;
  /** Whether good moves against bots are praised. */
  praise: boolean;
}

const STORED = "agon.settings";

function defaults(): Settings {
  const language = navigator.language.startsWith("he") ? "he" : "en";
  return {
    theme: "auto",
    language,
    sound: false,
    notify: false,
    motion: "auto",
    pace: 1000,
    coordinates: true,
    places: "letters",
    praise: true,
  };
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.includes(value as T);
}

/** Reads stored settings, leaving out whatever is not as it should be. */
export function readSettings(text: string | null, fallback: Settings): Settings {
  let stored: Partial<Record<keyof Settings, unknown>> = {};
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (typeof value === "object" && value !== null) stored = value;
  } catch {
    // Somebody else wrote there; the defaults do.
  }
  return {
    theme: isOneOf(THEMES, stored.theme) ? stored.theme : fallback.theme,
    language: isOneOf(LANGUAGES, stored.language) ? stored.language : fallback.language,
    sound: typeof stored.sound === "boolean" ? stored.sound : fallback.sound,
    notify: typeof stored.notify === "boolean" ? stored.notify : fallback.notify,
    motion: isOneOf(MOTIONS, stored.motion) ? stored.motion : fallback.motion,
    pace: typeof stored.pace === "number" && stored.pace >= 0 && stored.pace <= 60_000 ? stored.pace : fallback.pace,
    coordinates: typeof stored.coordinates === "boolean" ? stored.coordinates : fallback.coordinates,
    places: isOneOf(PLACES, stored.places) ? stored.places : fallback.places,
    praise: typeof stored.praise === "boolean" ? stored.praise : fallback.praise,
  };
}

export const settings = $state<Settings>(readSettings(localStorage.getItem(STORED), defaults()));

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const prefersContrast = matchMedia("(prefers-contrast: more)");
const prefersStillness = matchMedia("(prefers-reduced-motion: reduce)");
const system = $state({ dark: false, contrast: false, still: false });

function readSystem(): void {
  system.dark = prefersDark.matches;
  system.contrast = prefersContrast.matches;
  system.still = prefersStillness.matches;
}

/** The theme on screen. */
export function shownTheme(): Exclude<Theme, "auto"> {
  if (settings.theme !== "auto") return settings.theme;
  if (system.contrast) return "high-contrast";
  return system.dark ? "dark" : "light";
}

/** Whether things move. */
export function moves(): boolean {
  return settings.motion === "auto" ? !system.still : settings.motion === "on";
}

/** Applies the settings to the page and keeps doing so. The link `?lang=he` changes the language for good. */
export async function startSettings(): Promise<void> {
  const asked = new URLSearchParams(location.search).get("lang");
  if (isOneOf(LANGUAGES, asked)) settings.language = asked;
  readSystem();
  for (const query of [prefersDark, prefersContrast, prefersStillness]) query.addEventListener("change", readSystem);
  await setLanguage(settings.language);
  $effect.root(() => {
    $effect(() => localStorage.setItem(STORED, JSON.stringify(settings)));
    $effect(() => {
      const root = document.documentElement;
      root.dataset["theme"] = shownTheme();
      root.lang = settings.language;
      root.dir = isRightToLeft(settings.language) ? "rtl" : "ltr";
    });
    $effect(() => void setLanguage(settings.language));
  });
}
