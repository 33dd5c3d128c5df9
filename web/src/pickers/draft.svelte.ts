// A new game while it is being put together.
import { describeGame } from "../lib/api.ts";
import { formatOptions, giveSet, type Options, optionsOfQuery, parseOptions } from "../lib/options.ts";
import { type Trouble, troubleOf } from "../lib/problem.ts";
import { settings } from "../lib/settings.svelte.ts";
import { FIRST_LEVEL, HUMAN, type Mode, modesOf, occupants, OPEN, seat, tableMode } from "../lib/start.ts";
import type { Cell, GameInfo, Leavers, NewLobby, NewTable } from "../protocol/types.ts";
import { LEAVERS, TermsDraft } from "./terms.svelte.ts";

export const SIDES = ["first", "second", "random"] as const;
export type Side = (typeof SIDES)[number];

/** A race has so many boards at least and at most. */
const FEWEST_BOARDS = 2;
const MOST_BOARDS = 6;
/** With so many players online a clock is suggested, and those present decide what becomes of leavers. */
const CROWD = 3;
const CROWD_CLOCK = "60s";

/** Games for one are long, and their moves small: they are watched at eight moves a second. */
const ALONE_PACE = 125;

export class Draft {
  info = $state.raw() as GameInfo;
  mode = $state<Mode>("bot");
  chosen = $state.raw<Options>({});
  occupants = $state.raw<string[]>([]);
  side = $state<Side>("first");
  /** The clock that has been chosen; null for the usual one. */
  #clock = $state<string | null>(null);
  /** The pace that has been chosen; null for the usual one. */
  #pace = $state<number | null>(null);
  /** The seat that a set of pieces is given to which somebody points at. */
  selectedSeat = $state(0);
  /** What only matters online. */
  readonly terms = new TermsDraft();
  trouble = $state.raw<Trouble | null>(null);
  busy = $state(false);

  constructor(info: GameInfo, mode: Mode | null, query: URLSearchParams) {
    this.info = info;
    const modes = modesOf(info);
    this.setMode(mode !== null && modes.includes(mode) ? mode : (modes[0] ?? "bot"));
    this.#clock = query.get("clock");
    const asked = optionsOfQuery(query, info.choices);
    if (Object.keys(asked).length > 0) void this.#describe(asked);
  }

  setMode(mode: Mode): void {
    this.mode = mode;
    this.occupants = occupants(this.info, mode, this.level);
    if (this.hasSides) this.setSide(this.side);
    this.trouble = null;
  }

  /** The bot that has been chosen, which stays when the mode changes. */
  get level(): string {
    return this.occupants.find(isBot) ?? FIRST_LEVEL;
  }

  /** The levels of the game, the weakest first. */
  get levels(): string[] {
    return this.info.bots.filter(({ group }) => group === "level").map(({ name }) => name);
  }

  get hasBots(): boolean {
    return this.occupants.some(isBot);
  }

  /** Has all bots play on one level. */
  setLevel(level: string): void {
    this.occupants = this.occupants.map((old) => (isBot(old) ? level : old));
    this.trouble = null;
  }

  setOption(key: string, value: string): void {
    void this.#describe({ ...this.chosen, [key]: value });
  }

  /** What has been chosen together with what is suggested or holds by default, without options that do not apply. */
  get options(): Options {
    return { ...parseOptions(this.info.options), ...this.#wanted };
  }

  /** What has been chosen, and what the game suggests to go with it. */
  get #wanted(): Options {
    return { ...parseOptions(this.info.suggested), ...this.chosen };
  }

  /** The option that says who plays which sets of pieces, in games that leave it open, and usual values of it. */
  get sets(): { key: string; value: string; suggestions: readonly string[] } | null {
    for (const { key, kind } of this.info.choices) {
      if (kind.kind === "text" && kind.suggestions.length > 0)
        return { key, value: this.options[key] ?? "", suggestions: kind.suggestions };
    }
    return null;
  }

