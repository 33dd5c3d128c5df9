// The position on screen as a file: a drawing (SVG), or an image made from it (PNG).
import { mount, unmount } from "svelte";

import BoardThumb from "../board/BoardThumb.svelte";
import type { BoardThumbProps } from "../board/index.ts";
import { saveFile, standaloneSvg } from "../lib/svg.ts";

export type PictureKind = "svg" | "png";

/** How many pixels wide an image is. */
const WIDTH = 1200;

/** Draws a board that can be shown outside of the page, without its style sheets. */
export function drawBoard(look: BoardThumbProps): string {
  const room = document.createElement("div");
  // Styles are known only of what is part of the page.
  room.className = "hidden";
  document.body.append(room);
  const board = mount(BoardThumb, { target: room, props: look });
  const svg = room.querySelector("svg");
  const text = svg ? standaloneSvg(svg, WIDTH) : "";
  void unmount(board);
  room.remove();
  return text;
}

/** The drawing as an image. */
async function paint(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no image"))), "image/png"),
  );
}

/** Lets the browser save a picture of a board as `name.svg` or `name.png`. */
export async function savePicture(look: BoardThumbProps, name: string, kind: PictureKind): Promise<void> {
  const svg = drawBoard(look);
  const file = kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await paint(svg);
  saveFile(file, `${name}.${kind}`);
}
