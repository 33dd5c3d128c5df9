// Turns pointer and keys into what somebody does at a board.

import { tick } from "svelte";

import type { Heading, Spot } from "../protocol/types.ts";
import type { Animator } from "./animator.svelte.ts";
import type { InteractiveBoardProps } from "./api.ts";
import { type Geometry, keyOf, type Place, type Point, pointAt } from "./geometry.ts";
import { actionOf, goFrom, nextOf, type Way } from "./keys.ts";
import type { Play } from "./play.svelte.ts";
import { Press } from "./pointer.ts";
import { READABLE, type Zoom } from "./zoom.svelte.ts";

/** Fingers do not hit squares smaller than this for sure, in pixels. */
const TOUCHABLE = 32;
/** How near to its middle the sign of a block is hit. */
const BLOCK_REACH = 35;

/** What hands work with. */
export interface Tools {
  play: Play;
  zoom: Zoom;
  animator: Animator;
  props: () => InteractiveBoardProps;
  geometry: () => Geometry;
  svg: () => SVGSVGElement | undefined;
}

/** What a pointer is over. */
interface Hit {
  point: Point;
  place: Place | undefined;
  /** The top left cell of a block whose sign is there. */
  block: Spot | null;
}

const HEADINGS: ReadonlySet<Way> = new Set(["left", "right", "up", "down"]);

