// Pages by path, with the History API. Links are plain <a href>, relative to where the app lives (the page's <base>):
// at the root of a server, or in any folder of a static host. Clicks on them are caught here.
import { link } from "../connection/live.svelte.ts";
import { HOME } from "./home.ts";
import { markLocal } from "./place.svelte.ts";

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
    .filter((part) => part !== "" && part !== ".")
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

/** The part of an address that names a page of the app. A static host has a folder with an index for each. */
function pathOf(pathname: string): string {
  const path = pathname.startsWith(HOME) ? pathname.slice(HOME.length) : pathname;
  return path.replace(/index\.html$/, "");
}

/** The address of a page. */
function addressOf(path: string): URL {
  return new URL(path, new URL(HOME, location.origin));
}

/** A game that is played in this browser is named in the query: a host for files has one page for all of them. */
function routeHere(): Route {
  const route = routeOf(pathOf(location.pathname));
  const game = new URLSearchParams(location.search).get("local");
  const isGame = route.page === "missing" && /(^|\/)game\/?$/.test(pathOf(location.pathname));
  if (!isGame || game === null) return route;
  markLocal(game);
  return { page: "table", table: game };
}

function here(): Place {
  return {
    route: routeHere(),
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

/** Goes to another page, such as `game/ID`; in place of this one where going back here would lead nowhere. */
export function navigate(path: string, inPlace = false): void {
  const address = addressOf(path);
  // A server with a newer app gets its chance when nothing is lost by it.
  if (link.outdated) return inPlace ? location.replace(address) : location.assign(address);
  if (inPlace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
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
  // Not the hash alone, which would be read relative to the <base>.
  history.replaceState(history.state, "", location.pathname + location.search + (hash === "" ? "" : `#${hash}`));
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
    // With a <base>, a link within the page would lead to another one.
    const target = anchor.getAttribute("href");
    if (target?.startsWith("#")) {
      event.preventDefault();
      document.getElementById(target.slice(1))?.scrollIntoView();
      return;
    }
    if (anchor.pathname === location.pathname && anchor.search === location.search && anchor.hash !== "") return;
    if (anchor.pathname.startsWith("/api/") || !anchor.pathname.startsWith(HOME)) return;
    event.preventDefault();
    navigate(anchor.href);
  });
}
