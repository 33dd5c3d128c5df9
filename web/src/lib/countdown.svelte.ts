// Time that runs out, as components show it.

const TICK = 200;

/**
 * What is left until a moment on the clock of `performance.now()`; null if there is none. Call it while a
 * component is made.
 */
export function countdown(deadline: () => number | null): { readonly millis: number | null } {
  let now = $state(performance.now());
  const isRunning = $derived(deadline() !== null);
  $effect(() => {
    if (!isRunning) return;
    now = performance.now();
    const timer = setInterval(() => (now = performance.now()), TICK);
    return () => clearInterval(timer);
  });
  return {
    get millis() {
      const at = deadline();
      return at === null ? null : Math.max(0, at - now);
    },
  };
}
