// What somebody is doing at a board: what is selected, aimed at, or about to be played.

import type { Heading, MoveState, Spot } from "../protocol/types.ts";
import type { InteractiveBoardProps } from "./api.ts";
import { type Geometry, keyOf, placeName, sameSpot } from "./geometry.ts";
import { dropOnPlace, forcedPass, Moves, type Outcome, pointAtPlace, type Target } from "./selection.ts";

/** How many slides may wait while one is on its way. */
const QUEUE = 2;

const NO_TARGETS: ReadonlyMap<number, Target> = new Map();
const NO_STARTS: ReadonlySet<number> = new Set();

/** How somebody has pointed at something. */
export interface Pointing {
  /** Whether it was so imprecise that the move must be confirmed. */
  isVague: boolean;
}

const PRECISE: Pointing = { isVague: false };

export class Play {
  /** The places that have been pointed at, with which a move begins. */
  chosen = $state.raw<readonly Spot[]>([]);
  /** What the pointer is over. */
  hovered = $state.raw<Spot | null>(null);
  hoveredBlock = $state.raw<Spot | null>(null);
  /** The block that was chosen by key. */
  block = $state.raw<Spot | null>(null);
  /** The move that waits to be confirmed. */
  ghost = $state.raw<MoveState | null>(null);
  /** The moves of which one must be chosen, because the same places mean all of them. */
  choices = $state.raw<readonly MoveState[]>([]);

  readonly #props: () => InteractiveBoardProps;
  #queue: Heading[] = [];

  /** `props` must read the properties anew each time. */
  constructor(props: () => InteractiveBoardProps) {
    this.#props = props;
  }

  #moves = $derived.by(() => new Moves(this.#props().facts.moves ?? []));
  #targets = $derived.by(() => this.#moves.targets(this.chosen));
  #starts = $derived.by(() => this.#moves.starts(this.#props().picture, this.#props().facts.turn));

  /** The place that was pointed at last: usually the piece that is to move. */
  get selected(): Spot | null {
    return this.chosen.at(-1) ?? null;
  }

  /** All legal moves. */
  get moves(): Moves {
    return this.#moves;
  }

  /** Whether input is taken now. */
  get isOpen(): boolean {
    const { interactive, pending } = this.#props();
    return interactive && pending == null;
  }

  /** Places where somebody can begin now. */
  get starts(): ReadonlySet<number> {
    return this.isOpen ? this.#starts : NO_STARTS;
  }

  /** The places that can be pointed at next. */
  get targets(): ReadonlyMap<number, Target> {
    return this.isOpen ? this.#targets : NO_TARGETS;
  }

