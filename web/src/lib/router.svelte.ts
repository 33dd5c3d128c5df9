// Pages by path, with the History API. Links are plain <a href>; clicks on them are caught here.
import { link } from "../connection/live.svelte.ts";

export type Route =
  | { page: "home" | "watch" | "lobbies" | "arena" | "studies" | "me" | "settings" | "missing" }
  | { page: "about" | "new" | "rules" | "tree"; game: string }
  | { page: "table"; table: string }
  | { page: "lobby"; lobby: string }
  | { page: "join"; key: string }
  | { page: "study"; study: string }
  | { page: "tournament"; tournament: string }
  | { page: "author"; tournament: string; key: string };

const NAMES = ["watch", "lobbies", "arena", "studies", "me", "settings"] as const;
/** Words that lead somewhere only with another word behind them, and are no names of games. */
const PLACES = ["game", "lobby", "join", "rules", "tree"];

/** The page of a path. Any other single word may be the name of a game; its page finds out. */
export function routeOf(path: string): Route {
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  const [first, second, third] = parts;
  if (first === undefined) return { page: "home" };
  if (second !== undefined && parts.length === 2) {
    if (first === "game") return { page: "table", table: second };
    if (first === "lobby") return { page: "lobby", lobby: second };
    if (first === "join") return { page: "join", key: second };
    if (first === "arena") return { page: "tournament", tournament: second };
    if (first === "studies") return { page: "study", study: second };
    if (first === "rules") return { page: "rules", game: second };
    if (first === "tree") return { page: "tree", game: second };
  }
  if (parts.length === 1) {
    const name = NAMES.find((known) => known === first);
    return name ? { page: name } : PLACES.includes(first) ? { page: "missing" } : { page: "about", game: first };
  }
  if (first === "arena" && second !== undefined && third !== undefined && parts.length === 3)
    return { page: "author", tournament: second, key: third };
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
  return {
    route: routeOf(location.pathname),
    query: new URLSearchParams(location.search),
    hash: location.hash.slice(1),
  };
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

/** Goes to another page; in place of this one where going back here would lead nowhere. */
export function navigate(path: string, inPlace = false): void {
  // A server with a newer app gets its chance when nothing is lost by it.
  if (link.outdated) return inPlace ? location.replace(path) : location.assign(path);
  if (inPlace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  place = here();
  scrollTo(0, 0);
}

/** Changes one part of the query without a new entry in the history; an empty value takes it away. */
export function setQuery(name: string, value: string): void {
  const query = new URLSearchParams(location.search);
  if (value === "") query.delete(name);
  else query.set(name, value);
  const text = query.toString();
  history.replaceState(history.state, "", location.pathname + (text === "" ? "" : `?${text}`) + location.hash);
  place = { ...here(), route: place.route };
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
    if (
      !anchor ||
      event.defaultPrevented ||
      event.button !== 0 ||
      anchor.target !== "" ||
      anchor.hasAttribute("download")
    )
      return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || anchor.origin !== location.origin) return;
    if (anchor.pathname === location.pathname && anchor.search === location.search && anchor.hash !== "") return;
    if (anchor.pathname.startsWith("/api/")) return;
    event.preventDefault();
    navigate(anchor.pathname + anchor.search + anchor.hash);
  });
}
