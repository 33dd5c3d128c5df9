// The page's connection, with its status for components to show.
import { isStatic } from "../lib/place.svelte.ts";
import { Connection, type Socket, type Status } from "./connection.ts";

const RELOADED = "agon.reloaded-for-version";

export const link = $state<{
  status: Status;
  /** The server has a newer app: the next change of page loads it. */
  outdated: boolean;
}>({ status: "connecting", outdated: false });

function reloadOnce(): void {
  // If a fresh page still speaks another version, loading it again and again would not help.
  if (sessionStorage.getItem(RELOADED)) return;
  sessionStorage.setItem(RELOADED, "yes");
  location.reload();
}

export const connection = new Connection({
  connect: () => {
    const url = new URL("/ws", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    return new WebSocket(url) as unknown as Socket;
  },
  onstatus: (status) => {
    link.status = status;
    if (status === "open") sessionStorage.removeItem(RELOADED);
  },
  onversion: reloadOnce,
  onbuild: () => void (link.outdated = true),
  random: Math.random,
  newId: () => crypto.getRandomValues(new Uint32Array(4)).reduce((id, part) => id + part.toString(36), ""),
});

export function startConnection(): void {
  // A host for files has nobody to connect to.
  if (isStatic) return;
  connection.start();
  addEventListener("online", () => connection.hurry());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") connection.hurry();
  });
}