  /** Blocks that are offered for turning. */
  get blocks(): MoveState[] {
    if (!this.isOpen) return [];
    if (this.#props().rotating) return [...this.#moves.blocks.values()];
    const offered = this.selected ? this.#moves.blocksAt(this.selected) : [];
    const chosen = this.block && this.#moves.blocks.get(keyOf(this.block));
    return chosen && !offered.includes(chosen) ? [...offered, chosen] : offered;
  }

  /** The move that a click or Enter would play, `focus` being the place that is seen to have the focus. */
  aimed(focus: Spot | null): MoveState | null {
    if (this.ghost) return this.ghost;
    const block = this.hoveredBlock ?? this.block;
    if (block) return this.#moves.blocks.get(keyOf(block)) ?? null;
    const spot = this.hovered ?? focus;
    const [move, ...others] = (spot && this.targets.get(keyOf(spot))?.moves) ?? [];
    return move && others.length === 0 ? move : null;
  }

  /** Passes if nothing else can be done, and tells whether that is so. */
  passIfForced(): boolean {
    const pass = this.isOpen ? forcedPass(this.#props().facts.moves ?? []) : null;
    if (pass) this.#commit(pass);
    return pass !== null;
  }

  /** Forgets what was begun, without a word. */
  reset(): void {
    this.chosen = [];
    this.choices = [];
    this.block = null;
    this.hoveredBlock = null;
    this.ghost = null;
  }

  /** Somebody points at a place. */
  point(spot: Spot, pointing: Pointing = PRECISE): void {
    if (this.ghost) {
      if (this.#moves.at([...this.chosen, spot])?.moves.includes(this.ghost)) this.confirm();
      else this.ghost = null;
      return;
    }
    if (this.choices.length > 0) {
      this.#clear();
      return;
    }
    this.block = null;
    if (!this.isOpen) {
      this.#props().onIllegal?.({ kind: "point", places: [spot] });
      return;
    }
    this.#apply(pointAtPlace(this.#moves, this.starts, this.chosen, spot), pointing);
  }

  /** Somebody drops the piece from a place somewhere; `null` if not on the board. */
  drop(from: Spot, to: Spot | null, pointing: Pointing = PRECISE): void {
    this.#apply(dropOnPlace(this.#moves, from, to), pointing);
  }

  /** Somebody turns a block. */
  turn(corner: Spot, pointing: Pointing = PRECISE): void {
    const move = this.isOpen ? this.#moves.blocks.get(keyOf(corner)) : undefined;
    if (move) this.#apply({ do: "play", move }, pointing);
    else this.#props().onIllegal?.({ kind: "turn", corner });
  }

  /** Somebody slides the whole board. */
  slide(heading: Heading): void {
    if (this.#props().pending != null) {
      if (this.#queue.length < QUEUE) this.#queue.push(heading);
      return;
    }
    const move = this.isOpen ? this.#moves.slides.get(heading) : undefined;
    if (move) this.#commit(move);
    else this.#props().onIllegal?.({ kind: "slide", heading });
  }

  /** Plays a slide that had to wait, if it is its time. */
  continue(): void {
    if (!this.isOpen) return;
    const heading = this.#queue.shift();
    if (heading) this.slide(heading);
  }

  /** Forgets slides that wait. */
  forgetQueue(): void {
    this.#queue = [];
  }

  /** Plays the move that waits to be confirmed. */
  confirm(): void {
    if (this.ghost) this.#commit(this.ghost);
  }

  /** Plays one of the moves among which somebody must choose. */
  choose(move: MoveState): void {
    this.#commit(move);
  }

  /** Selects a piece that is being dragged. */
  select(spot: Spot): void {
    this.block = null;
    this.chosen = [spot];
  }

  /** Goes back by one: the move to be confirmed, the block, the selection. Tells whether there was anything. */
  escape(): boolean {
    if (this.ghost) this.ghost = null;
    else if (this.block) this.block = null;
    else if (this.selected || this.choices.length > 0) this.#clear();
    else return false;
    return true;
  }

  /** Chooses the next block: of the selected piece, of the place with the focus, or any. */
  nextBlock(geometry: Geometry, focus: Spot): Spot | null {
    const { picture, t, onAnnounce } = this.#props();
    if (!this.isOpen) return null;
    const near = this.#moves.blocksAt(this.selected ?? focus);
    const offered = near.length > 0 ? near : [...this.#moves.blocks.values()];
    const corners = offered
      .flatMap(({ block }) => (block ? [block] : []))
      .sort((one, other) => {
        const [first, second] = [geometry.blockCentre(one), geometry.blockCentre(other)];
        return first.y - second.y || first.x - second.x;
      });
    const current = corners.findIndex((corner) => sameSpot(corner, this.block));
    this.block = corners[(current + 1) % corners.length] ?? null;
    onAnnounce?.(this.block ? t("board.block", { place: placeName(picture, this.block) }) : t("board.noBlock"));
    return this.block;
  }

  #apply(outcome: Outcome, pointing: Pointing): void {
    const { picture, t, nameMove, onAnnounce, onIllegal } = this.#props();
    switch (outcome.do) {
      case "play":
        if (!pointing.isVague) this.#commit(outcome.move);
        else {
          this.ghost = outcome.move;
          const { to } = outcome.move;
          onAnnounce?.(to ? t("board.ghost", { place: placeName(picture, to) }) : t("board.ghostBlock"));
        }
        break;
      case "choose":
        this.choices = outcome.moves;
        onAnnounce?.(
          t("board.choose", { moves: outcome.moves.map(({ token }) => nameMove?.(token) ?? token).join(", ") }),
        );
        break;
      case "select": {
        this.block = null;
        this.chosen = outcome.chosen;
        const { selected } = this;
        if (!selected) break;
        const place = placeName(picture, selected);
        const n = this.targets.size + this.#moves.blocksAt(selected).length;
        onAnnounce?.(t("board.selected", { place, n }));
        break;
      }
      case "clear":
        this.#clear();
        break;
      case "refuse":
        this.chosen = [];
        onIllegal?.(outcome.gesture);
        break;
    }
  }

  #clear(): void {
    const { t, onAnnounce } = this.#props();
    this.chosen = [];
    this.choices = [];
    onAnnounce?.(t("board.cleared"));
  }

  #commit(move: MoveState): void {
    this.reset();
    this.#props().onMove(move.token);
  }
}
