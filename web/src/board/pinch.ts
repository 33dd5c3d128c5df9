// Pinching with two fingers, and turning the wheel while Ctrl is held, which is how touchpads tell of a pinch.

/** Tells by what factor to zoom, and around which point of the screen. */
export type OnPinch = (factor: number, clientX: number, clientY: number) => void;

/** How far the wheel turns for a factor of e. */
const WHEEL = 300;

function spread(touches: TouchList): { distance: number; x: number; y: number } | null {
  const [one, other] = [touches[0], touches[1]];
  if (!one || !other) return null;
  return {
    distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    x: (one.clientX + other.clientX) / 2,
    y: (one.clientY + other.clientY) / 2,
  };
}

/** Watches an element; returns how to stop. */
export function watchPinch(area: HTMLElement, onPinch: OnPinch): () => void {
  let last: number | null = null;
  const start = (event: TouchEvent): void => {
    last = spread(event.touches)?.distance ?? null;
  };
  const move = (event: TouchEvent): void => {
    const now = spread(event.touches);
    if (!now || !last) return;
    event.preventDefault();
    onPinch(now.distance / last, now.x, now.y);
    last = now.distance;
  };
  const wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    onPinch(Math.exp(-event.deltaY / WHEEL), event.clientX, event.clientY);
  };
  // The page itself would zoom otherwise.
  const active = { passive: false };
  area.addEventListener("touchstart", start);
  area.addEventListener("touchmove", move, active);
  area.addEventListener("touchend", start);
  area.addEventListener("wheel", wheel, active);
  return () => {
    area.removeEventListener("touchstart", start);
    area.removeEventListener("touchmove", move);
    area.removeEventListener("touchend", start);
    area.removeEventListener("wheel", wheel);
  };
}
