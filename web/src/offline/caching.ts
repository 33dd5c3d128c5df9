// What the service worker does with a request. Pure, so that it can be tested without a browser.

/** How a request is answered. */
export type Way =
  /** The page itself: the newest there is, and the kept one without a network. */
  | "page"
  /** Texts and catalogues: like the page, each by its own address. */
  | "fresh"
  /** Files whose names change with their content: the kept one is as good as any. */
  | "kept"
  /** What the service worker has nothing to do with. */
  | "pass";

/** What a server answers that does not change while it runs, and that games in this browser need. */
const TEXTS = /^api\/v1\/(catalogue|messages)(\/|\?|$)|^catalogue\//;
const HASHED = /^(assets|modules|weights)\//;

/** How a request is answered whose address is `url`, for an app that lives in `home`. */
export function wayOf(url: URL, home: URL, method: string, isNavigation: boolean): Way {
  if (method !== "GET" || url.origin !== home.origin || !url.pathname.startsWith(home.pathname)) return "pass";
  const path = url.pathname.slice(home.pathname.length) + url.search;
  if (isNavigation) return path.startsWith("api/") ? "pass" : "page";
  if (HASHED.test(path)) return "kept";
  return TEXTS.test(path) || /^(icon[^/]*|manifest\.webmanifest)$/.test(path) ? "fresh" : "pass";
}

/** The caches that go when the one of `version` has been filled: all but it, the one before it, and what is shared. */
export function outdated(names: readonly string[], version: string, shared: readonly string[]): string[] {
  const versions = names.filter((name) => !shared.includes(name) && name !== version);
  return versions.slice(0, -1);
}
