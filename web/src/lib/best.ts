// The best score of each game in this browser.

function keyOf(game: string): string {
  return `agon.best.${game}`;
}

export function bestOf(game: string): number {
  return Number(localStorage.getItem(keyOf(game)) ?? 0) || 0;
}

/** Keeps `score` if it is better than the best one. */
export function keepBest(game: string, score: number): void {
  localStorage.setItem(keyOf(game), String(Math.max(bestOf(game), score)));
}
