// Where values stand on the axis of a plot.

export interface Scale {
  /** The place of a value along the axis, in percent. */
  place(value: number): number;
  /** Round numbers to be named beside the axis. */
  ticks: readonly number[];
}

/** Room at both ends in percent, so that dots and labels are not cut. */
export interface Margins {
  start: number;
  end: number;
}

const MARGINS: Margins = { start: 6, end: 6 };
const MOST_TICKS = 5;

/** An axis on which all values fit. */
export function linear(values: readonly number[], margins = MARGINS): Scale {
  const [low, high] = ends(values);
  const step = niceStep((high - low) / MOST_TICKS);
  const ticks: number[] = [];
  // Whole multiples, so that no error adds up; the sum does away with a negative zero.
  for (
    let index = Math.ceil(low / step);
    index * step <= high * (1 + 1e-12) && ticks.length <= 2 * MOST_TICKS;
    index += 1
  )
    ticks.push(Number((index * step).toPrecision(12)) + 0);
  return { place: placer(low, high, margins), ticks };
}

/**
 * The same for ratios: twice as much is as far from 1 as half as much. Values that are not above zero stand at
 * its lower end.
 */
export function logarithmic(values: readonly number[], margins = MARGINS): Scale {
  const [low, high] = ends(values.filter((value) => value > 0).map(Math.log10));
  const place = placer(low, high, margins);
  return { place: (value) => place(value > 0 ? Math.log10(value) : low), ticks: logTicks(low, high) };
}

function ends(values: readonly number[]): [number, number] {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [0, 1];
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  // Values that are all the same stand in the middle.
  return high > low ? [low, high] : [low - 0.5, high + 0.5];
}

function placer(low: number, high: number, { start, end }: Margins): (value: number) => number {
  return (value) => start + ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (100 - start - end);
}

/** The smallest of 1, 2, 5, 10, 20 and so on that is not below `least`. */
function niceStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least));
  return decade * ([1, 2, 5].find((step) => step * decade >= least * (1 - 1e-9)) ?? 10);
}

/** Below so many powers of ten, a logarithmic axis has about the same round numbers as any other. */
const NARROW = 0.5;

/** Round numbers between two powers of ten, as many as there is room for. */
function logTicks(low: number, high: number): readonly number[] {
  if (high - low < NARROW) return linear([10 ** low, 10 ** high]).ticks;
  const round = (mantissas: readonly number[], every: number): number[] => {
    const found: number[] = [];
    for (let decade = Math.floor(low); decade <= high; decade += 1) {
      if (decade % every !== 0) continue;
      for (const mantissa of mantissas) {
        const tick = Number((mantissa * 10 ** decade).toPrecision(3));
        if (Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9) found.push(tick);
      }
    }
    return found;
  };
  const choices = [
    round([1, 1.5, 2, 3, 5], 1),
    round([1, 2, 5], 1),
    round([1, 3], 1),
    round([1], 1),
    round([1], 2),
    round([1], 4),
    round([1], 8),
  ];
  return choices.find((ticks) => ticks.length <= MOST_TICKS) ?? [];
}
