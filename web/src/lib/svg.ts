// Drawings on the page as files of their own: what style sheets say about them is written into them.

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

/**
 * The text of a drawing that looks the same outside of the page, so many pixels wide; on a ground of that
 * colour, if there is one.
 */
export function standaloneSvg(svg: SVGSVGElement, width: number, ground: string | null = null): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const name of ["class", "style", "role", "aria-hidden"]) copy.removeAttribute(name);
  const box = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(Math.round((width * box.height) / box.width)));
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
  if (ground !== null) {
    const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const look = { x: box.x, y: box.y, width: box.width, height: box.height, fill: ground };
    for (const [name, value] of Object.entries(look)) back.setAttribute(name, String(value));
    copy.prepend(back);
  }
  return new XMLSerializer().serializeToString(copy);
}

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
