// Pages by path, with the History API. Links are plain <a href>; clicks on them are caught here.
import { link } from "../connection/live.svelte.ts";

export type Route =
  | { page: "home" | "watch" | "me" | "settings" | "missing" }
  | { page: "about" | "new"; game: string }
  | { page: "table"; table: string };

const NAMES = ["watch", "me", "settings"] as const;

/** The page of a path. Any other single word may be the name of a game; its page finds out. */
export function routeOf(path: string): Route {
  const parts = path.split("/").filter((part) => part !== "").map(decode);
  const [first, second] = parts;
  if (first === undefined) return { page: "home" };
  if (first === "game" && second !== undefined && parts.length === 2) return { page: "table", table: second };
  if (parts.length === 1) {
    const name = NAMES.find((known) => known === first);
    return name ? { page: name } : first === "game" ? { page: "missing" } : { page: "about", game: first };
  }
  return parts.length === 2 && second === "new" ? { page: "new", game: first } : { page: "missing" };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface Place {
  route: Route;
  query: URLSearchParams;
  hash: string;
}

function here(): Place {
  return { route: routeOf(location.pathname), query: new URLSearchParams(location.search), hash: location.hash.slice(1) };
}

let place = $state.raw(here());

/** Where we are. */
export const router = {
  get route(): Route {
    return place.route;
  },
  get query(): URLSearchParams {
    return place.query;
  },
  get hash(): string {
    return place.hash;
  },
};

export function navigate(path: string): void {
  // A server with a newer app gets its chance when nothing is lost by it.
  if (link.outdated) return location.assign(path);
  history.pushState(null, "", path);
  place = here();
  scrollTo(0, 0);
}

/** Changes the part after `#` without a new entry in the history. */
export function setHash(hash: string): void {
  history.replaceState(history.state, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  // The route stays the same object: nobody has gone to another page, so the focus stays where it is.
  place = { ...place, hash };
}

export function startRouter(): void {
  addEventListener("popstate", () => (place = here()));
  document.addEventListener("click", (event) => {
    const anchor = (event.target as Element | null)?.closest?.("a");
    if (!anchor || event.defaultPrevented || event.button !== 0 || anchor.target !== "" || anchor.hasAttribute("download")) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || anchor.origin !== location.origin) return;
    if (anchor.pathname === location.pathname && anchor.search === location.search && anchor.hash !== "") return;
    if (anchor.pathname.startsWith("/api/")) return;
    event.preventDefault();
    navigate(anchor.pathname + anchor.search + anchor.hash);
  });
}
