// Where ratings stand on the axis of a plot.

export interface Rated {
  elo: number;
  /** Half of the 95% interval. */
  error: number;
}

export interface Scale {
  /** The place of a rating along the axis, in percent. */
  place(elo: number): number;
  /** Round numbers to be named below the axis. */
  ticks: readonly number[];
}

/** Room at both ends, so that dots and labels are not cut. */
const MARGIN = 6;
const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000];
const MOST_TICKS = 5;

/** An axis on which all intervals fit, and zero, the mean of all players. */
export function scaleFor(rated: readonly Rated[]): Scale {
  const low = Math.min(0, ...rated.map(({ elo, error }) => elo - error));
  const high = Math.max(0, ...rated.map(({ elo, error }) => elo + error));
  const span = Math.max(1, high - low);
  const step = STEPS.find((size) => span / size <= MOST_TICKS) ?? span;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick + 0);
  return { place: (elo) => MARGIN + ((elo - low) / span) * (100 - 2 * MARGIN), ticks };
}
