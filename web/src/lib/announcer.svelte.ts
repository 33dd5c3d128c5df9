// What screen readers are told: politely at most once a second, and at once where it cannot wait.

const SPACING = 1000;
/** Of things that pile up within a second only the last few are still news. */
const BACKLOG = 3;

export const announced = $state({ polite: "", assertive: "" });

let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function flush(): void {
  timer = undefined;
  if (waiting.length === 0) return;
  announced.polite = waiting.join(" ");
  waiting = [];
  timer = setTimeout(flush, SPACING);
}

export function announce(text: string): void {
  if (text === "") return;
  waiting = [...waiting, text].slice(-BACKLOG);
  // A screen reader stays silent if the same text is set again, so the region is emptied first.
  if (!timer) {
    announced.polite = "";
    timer = setTimeout(flush, 50);
  }
}

export function interrupt(text: string): void {
  announced.assertive = "";
  setTimeout(() => (announced.assertive = text), 50);
}
