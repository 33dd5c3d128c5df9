// The position on screen as a file: a drawing (SVG), or an image made from it (PNG).
import { mount, unmount } from "svelte";

import BoardThumb from "../board/BoardThumb.svelte";
import type { BoardThumbProps } from "../board/index.ts";

export type PictureKind = "svg" | "png";

/** How many pixels wide an image is. */
const WIDTH = 1200;

/** What style sheets say about shapes and text. All of it is inherited, so that a child need not repeat its parent. */
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

/** Draws a board that can be shown outside of the page, without its style sheets. */
export function drawBoard(look: BoardThumbProps): string {
  const room = document.createElement("div");
  // Styles are known only of what is part of the page.
  room.className = "hidden";
  document.body.append(room);
  const board = mount(BoardThumb, { target: room, props: look });
  const svg = room.querySelector("svg");
  const text = svg ? standalone(svg) : "";
  void unmount(board);
  room.remove();
  return text;
}

function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const name of ["class", "role", "aria-hidden"]) copy.removeAttribute(name);
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(WIDTH));
  copy.setAttribute("height", String(Math.round((WIDTH * height) / width)));
  const copies = [copy, ...copy.querySelectorAll("*")];
  [svg, ...svg.querySelectorAll("*")].forEach((shape, index) => {
    const target = copies[index];
    if (!target) return;
    target.removeAttribute("class");
    const own = getComputedStyle(shape);
    const parent = shape === svg ? null : getComputedStyle(shape.parentElement ?? svg);
    for (const name of LOOKS) {
      const value = own.getPropertyValue(name);
      if (value === (parent?.getPropertyValue(name) ?? "")) target.removeAttribute(name);
      else target.setAttribute(name, value);
    }
  });
  return new XMLSerializer().serializeToString(copy);
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
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name}.${kind}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
