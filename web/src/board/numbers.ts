// Places called by the numbers of their row and column, `(4,3)`, instead of what the game calls them.

import type { BoardPicture } from "../protocol/types.ts";

/** What a board calls its places. */
export type PlaceNames = Pick<BoardPicture, "layout" | "places" | "rows" | "columns">;

/** What means something in a pattern; nothing else may be escaped there. */
const SYNTAX = /[$()*+./?[\\\]^|]/g;

/** The number of a row or column: its name if that is one, otherwise its place from 1. */
function numberOf(name: string, index: number): string {
  return /^\d+$/.test(name) ? String(Number(name)) : String(index + 1);
}

/** The same board, its places called by numbers. Tiles are not pointed at one by one: nobody names their places. */
export function numbered<Board extends PlaceNames>(picture: Board): Board {
  if (picture.layout === "tiles") return picture;
  const [rows, columns] = [picture.rows.map(numberOf), picture.columns.map(numberOf)];
  return { ...picture, places: "({row},{column})", rows, columns };
}

function oneOf(names: readonly string[]): string {
  const escaped = names.map((name) => name.replace(SYNTAX, "\\$&"));
  return escaped.sort((one, other) => other.length - one.length).join("|");
}

/** What moves of `picture` are called, in which places are called as the game does, once they are called by numbers. */
export function numberedMoves(picture: PlaceNames): (token: string) => string {
  if (picture.layout === "tiles") return (token) => token;
  const pattern = picture.places
    .replace(SYNTAX, "\\$&")
    .replace("{row}", `(?<row>${oneOf(picture.rows)})`)
    .replace("{column}", `(?<column>${oneOf(picture.columns)})`);
  const place = new RegExp(pattern, "gu");
  const { rows, columns } = numbered(picture);
  const called = (...match: unknown[]): string => {
    const { row = "", column = "" } = match.at(-1) as Record<string, string>;
    return `(${rows[picture.rows.indexOf(row)]},${columns[picture.columns.indexOf(column)]})`;
  };
  // Two places that stand side by side are told apart.
  return (token) => token.replace(place, called).replaceAll(")(", ")-(");
}

/** The numbers of the places in a text, in their order. */
function pairs(text: string): string {
  return [...text.matchAll(/(\d+)\s*[,;]\s*(\d+)/g)]
    .map(([, row, column]) => `${Number(row)},${Number(column)}`)
    .join(" ");
}

/**
 * What somebody means who writes a move by numbers: the one of `tokens` that is called so, or the text with places as
 * the game calls them, so that it can say what is wrong.
 */
export function readNumbered(picture: PlaceNames, tokens: readonly string[], text: string): string {
  const wanted = pairs(text);
  if (wanted === "" || picture.layout === "tiles") return text;
  const called = numberedMoves(picture);
  const isBlock = text.trim().startsWith("@");
  const meant = tokens.find((token) => pairs(called(token)) === wanted && token.startsWith("@") === isBlock);
  if (meant !== undefined) return meant;
  const { rows, columns } = numbered(picture);
  const named = (written: string, row: string, column: string): string => {
    const [at, across] = [rows.indexOf(String(Number(row))), columns.indexOf(String(Number(column)))];
    const names = [picture.rows[at], picture.columns[across]] as const;
    if (names[0] === undefined || names[1] === undefined) return written;
    return picture.places.replace("{row}", names[0]).replace("{column}", names[1]);
  };
  return text.replace(/\(?\s*(\d+)\s*[,;]\s*(\d+)\s*\)?/g, named);
}
