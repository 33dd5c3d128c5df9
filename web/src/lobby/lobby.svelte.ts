// One visit to a lobby: who sits where, what the person may do about it, and the game that it becomes.
import type { Connection, Refusal } from "../connection/connection.ts";
import { link } from "../connection/live.svelte.ts";
import { Table } from "../connection/table.svelte.ts";
import { t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";
import { describeGame } from "../lib/api.ts";
import { me } from "../lib/me.svelte.ts";
import { botName } from "../lib/names.ts";
import { type Trouble, troubleOf } from "../lib/problem.ts";
import { HUMAN, OPEN } from "../lib/start.ts";
import type { GameInfo, LobbySeat, LobbyState } from "../protocol/types.ts";

export class Lobby {
  readonly table: Table;
  /** What went wrong with the last thing that the person did. */
  trouble = $state.raw<Trouble | null>(null);
  info = $state.raw<GameInfo | null>(null);
  /** The name of somebody who has no seat yet, or only looks on. */
  guestName = $state("");
  #described = "";

  constructor(
    id: string,
    connection: Connection,
    /** The key of the link that led here; null for those who came from the list. */
    private readonly key: string | null = null,
  ) {
    this.table = new Table(id, connection);
  }

  close(): void {
    this.table.close();
  }

  get state(): LobbyState | null {
    return this.table.lobby;
  }

  get game(): string {
    return this.state?.lobby.game ?? this.table.state?.game ?? "";
  }

  get seats(): readonly LobbySeat[] {
    return this.state?.lobby.seats ?? [];
  }

  get mine(): readonly number[] {
    return this.state?.mine ?? [];
  }

  /** The first seat of this browser; null if it has none. */
  get own(): number | null {
    return this.mine[0] ?? null;
  }

  /** The names of those at this browser. */
  get ownNames(): string[] {
    return this.isGuest ? [this.guestName] : this.mine.flatMap((seat) => this.seats[seat]?.name ?? []);
  }

  get isHost(): boolean {
    return this.state?.host === true;
  }

  get present(): number {
    return this.seats.filter(({ occupant }) => occupant !== OPEN).length;
  }

  /** The names of those who have a seat and are away. */
  get missing(): string[] {
    return this.seats.flatMap(({ name, here }, seat) => (this.isPerson(seat) && !here ? [name] : []));
  }

  get isFull(): boolean {
    return this.present === this.seats.length;
  }

  /** Whether somebody who comes now can only look on. */
  get isClosedToMe(): boolean {
    return this.isFull && this.own === null && !this.isHost;
  }

  /** Whether somebody is here who only looks on, and may write all the same. */
  get isGuest(): boolean {
    return this.own === null && !this.isHost && this.state?.lobby.terms.spectatorsChat === true;
  }

  get mayAct(): boolean {
    return link.status === "open";
  }

  /** Why this lobby cannot be followed; null if it can. */
  get refusal(): Refusal | null {
    return this.table.refusal;
  }

  /** Describes the board once it is known what is played. Call it in an effect. */
  describe(): void {
    const lobby = this.state?.lobby;
    const wanted = lobby ? `${lobby.game}?${lobby.options}` : "";
    if (!lobby || wanted === this.#described) return;
    this.#described = wanted;
    describeGame(lobby.game, lobby.options).then(
      (found) => (this.info = found),
      // Without a picture the list of seats does; the next change tries again.
      () => (this.#described = ""),
    );
  }

  isOpen(seat: number): boolean {
    return this.seats[seat]?.occupant === OPEN;
  }

  isPerson(seat: number): boolean {
    return this.seats[seat]?.occupant === HUMAN;
  }

  isMine(seat: number): boolean {
    return this.mine.includes(seat);
  }

  /** What the game calls a seat: a side, or a board of a race. */
  title(seat: number): string {
    if (this.state?.lobby.mode === "race") return t("new.board", { n: seat + 1 });
    const state = this.seats[seat];
    return state ? say(state.title, this.game) : "";
  }

  /** Who sits there. */
  name(seat: number): string {
    const state = this.seats[seat];
    if (!state || this.isOpen(seat)) return t("new.open");
    if (state.program) return t("play.bot", { name: state.name });
    if (!this.isPerson(seat)) return t("play.bot", { name: botName(state.occupant) });
    return this.isMine(seat) && this.mine.length === 1 ? t("play.you") : state.name;
  }

  /** What else is to be said of a seat. */
  notes(seat: number): string {
    const state = this.seats[seat];
    const parts = [this.title(seat)];
    if (state?.host) parts.push(t("lobby.host"));
    if (state && this.isPerson(seat) && !state.here) parts.push(t("play.notHere"));
    return parts.join(" · ");
  }

  problemOf(field: string): string | null {
    return this.trouble?.field === field ? this.trouble.text : null;
  }

  /** Whether one can sit down here without saying one's name. */
  get isNameOptional(): boolean {
    return this.state?.lobby.terms.public === false;
  }

  /** Takes a seat, or changes to it. */
  async sit(seat: number, name: string): Promise<boolean> {
    const own = name.trim();
    const sitAs = (called: string) =>
      this.#act(() => this.table.act({ do: "sit", seat, name: called, key: this.key, program: false }));
    if (own !== "") {
      const isDone = await sitAs(own);
      if (isDone) void me.introduce(own);
      return isDone;
    }
    if (await sitAs(t("lobby.guest"))) return true;
    // Guests without a name are told apart by numbers.
    const free = this.trouble?.suggestion ?? null;
    return free !== null && sitAs(free);
  }

  async leave(): Promise<boolean> {
    return this.#act(() => this.table.act({ do: "leave" }));
  }

  async remove(seat: number): Promise<void> {
    await this.#act(() =>
      this.table.act(this.isPerson(seat) ? { do: "remove", seat } : { do: "seat", seat, occupant: OPEN }),
    );
  }

  async seatBot(seat: number, bot: string): Promise<void> {
    await this.#act(() => this.table.act({ do: "seat", seat, occupant: bot }));
  }

  /** Seats bots wherever nobody sits. */
  async fill(bot: string): Promise<void> {
    const open = this.seats.flatMap((_, seat) => (this.isOpen(seat) ? [seat] : []));
    await this.#act(async () => {
      for (const seat of open) await this.table.act({ do: "seat", seat, occupant: bot });
    });
  }

  /** Says something to everybody. Rejects with the reason if it is refused. */
  async say(text: string): Promise<void> {
    await this.table.act({ do: "say", text, name: this.isGuest ? this.guestName.trim() : null });
  }

  async #act(action: () => Promise<void>): Promise<boolean> {
    this.trouble = null;
    try {
      await action();
      return true;
    } catch (error) {
      this.trouble = troubleOf(error, this.game);
      return false;
    }
  }
}
