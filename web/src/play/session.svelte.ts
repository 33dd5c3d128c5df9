// One visit to a table: the table itself, which of its positions is looked at, and what the person does.
import { forcedPass, numbered, numberedMoves, type PlaceNames, readNumbered } from "../board/index.ts";
import type { Connection } from "../connection/connection.ts";
import type { History } from "../connection/history.svelte.ts";
import { link } from "../connection/live.svelte.ts";
import { type Frames, type Looked, type News, Table } from "../connection/table.svelte.ts";
import type { KnownBoard, KnownTable } from "../connection/table.ts";
import { t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";
import { moveName, moveSign } from "../lib/format.ts";
import { seatName } from "../lib/names.ts";
import { troubleOf } from "../lib/problem.ts";
import { settings } from "../lib/settings.svelte.ts";
import type {
  BoardFacts,
  BoardPicture,
  FaultState,
  Gesture,
  LastMove,
  OnlineState,
  SeatState,
  Spot,
  Step,
} from "../protocol/types.ts";
import { Faults } from "./faults.svelte.ts";
import { judge, praise } from "./praise.ts";

/** Something to be told beside the state of the game. It lasts until something happens. */
export interface Note {
  kind: "refusal" | "praise" | "info";
  text: string;
}

const NOBODY: readonly SeatState[] = [];

export class Session {
  readonly table: Table;
  note = $state.raw<Note | null>(null);
  looked = $state.raw<Looked | null>(null);
  rotating = $state(false);
  /** The places with which a move has been begun on the board. */
  chosen = $state.raw<readonly Spot[]>([]);
  /** Counts what the person does: what was wrong with one thing is no news any more after the next. */
  #attempt = 0;
  hinted = $state.raw<{ ply: number; token: string } | null>(null);
  /** The moves that gave something away, once the game is over. */
  readonly faults = new Faults(this);
  /** By which name somebody writes in the chat who looks on. */
  guestName = $state("");
  /** The server knows of players only who is not to be heard. */
  #mutedSpectators = $state.raw<readonly string[]>([]);
  /** News that were overtaken by a jump to another position, so that nothing moves on the way back. */
  #overtaken = $state.raw<readonly News[]>([]);

  constructor(id: string, connection: Connection, frames?: Frames) {
    this.table = new Table(id, connection, frames);
  }

  get state(): KnownTable | null {
    return this.table.state;
  }

  // What stays as it is from move to move is derived, so that nothing that depends on it is done again with every move.
  readonly game = $derived(this.state?.game ?? "");
  readonly seats: readonly SeatState[] = $derived(this.state?.seats ?? NOBODY);
  /** What online play adds; null in games at one browser. */
  readonly online: OnlineState | null = $derived(this.state?.online ?? null);

  get isOnline(): boolean {
    return this.online !== null;
  }

  /** The tournament that the game belongs to, whose games have its id and their number; null for all others. */
  get tournament(): string | null {
    return /^([a-z0-9]+)-\d+$/.exec(this.table.id)?.[1] ?? null;
  }

  /** Whether hints, evaluations and what bots think may be seen. */
  get mayHint(): boolean {
    return this.online?.hidden !== true;
  }

  /** Whether moves can be taken back: between people only while they play, and not in a race. */
  get mayTakeBack(): boolean {
    return !this.isOnline || !(this.isMany || this.isOver);
  }

  /** Whether every seat has a board of its own. */
  readonly isMany = $derived(this.state !== null && this.state.mode !== "single");

  /** The seats that people at this browser play. */
  readonly mine = $derived.by(() => this.seats.flatMap((seat, index) => (seat.mine && seat.person ? [index] : [])));

  /** The seats of this browser, also where a bot plays because their holder has given up. */
  get held(): readonly number[] {
    return this.online ? this.online.held : this.mine;
  }

  /** The names of those at this browser: of players, or of somebody who looks on and writes. */
  get ownNames(): string[] {
    const own = this.seats.filter(({ mine }, seat) => mine || this.held.includes(seat)).map(({ name }) => name);
    return own.length === 0 && this.guestName !== "" ? [this.guestName] : own;
  }

  /** The names of those whom this browser does not want to hear. */
  get mutedNames(): string[] {
    const seats = this.online?.muted ?? [];
    return [...seats.map((seat) => this.seats[seat]?.name ?? ""), ...this.#mutedSpectators];
  }

  /** The only seat played here; null for those who watch or share the screen. */
  get me(): number | null {
    return this.mine.length === 1 ? (this.mine[0] ?? null) : null;
  }

  get isBotsOnly(): boolean {
    return this.seats.length > 0 && this.seats.every((seat) => !seat.person);
  }

  readonly isOver = $derived(this.state !== null && this.state.boards.every((board) => board.facts.end));

  /** Whether the result is final. Somebody may play on nevertheless. */
  readonly isDecided = $derived(this.isOver || (this.state?.ranking.length ?? 0) > 0);

  /** How many boards are still being played. */
  readonly open = $derived(this.state?.boards.filter(({ facts }) => !facts.end).length ?? 0);

  /** Whether those who play here have finished their boards, and only bots play on. */
  readonly hasOnlyBotsLeft = $derived(
    this.isMany &&
      !this.isOver &&
      this.mine.length > 0 &&
      (this.state?.boards ?? []).every(({ facts }, board) => facts.end || !this.seats[board]?.person),
  );

  /** The board that somebody who plays none of them wants to see in the middle. */
  #chosen = $state<number | null>(null);

  /** The board in the middle: one's own, or where boards are played in turn, the one that is being played. */
  readonly main = $derived.by(() => {
    const boards = this.state?.boards ?? [];
    if (boards.length < 2) return 0;
    if (this.#chosen !== null) return this.#chosen;
    if (this.state?.mode === "in-turn" || this.tournament) {
      const playing = boards.findIndex((board) => !board.facts.end && !board.facts.waits);
      if (playing >= 0) return playing;
    }
    return this.mine[0] ?? 0;
  });

  get board(): KnownBoard | undefined {
    return this.state?.boards[this.main];
  }

  /** The moves of the board in the middle. */
  get history(): History | undefined {
    return this.table.histories[this.main];
  }

  /** The position on screen: the one looked at, or the present one, with its places called as the person likes. */
  readonly picture = $derived.by((): BoardPicture | undefined => {
    const picture = this.looked?.picture ?? this.board?.picture;
    return picture && this.called(picture);
  });

  /** A board with its places called as the person likes. */
  called(picture: BoardPicture): BoardPicture {
    return settings.places === "numbers" ? numbered(picture) : picture;
  }

  /** What the game calls places, which no move changes. */
  readonly #placeNames = $derived.by(() => {
    const { layout = "tiles", places = "", rows = [], columns = [] } = this.board?.picture ?? {};
    return JSON.stringify({ layout, places, rows, columns } satisfies PlaceNames);
  });

  /** Calls the places in a move as the person likes. */
  readonly #callMove = $derived.by(() => {
    if (settings.places === "letters") return (token: string) => token;
    return numberedMoves(JSON.parse(this.#placeNames) as PlaceNames);
  });

  /** A move in a list. */
  moveSign(token: string): string {
    return moveSign(this.#callMove(token));
  }

  /** A move inside a sentence, or to be read aloud. */
  moveName(token: string): string {
    return moveName(this.#callMove(token));
  }

  /** What is to be said of a move that gave something away. */
  faultText({ mark, better }: FaultState): string {
    return t(`fault.${mark}`, { move: this.moveName(better) });
  }

  /** What somebody means who writes a move. */
  readMove(text: string): string {
    const tokens = (this.board?.facts.moves ?? []).map(({ token }) => token);
    return readNumbered(JSON.parse(this.#placeNames) as PlaceNames, tokens, text);
  }

  get facts(): BoardFacts | undefined {
    return this.looked?.facts ?? this.board?.facts;
  }

  /** What led to the position on screen, to be shown as motion; null after jumps. */
  get steps(): readonly Step[] | null {
    const { news } = this.table;
    const own = news === this.#overtaken ? undefined : news.find(({ board }) => board === this.main);
    return own && !own.undone && !this.looked ? own.steps : null;
  }

  /**
   * Where three or more play, what has been played since the last move of whoever looks, oldest first: of the person
   * here, or of the seat to move where several share the screen or nobody plays.
   */
  readonly since = $derived.by((): readonly LastMove[] => {
    const { facts } = this;
    if (!facts?.last || this.isMany || this.seats.length < 3) return [];
    const moves = [...(facts.earlier ?? []), facts.last];
    const own = moves.findLastIndex(({ seat }) => seat === (this.me ?? facts.turn));
    return moves.slice(own + 1);
  });

  /** The seat to move on the board in the middle. */
  get turn(): number | null {
    const facts = this.board?.facts;
    if (!facts || facts.turn === null || facts.end) return null;
    return this.isMany ? this.main : facts.turn;
  }

  get isMyTurn(): boolean {
    return this.turn !== null && this.mine.includes(this.turn) && !this.board?.facts.waits;
  }

  get mayMove(): boolean {
    return this.isMyTurn && !this.looked && link.status === "open";
  }

  get mayAct(): boolean {
    return link.status === "open" && (this.state?.owner === true || this.held.length > 0);
  }

  /** The only legal move if it is to pass. */
  get forcedPass(): string | null {
    return this.isMyTurn ? (forcedPass(this.board?.facts.moves ?? [])?.token ?? null) : null;
  }

  name(seat: number): string {
    if (this.tournament) return this.seats[seat]?.name ?? "";
    return seatName(this.game, this.seats, seat, this.isOnline);
  }

  title(seat: number): string {
    const state = this.seats[seat];
    return state ? say(state.title, this.game) : "";
  }

  /** The ply on screen. */
  get ply(): number {
    return this.looked?.ply ?? this.board?.facts.ply ?? 0;
  }

  /** How many moves have led to what is on screen: the number of the last of them. */
  get shownMove(): number {
    return this.facts?.movesMade ?? 0;
  }

  /** Whether boards can be looked at one by one. */
  get mayChooseBoard(): boolean {
    return this.isMany && this.mine.every((board) => this.state?.boards[board]?.facts.end);
  }

  /** Shows another board in the middle. */
  showBoard(board: number): void {
    this.#chosen = board;
    this.looked = null;
  }

  /** What has happened makes notes, hints and offered blocks stale. */
  settle(): void {
    if (this.note?.kind !== "praise" || this.isOver) this.note = null;
    this.hinted = null;
    this.rotating = false;
  }

  /** Somebody has begun a move at these places, or has let go of them. */
  choose(places: readonly Spot[]): void {
    this.chosen = places;
    if (places.length === 0) return;
    this.#attempt += 1;
    if (this.note?.kind === "refusal") this.note = null;
  }

  async move(token: string, typed = false): Promise<void> {
    if (!this.mayMove) return;
    this.#attempt += 1;
    const [attempt, { main }, judged] = [this.#attempt, this, judge(this, token)];
    this.note = null;
    this.hinted = null;
    this.rotating = false;
    try {
      await this.table.move(main, token, typed);
    } catch (error) {
      // The move goes back, and the reason is told: it may have been sent long ago, before the connection was lost.
      const reason = troubleOf(error, this.game).text;
      this.note = {
        kind: "refusal",
        text: typed ? reason : t("status.moveBack", { move: this.moveName(token), reason }),
      };
      return;
    }
    const isPraised = !this.isOver && (await judged());
    if (isPraised && attempt === this.#attempt && !this.note && !this.isOver)
      this.note = { kind: "praise", text: praise() };
  }

  /** Asks the server why a gesture is no move, and says so in the status line. Should it mean a move, it is played. */
  async explain(gesture: Gesture): Promise<void> {
    // A board that has ended says so already.
    if (this.looked || this.board?.facts.end) return;
    this.#attempt += 1;
    const attempt = this.#attempt;
    if (!this.isMyTurn) {
      this.note = { kind: "refusal", text: t(this.mine.length > 0 ? "status.notYourTurn" : "status.watching") };
      return;
    }
    try {
      const message = await this.table.explain(this.main, gesture);
      if (attempt !== this.#attempt) return;
      if (message) this.note = { kind: "refusal", text: say(message, this.game) };
      else await this.table.gesture(this.main, gesture);
    } catch (error) {
      this.complain(error);
    }
  }

  async undo(): Promise<void> {
    await this.act({ do: "take-back", board: this.main });
  }

  async askHint(): Promise<void> {
    if (!this.mayMove || !this.mayHint) return;
    this.note = { kind: "info", text: t("status.hintSearching") };
    try {
      const hint = await this.table.hint(this.main);
      this.note = null;
      if (hint && hint.ply === this.board?.facts.ply) {
        this.hinted = hint;
        this.note = { kind: "info", text: t("status.hint", { move: this.moveName(hint.token) }) };
      }
    } catch (error) {
      this.complain(error);
    }
  }

  /** Hears no more of somebody, or hears them again. */
  async mute(name: string, muted: boolean): Promise<void> {
    const seat = this.seats.findIndex((other) => other.name === name);
    if (seat < 0 || this.held.length === 0) {
      const others = this.#mutedSpectators.filter((other) => other !== name);
      this.#mutedSpectators = muted ? [...others, name] : others;
      return;
    }
    await this.table.mute(seat, muted).catch((error: unknown) => this.complain(error));
  }

  async act(action: Parameters<Table["act"]>[0]): Promise<void> {
    this.note = null;
    try {
      await this.table.act(action);
    } catch (error) {
      this.complain(error);
    }
  }

  /** Shows the position after `ply` plies, or the present one for null. */
  async goTo(ply: number | null): Promise<void> {
    this.#overtaken = this.table.news;
    if (ply !== null) this.note = null;
    const last = this.board?.facts.ply ?? 0;
    if (ply === null || ply >= last || ply < 0) {
      this.looked = null;
      return;
    }
    try {
      this.looked = await this.table.look(this.main, ply);
    } catch (error) {
      this.complain(error);
    }
  }

  /** The ply where the move before or after the one on screen ends; null for the present. */
  async neighbour(direction: -1 | 1): Promise<number | null> {
    const { history, ply, shownMove } = this;
    if (!history || (direction > 0 && !this.looked)) return null;
    await history.need(shownMove, shownMove + 1);
    const [own, next] = [history.at(shownMove), history.at(shownMove + 1)];
    if (direction < 0) return own ? own.before : this.firstPly();
    // Chance may not have done what it does after a move, or before the first one.
    const stops = [own?.after, next?.before, next?.after];
    return stops.find((stop) => stop !== undefined && stop > ply) ?? null;
  }

  /** The ply before which nobody could move. */
  async firstPly(): Promise<number> {
    await this.history?.need(1, 1);
    return this.history?.at(1)?.before ?? 0;
  }

  complain(error: unknown): void {
    this.note = { kind: "refusal", text: troubleOf(error, this.game).text };
  }
}
