// A board on a test's page.

import { flushSync, mount, settled, unmount } from "svelte";

import type { Gesture, Spot } from "../../protocol/types.ts";
import { BOARD_TEXTS, type BoardCommand, type InteractiveBoardProps } from "../api.ts";
import { Geometry } from "../geometry.ts";
import InteractiveBoard from "../InteractiveBoard.svelte";

/** What has been reported. */
export interface Heard {
  moves: string[];
  refused: Gesture[];
  said: string[];
  commands: BoardCommand[];
  chosen: (readonly Spot[])[];
}

/** A mounted board. */
export class TestBoard {
  readonly heard: Heard = { moves: [], refused: [], said: [], commands: [], chosen: [] };
  readonly props: InteractiveBoardProps;
  readonly root: HTMLElement;
  readonly #app: { focus: () => void };

  /** `isFocused`: the focus is given to it at once, before it is drawn. */
  constructor(
    given: Pick<InteractiveBoardProps, "picture" | "facts" | "styles"> & Partial<InteractiveBoardProps>,
    isFocused = false,
  ) {
    this.props = $state({
      interactive: true,
      label: "Board",
      motion: false,
      t: (key, params = {}) => BOARD_TEXTS[key].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
      say: (name) => name.replace(/^\w+\./, ""),
      onMove: (token) => this.heard.moves.push(token),
      onIllegal: (gesture) => this.heard.refused.push(gesture),
      onAnnounce: (text) => this.heard.said.push(text),
      onCommand: (command) => this.heard.commands.push(command),
      onChosen: (spots) => this.heard.chosen.push(spots),
      ...given,
    });
    this.root = document.createElement("div");
    document.body.append(this.root);
    this.#app = mount(InteractiveBoard, { target: this.root, props: this.props });
    if (isFocused) this.#app.focus();
    flushSync();
    const box = new Geometry(this.props.picture, this.props.turned ?? 0).box;
    // Pixels are units here, so that tests can point at places.
    this.grid.getBoundingClientRect = () =>
      ({ left: box.x, top: box.y, width: box.width, height: box.height }) as DOMRect;
    this.grid.setPointerCapture = () => undefined;
  }

  /** Gives the focus to the board, as a page does. */
  async takeFocus(): Promise<void> {
    this.#app.focus();
    await settled();
  }

  close(): void {
    void unmount(this.#app);
    this.root.remove();
  }

  get grid(): SVGSVGElement {
    return this.find<SVGSVGElement>('[role="grid"]');
  }

  find<Found extends Element>(selector: string): Found {
    const found = this.root.querySelector<Found>(selector);
    if (!found) throw new Error(`nothing matches ${selector}`);
    return found;
  }

  all(selector: string): Element[] {
    return [...this.root.querySelectorAll(selector)];
  }

  /** The place that Tab leads to. */
  get focus(): string {
    return this.find('[role="gridcell"][tabindex="0"]').getAttribute("aria-label") ?? "";
  }

  cell(label: string): SVGElement {
    return this.find<SVGElement>(`[role="gridcell"][aria-label^="${label}"]`);
  }

  /** A click as screen readers make it. */
  click(label: string): void {
    this.cell(label).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    flushSync();
  }

  key(code: string, more: KeyboardEventInit = {}): void {
    const target = this.root.querySelector('[role="gridcell"][tabindex="0"]') ?? this.grid;
    target.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true, ...more }));
    flushSync();
  }

  pointer(type: string, at: { x: number; y: number }, pointerType = "mouse"): void {
    const event = new PointerEvent(type, {
      bubbles: true,
      pointerId: 1,
      pointerType,
      isPrimary: true,
      button: 0,
      clientX: at.x,
      clientY: at.y,
    });
    this.grid.dispatchEvent(event);
    flushSync();
  }

  at(spot: Spot): { x: number; y: number } {
    return new Geometry(this.props.picture, this.props.turned ?? 0).at(spot);
  }

  tap(spot: Spot, pointerType = "mouse"): void {
    this.pointer("pointerdown", this.at(spot), pointerType);
    this.pointer("pointerup", this.at(spot), pointerType);
  }

  drag(from: Spot, to: Spot): void {
    this.pointer("pointerdown", this.at(from));
    this.pointer("pointermove", this.at(to));
    this.pointer("pointerup", this.at(to));
  }

  set(change: Partial<InteractiveBoardProps>): void {
    Object.assign(this.props, change);
    flushSync();
  }
}
