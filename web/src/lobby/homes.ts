// Where the homes of the seats lie in the picture of a board.
import { BARE_FRAME, Geometry } from "../board/geometry.ts";
import type { GameInfo } from "../protocol/types.ts";

export interface Home {
  seat: number;
  /** The style of the pieces that start here. */
  token: string;
  /** Its middle, in percent of the picture. */
  left: number;
  top: number;
}

/** The homes of all seats; none where pieces of several seats start side by side. */
export function homesOf(info: GameInfo, turned: number): Home[] {
  if (info.start.layout !== "star") return [];
  const geometry = new Geometry(info.start, turned, BARE_FRAME);
  const { x, y, width, height } = geometry.box;
  return info.seats.flatMap((state, seat) =>
    state.styles.flatMap((token): Home[] => {
      const points = info.start.cells.filter((cell) => cell.piece?.style === token).map(({ at }) => geometry.at(at));
      if (points.length === 0) return [];
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const left = ((mean(points.map((point) => point.x)) - x) / width) * 100;
      const top = ((mean(points.map((point) => point.y)) - y) / height) * 100;
      return [{ seat, token, left, top }];
    }),
  );
}
