// What the tree page knows: a position that people play on, what the evaluation sees in it, and the tree of its search.
import { readFeatures, readPosition, searchTree } from "../lib/api.ts";
import { type Trouble, troubleOf } from "../lib/problem.ts";
import type { FeatureAnswer, PositionAnswer, Step, TreeAnswer, TreeExample } from "../protocol/types.ts";
import { type Algorithm, specOf, type Variant, variantOf, VARIANTS } from "./spec.ts";

/** Positions are asked for once somebody has stayed so long, in milliseconds, and so many are remembered. */
const LOOK = 60;
const KNOWN = 500;

export interface Place {
  options: string;
  /** Where moves begin; null for the usual start. */
  position: string | null;
  moves: readonly string[];
}

export class Explorer {
  place = $state.raw<Place>({ options: "", position: null, moves: [] });
  shown = $state.raw<PositionAnswer | null>(null);
  /** What led to the position that is shown, to be seen as motion. */
  steps = $state.raw<Step[] | null>(null);
  features = $state.raw<FeatureAnswer | null>(null);
  answer = $state.raw<TreeAnswer | null>(null);
  isSearching = $state(false);
  trouble = $state.raw<Trouble | null>(null);

  algorithm = $state<Algorithm>("alphabeta");
  depth = $state(3);
  playouts = $state(200);
  switches = $state.raw<ReadonlySet<string>>(new Set());
  evaluation = $state<string | null>(null);
  /** What somebody has written instead of what the switches make. */
  written = $state<string | null>(null);

  readonly spec = $derived(this.written ?? specOf(this.algorithm, this.switches, this.evaluation));
  /** Which of the searches of a lesson is chosen. */
  readonly variant = $derived(
    this.written === null && this.algorithm === "alphabeta" ? variantOf(this.switches) : null,
  );

  /** The position after some moves of the search, which may be another one than that it began at. */
  ahead = $state.raw<PositionAnswer | null>(null);
  #known = new Map<string, PositionAnswer>();
  #wanted = "";

  /** Answers that come after a newer question are not shown. */
  #asked = 0;

  constructor(readonly game: string) {}

  /**
   * Goes to a position, where chance acts first if it is its turn; false if there is none such, and then
   * everything stays as it is.
   */
  async goTo(place: Place): Promise<boolean> {
    if (!(await this.#show(place))) return false;
    // People explore their own moves, so chance draws at once.
    for (let draws = this.#draws(); draws.length > 0; draws = this.#draws()) {
      const draw = draws[Math.floor(Math.random() * draws.length)] ?? "";
      if (!(await this.#show({ ...this.place, moves: [...this.place.moves, draw] }))) return false;
    }
    await this.judge();
    return true;
  }

  async play(token: string): Promise<void> {
    const { place } = this;
    await this.goTo({ ...place, moves: [...place.moves, token] });
  }

  /** Takes the last move of a player back, and what chance has done since. */
  async undo(): Promise<void> {
    do {
      const { place } = this;
      if (!(await this.#show({ ...place, moves: place.moves.slice(0, -1) }))) return;
    } while (this.place.moves.length > 0 && this.#draws().length > 0);
    await this.goTo(this.place);
  }

  async #show(place: Place): Promise<boolean> {
    const asked = ++this.#asked;
    try {
      const found = await readPosition({
        game: this.game,
        options: place.options,
        position: place.position,
        moves: [...place.moves],
      });
      if (asked !== this.#asked) return false;
      const isNext = this.shown !== null && place.moves.length === this.place.moves.length + 1;
      this.steps = isNext && found.facts.last ? [found.facts.last.step] : null;
      [this.place, this.shown, this.answer, this.trouble] = [place, found, null, null];
      [this.ahead, this.#wanted] = [null, ""];
      this.#known.clear();
      return true;
    } catch (error) {
      if (asked === this.#asked) this.trouble = troubleOf(error, this.game);
      return false;
    }
  }

  /** What chance may do in the position that is shown; nothing where it does not act. */
  #draws(): string[] {
    const facts = this.shown?.facts;
    return facts && typeof facts.turn !== "number" && !facts.end ? (facts.moves ?? []).map(({ token }) => token) : [];
  }

  /** Shows the position after `moves` from the one that is searched. Who goes through many at once sees the last. */
  async look(moves: readonly string[]): Promise<void> {
    const { place } = this;
    const wanted = moves.join(" ");
    this.#wanted = wanted;
    const known = this.#known.get(wanted);
    if (moves.length === 0 || known) {
      this.ahead = known ?? null;
      return;
    }
    await new Promise((done) => setTimeout(done, LOOK));
    if (this.#wanted !== wanted) return;
    try {
      const { options, position } = place;
      const found = await readPosition({
        game: this.game,
        options,
        position,
        moves: [...place.moves, ...moves],
      });
      if (place !== this.place) return;
      if (this.#known.size >= KNOWN) this.#known.clear();
      this.#known.set(wanted, found);
      if (this.#wanted === wanted) this.ahead = found;
    } catch {
      // The board stays as it is: the picture of the tree and its words do without it.
    }
  }

  /** Asks what the evaluation sees in the position. */
  async judge(): Promise<void> {
    const { place, evaluation } = this;
    const question = {
      game: this.game,
      options: place.options,
      position: place.position,
      moves: [...place.moves],
      evaluation,
      bot: null,
    };
    try {
      const found = await readFeatures(question);
      if (place === this.place && evaluation === this.evaluation) this.features = found;
    } catch (error) {
      if (place === this.place) this.trouble = troubleOf(error, this.game);
    }
  }

  async search(): Promise<void> {
    if (this.isSearching) return;
    const { place, spec } = this;
    [this.isSearching, this.trouble] = [true, null];
    try {
      const { options, position, moves } = place;
      const found = await searchTree({
        game: this.game,
        options,
        position,
        moves: [...moves],
        bot: spec,
        depth: this.depth,
        playouts: this.playouts,
      });
      if (place === this.place) this.answer = found;
    } catch (error) {
      if (place === this.place) this.trouble = troubleOf(error, this.game);
    } finally {
      this.isSearching = false;
    }
  }

  /** Searches as deep as an example wants, by the evaluation that it is made for. */
  prepare({ depth, evaluation }: TreeExample): void {
    [this.depth, this.evaluation, this.written] = [depth, evaluation ?? null, null];
  }

  /** Chooses one of the searches of a lesson. */
  choose(variant: Variant): void {
    [this.algorithm, this.switches, this.written] = ["alphabeta", new Set(VARIANTS[variant]), null];
  }

  /** Turns a switch, which takes the place of what was written. */
  turn(name: string, isOn: boolean): void {
    const switches = new Set(this.switches);
    if (isOn) switches.add(name);
    else switches.delete(name);
    [this.switches, this.written] = [switches, null];
  }
}
