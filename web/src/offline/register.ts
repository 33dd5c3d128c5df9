// Keeps the app for days without a network, where browsers allow that: not over plain http in a local network.

export function keepApp(): void {
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  if (!import.meta.env.PROD || !workers) return;
  // A page without it works all the same.
  workers.register(new URL("sw.js", document.baseURI), { updateViaCache: "none" }).catch(() => undefined);
}