export class Hands {
  /** A piece in the hand: from where, and where it is. */
  drag = $state.raw<{ from: Spot; at: Point } | null>(null);
  #focus = $state<number | null>(null);
  /** Whether the focus is to be seen: after keys, not after clicks. */
  #isFocusShown = $state(false);
  readonly #tools: Tools;
  #press: Press<Hit> | null = null;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  get #focused(): Place | undefined {
    const geometry = this.#tools.geometry();
    const known = this.#focus === null ? undefined : geometry.place(this.#focus);
    return known ?? geometry.places[Math.floor(geometry.places.length / 2)];
  }

  /** The place that Tab leads to. */
  get focus(): number {
    return this.#focused?.key ?? 0;
  }

  /** The place with the focus, if that is to be seen. */
  get shownFocus(): Spot | null {
    return this.#isFocusShown ? (this.#focused?.spot ?? null) : null;
  }

  /** Gives the focus to the board: to the place that Tab leads to, if there is one. */
  takeFocus(): void {
    const svg = this.#tools.svg();
    const cell = svg?.querySelector<SVGElement>('[role="gridcell"][tabindex="0"]');
    (cell ?? svg)?.focus({ preventScroll: true });
  }

  /** Zooms around a point of the screen, whatever else the fingers were about to do. */
  zoomAt(cell: number, clientX: number, clientY: number): void {
    this.letGo();
    void this.#tools.zoom.to(cell, this.#hit(clientX, clientY).point, true, tick);
  }

  /** Slides the whole board. */
  slide(heading: Heading): void {
    this.#tools.animator.finish();
    this.#tools.play.slide(heading);
  }

  #hit(clientX: number, clientY: number): Hit {
    const { play, geometry, svg } = this.#tools;
    const shown = svg()?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 };
    const point = pointAt(shown, geometry().box, clientX, clientY);
    let [block, least]: [Spot | null, number] = [null, BLOCK_REACH];
    for (const move of play.blocks) {
      if (!move.block) continue;
      const centre = geometry().blockCentre(move.block);
      const distance = Math.hypot(centre.x - point.x, centre.y - point.y);
      if (distance < least) [block, least] = [move.block, distance];
    }
    return { point, place: geometry().hit(point), block };
  }

  down(event: PointerEvent): void {
    const { animator, geometry } = this.#tools;
    animator.finish();
    if (event.button !== 0 || !event.isPrimary || geometry().layout === "tiles") return;
    this.#isFocusShown = false;
    this.#press = new Press(event, this.#hit(event.clientX, event.clientY));
  }

  move(event: PointerEvent): void {
    const { play, zoom, geometry, svg } = this.#tools;
    if (geometry().layout === "tiles") return;
    const press = this.#press;
    if (press?.id !== event.pointerId) {
      if (event.pointerType !== "touch" && !zoom.isOverview) this.#hover(event);
      return;
    }
    const wasDragging = press.isDragging;
    const gone = press.follow(event);
    if (!gone) return;
    const from = press.target.place?.spot;
    const canDrag = from && !press.target.block && !zoom.isOverview && play.starts.has(keyOf(from));
    if (!wasDragging) {
      // The pointer may leave the board while it holds a piece.
      svg()?.setPointerCapture(event.pointerId);
      if (canDrag) play.select(from);
    }
    if (canDrag) {
      this.drag = { from, at: this.#hit(event.clientX, event.clientY).point };
      this.#hover(event);
    } else if (zoom.isZoomed && !press.isTouch) {
      // Fingers scroll by themselves.
      zoom.pan(gone.right, gone.down);
    }
  }

  #hover(event: PointerEvent): void {
    const { play } = this.#tools;
    const { place, block } = this.#hit(event.clientX, event.clientY);
    const key = place ? place.key : -1;
    const before = play.hovered ? keyOf(play.hovered) : -1;
    if (key !== before) play.hovered = place?.spot ?? null;
    const blockKey = block ? keyOf(block) : -1;
    const blockBefore = play.hoveredBlock ? keyOf(play.hoveredBlock) : -1;
    if (blockKey !== blockBefore) play.hoveredBlock = block;
  }

  up(event: PointerEvent): void {
    const { play, zoom } = this.#tools;
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    const { drag } = this;
    this.letGo();
    const pointing = { isVague: press.isTouch && zoom.cell < TOUCHABLE };
    if (drag) {
      const { place } = this.#hit(event.clientX, event.clientY);
      play.drop(drag.from, place?.spot ?? null, pointing);
    } else if (!press.isDragging) this.#tap(press.target, pointing);
  }

  #tap({ point, place, block }: Hit, pointing: { isVague: boolean }): void {
    const { play, zoom } = this.#tools;
    if (zoom.isOverview) {
      void zoom.to(READABLE, point, false, tick);
      return;
    }
    if (block) play.turn(block, pointing);
    else if (place) play.point(place.spot, pointing);
    else play.escape();
  }

  /** A click that no pointer made comes from a screen reader. */
  click(event: MouseEvent): void {
    if (event.detail !== 0 || !(event.target instanceof Element)) return;
    const key = event.target.getAttribute("data-key");
    const place = key === null ? undefined : this.#tools.geometry().place(Number(key));
    if (place && this.#tools.geometry().layout !== "tiles") this.#tools.play.point(place.spot);
  }

  leave(): void {
    this.#tools.play.hovered = null;
    this.#tools.play.hoveredBlock = null;
  }

  /** Lets go of whatever the pointer holds. */
  letGo(): void {
    // A finger that is lifted is over nothing.
    if (this.#press?.isTouch) this.leave();
    this.#press = null;
    this.drag = null;
  }

  focusIn(event: FocusEvent): void {
    if (!(event.target instanceof Element)) return;
    const key = event.target.getAttribute("data-key");
    if (key === null) return;
    this.#focus = Number(key);
    if (event.target.matches(":focus-visible") && !this.#press) this.#isFocusShown = true;
    if (this.#isFocusShown && this.#focused) this.#tools.zoom.reveal(this.#focused);
  }

  focusOut(): void {
    this.#isFocusShown = false;
  }

  #go(place: Place | undefined): void {
    if (!place) return;
    this.#focus = place.key;
    this.#isFocusShown = true;
    this.#tools.play.hovered = null;
    this.#tools.svg()?.querySelector<SVGElement>(`[data-key="${place.key}"]`)?.focus({ preventScroll: true });
    this.#tools.zoom.reveal(place);
  }

  key(event: KeyboardEvent): void {
    const { animator, props } = this.#tools;
    const action = actionOf(event);
    if (!action) return;
    const isBoards = action.do !== "escape" || this.#tools.play.escape();
    // Escape is the page's where the board has no use for it.
    if (!isBoards) return;
    event.preventDefault();
    if (action.do === "command") {
      props().onCommand?.(action.command);
      return;
    }
    animator.finish();
    if (action.do === "zoom") this.#zoom(action.by);
    else if (this.#tools.geometry().layout === "tiles") {
      if (action.do === "go" && HEADINGS.has(action.way)) this.#tools.play.slide(action.way as Heading);
    } else this.#act(action);
  }

  #zoom(by: "in" | "out" | "all"): void {
    const { zoom, props } = this.#tools;
    if (!zoom.isNeeded) return;
    const point = this.shownFocus ? this.#tools.geometry().at(this.shownFocus) : zoom.middle;
    const { t, onAnnounce } = props();
    void zoom.to(zoom.stepped(by), point, false, tick).then(() => {
      onAnnounce?.(t("board.zoomed", { percent: Math.round((100 * zoom.cell) / zoom.fitting) }));
    });
  }

  #act(action: NonNullable<ReturnType<typeof actionOf>>): void {
    const { play, geometry } = this.#tools;
    const from = this.#focused;
    if (!from) return;
    switch (action.do) {
      case "go":
        play.block = null;
        this.#go(goFrom(geometry(), from, action.way));
        break;
      case "activate":
        this.#isFocusShown = true;
        if (play.ghost) play.confirm();
        else if (play.block) play.turn(play.block);
        else if (!play.passIfForced()) play.point(from.spot);
        break;
      case "next": {
        const isBeginning = play.targets.size === 0;
        this.#go(nextOf(geometry(), isBeginning ? play.starts : play.targets, from, action.back));
        break;
      }
      case "block": {
        const block = play.nextBlock(geometry(), from.spot);
        if (block) this.#tools.zoom.reveal(geometry().blockCentre(block));
        break;
      }
    }
  }
}