  /** Somebody points at a home on the board: its set goes to the selected seat. */
  giveSetAt({ ground }: Cell): void {
    const { sets } = this;
    const home = this.info.styles.find((style) => style.token === ground);
    const set = this.info.styles.find((style) => "piece" in style && style.letter && style.colour === home?.colour);
    if (!sets || !home || !set?.letter) return;
    this.setOption(sets.key, giveSet(sets.value, this.selectedSeat, set.letter));
  }

  async #describe(chosen: Options): Promise<void> {
    this.chosen = chosen;
    this.trouble = null;
    const { info, trouble } = await tryOptions(this.info, chosen);
    if (this.chosen !== chosen) return;
    this.trouble = trouble;
    const before = this.info.seats.length;
    this.info = info;
    this.selectedSeat = Math.min(this.selectedSeat, info.seats.length - 1);
    if (info.seats.length !== before && !this.isMany) this.setMode(this.mode);
  }

  setOccupant(index: number, occupant: string): void {
    this.occupants = this.occupants.map((old, at) => (at === index ? occupant : old));
    this.trouble = null;
  }

  get isOnline(): boolean {
    return this.mode === "online";
  }

  /** Whether every player has a board. */
  get isMany(): boolean {
    return tableMode(this.info, this.mode) !== "single";
  }

  /** Whether the number of boards can be chosen. */
  get hasBoards(): boolean {
    return tableMode(this.info, this.mode) === "race";
  }

  get canAddBoard(): boolean {
    return this.hasBoards && this.occupants.length < MOST_BOARDS;
  }

  get canRemoveBoard(): boolean {
    return this.hasBoards && this.occupants.length > FEWEST_BOARDS;
  }

  addBoard(): void {
    this.occupants = [...this.occupants, this.isOnline ? OPEN : this.level];
  }

  removeBoard(): void {
    this.occupants = this.occupants.slice(0, -1);
  }

  /** Whether the person chooses the side against one bot or one other person. */
  get hasSides(): boolean {
    return (this.mode === "bot" || this.isOnline) && this.info.seats.length === 2;
  }

  /** Among three or more, one who thinks for ever, or has left, keeps many waiting. */
  get #isCrowd(): boolean {
    return this.isOnline && this.occupants.length >= CROWD;
  }

  get clock(): string {
    return this.#clock ?? (this.#isCrowd && !this.isMany ? CROWD_CLOCK : "none");
  }

  set clock(clock: string) {
    this.#clock = clock;
  }

  /** What happens to leavers can be chosen except where one of two without a clock waits for the other. */
  get hasLeavers(): boolean {
    const isTimed = this.isMany ? this.terms.goal === "time" : this.clock !== "none";
    return isTimed || this.#isCrowd || this.hasDays;
  }

  /** Whether a move may take days. */
  get hasDays(): boolean {
    return this.terms.hasDays(this.clock, this.isMany);
  }

  /** What may become of leavers. Where a move may take days, nobody is there to decide. */
  get leaversChoices(): readonly Leavers[] {
    return LEAVERS.filter((leavers) => leavers !== "ask" || !this.hasDays);
  }

  get leavers(): Leavers {
    const { leavers } = this.terms;
    if (leavers !== null && this.leaversChoices.includes(leavers)) return leavers;
    return this.#isCrowd && !this.hasDays ? "ask" : "bot";
  }

  get hasBotsOnly(): boolean {
    return this.occupants.every((occupant) => occupant !== HUMAN);
  }

  /** The least time between moves of bots. */
  get pace(): number {
    const isWatched = this.info.seats.length === 1 && this.mode !== "race";
    return this.#pace ?? (isWatched ? ALONE_PACE : settings.pace);
  }

  set pace(millis: number) {
    this.#pace = millis;
  }

  /** The pace matters where bots play on their own. */
  get hasPace(): boolean {
    return this.hasBotsOnly || this.mode === "in-turn" || this.mode === "race";
  }

  setSide(side: Side): void {
    this.side = side;
    const other = this.occupants.find((occupant) => occupant !== HUMAN) ?? (this.isOnline ? OPEN : this.level);
    this.occupants = side === "second" ? [other, HUMAN] : [HUMAN, other];
  }

  setName(name: string): void {
    this.terms.name = name;
    this.trouble = null;
  }

  table(random: () => number): Pick<NewTable, "game" | "seats"> & Partial<NewTable> {
    const isSwapped = this.hasSides && this.side === "random" && random() < 0.5;
    const seats = isSwapped ? [...this.occupants].reverse() : this.occupants;
    return {
      game: this.info.game,
      options: formatOptions(this.#wanted),
      mode: tableMode(this.info, this.mode),
      seats: seats.map(seat),
      clock: this.clock,
      pace: this.hasPace ? this.pace : null,
    };
  }

  lobby(): NewLobby {
    return {
      name: this.terms.name.trim(),
      player: this.terms.player.trim(),
      game: this.info.game,
      options: formatOptions(this.#wanted),
      mode: tableMode(this.info, this.mode),
      seats: this.occupants.map(seat),
      shuffle: this.hasSides && this.side === "random",
      terms: this.terms.terms(this.clock, this.leavers, this.isMany),
    };
  }

  /** A lobby for whoever gets its link, with the board, side and clock that have been chosen. */
  challenge(): NewLobby {
    const challenge = new Draft(this.info, "online", new URLSearchParams());
    challenge.chosen = this.chosen;
    challenge.#clock = this.#clock;
    if (challenge.hasSides) challenge.setSide(this.side);
    challenge.terms.visibility = "private";
    return challenge.lobby();
  }

  /** The text at a seat's picker, if the server found fault with who is to play there. */
  problemAt(index: number): string | null {
    const field = this.trouble?.field ?? "";
    return /^seats\b/.test(field) && Number(/\d+/.exec(field)?.[0]) === index ? (this.trouble?.text ?? null) : null;
  }

  problemOf(field: string): string | null {
    return this.trouble?.field === field ? this.trouble.text : null;
  }

  /** Whether what is wrong stands where it must be unfolded to be seen. */
  get isTroubleFolded(): boolean {
    const field = this.trouble?.field ?? null;
    return field !== null && this.generalProblem === null && field !== "name" && field !== "player";
  }

  /** The text above the button, where no field is to blame. */
  get generalProblem(): string | null {
    const trouble = this.trouble;
    if (!trouble) return null;
    const ours = this.isOnline ? ["name", "player", "terms.goal", "terms.days", "terms.clock"] : ["clock", "pace"];
    const known = [...ours, ...this.info.choices.map(({ key }) => key)];
    const isShown =
      known.includes(trouble.field ?? "") || this.occupants.some((_, index) => this.problemAt(index) !== null);
    return isShown ? null : trouble.text;
  }
}

function isBot(occupant: string): boolean {
  return occupant !== HUMAN && occupant !== OPEN;
}

/** The game of `info` with other options; as it was, and what is wrong, if the server refuses them. */
export async function tryOptions(
  info: GameInfo,
  chosen: Options,
): Promise<{ info: GameInfo; trouble: Trouble | null }> {
  try {
    return { info: await describeGame(info.game, formatOptions(chosen)), trouble: null };
  } catch (error) {
    return { info, trouble: pointAt(troubleOf(error, info.game), chosen) };
  }
}

/** Finds the option that is to blame: the one the server names, or the only one that was chosen. */
function pointAt(trouble: Trouble, chosen: Options): Trouble {
  const keys = Object.keys(chosen);
  if (trouble.field !== null && keys.includes(trouble.field)) return trouble;
  const field = keys.length === 1 ? (keys[0] ?? null) : trouble.field;
  return {
    get text() {
      return trouble.text;
    },
    field,
    suggestion: trouble.suggestion,
  };
}
