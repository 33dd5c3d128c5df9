// A media query whose answer components can follow.
import { createSubscriber } from "svelte/reactivity";

export function media(query: string): { readonly matches: boolean } {
  const list = matchMedia(query);
  const subscribe = createSubscriber((update) => {
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  });
  return {
    get matches() {
      subscribe();
      return list.matches;
    },
  };
}
