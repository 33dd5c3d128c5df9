// A tournament while it is being put together.
import { formatOptions, type Options } from "../lib/options.ts";
import { type Trouble, troubleOf } from "../lib/problem.ts";
import { tryOptions } from "../pickers/draft.svelte.ts";
import type { GameInfo, NewRound, NewTournament, Opened } from "../protocol/types.ts";
import { startTournament } from "./api.ts";

export const FORMATS = ["round-robin", "swiss", "gauntlet", "knock-out", "groups"] as const;
export const PRINTINGS = ["loss", "warn", "disqualify"] as const;
const USUAL_BOT = "medium";

export class RoundDraft {
  info = $state.raw() as GameInfo;
  chosen = $state.raw<Options>({});
  /** What is wrong with the options. */
  trouble = $state.raw<Trouble | null>(null);
  /** Seconds for a move. */
  time = $state(1);
  /** Seconds to get ready. */
  setup = $state(10);
  format = $state<string>(FORMATS[0]);
  repetitions = $state(1);
  randomOpenings = $state(false);
  /** The seat that sets of pieces are given to, where a game leaves that open. */
  selectedSeat = $state(0);

  constructor(info: GameInfo) {
    this.info = info;
  }

  setGame(info: GameInfo): void {
    this.info = info;
    this.chosen = {};
    this.trouble = null;
  }

  async setOption(key: string, value: string): Promise<void> {
    const chosen = { ...this.chosen, [key]: value };
    this.chosen = chosen;
    const { info, trouble } = await tryOptions(this.info, chosen);
    if (this.chosen !== chosen) return;
    this.info = info;
    this.trouble = trouble;
  }

  round(): NewRound {
    const { info, chosen, time, setup, format, repetitions, randomOpenings } = this;
    return {
      game: info.game,
      options: formatOptions(chosen),
      time: seconds(time),
      setup: seconds(setup),
      format,
      repetitions,
      randomOpenings,
    };
  }
}

/** A name for a bot that others play as well; null, for the bot's own, for the first of them. */
function numbered(bot: string, before: readonly string[]): string | null {
  const others = before.filter((other) => other === bot).length;
  return others === 0 ? null : `${bot} ${others + 1}`;
}

function seconds(value: number): string {
  return `${Math.round(value * 1000)}ms`;
}

export class TournamentDraft {
  name = $state("");
  /** Uploaded agents that do not take part. */
  left = $state.raw<readonly string[]>([]);
  bots = $state.raw<readonly string[]>([USUAL_BOT]);
  rounds = $state<RoundDraft[]>([]);
  printing = $state<(typeof PRINTINGS)[number]>("loss");
  trouble = $state.raw<Trouble | null>(null);
  busy = $state(false);

  constructor(info: GameInfo) {
    this.rounds = [new RoundDraft(info)];
  }

  toggle(agent: string): void {
    this.left = this.left.includes(agent) ? this.left.filter((name) => name !== agent) : [...this.left, agent];
  }

  addBot(): void {
    this.bots = [...this.bots, USUAL_BOT];
  }

  setBot(index: number, bot: string): void {
    this.bots = this.bots.map((old, at) => (at === index ? bot : old));
  }

  removeBot(index: number): void {
    this.bots = this.bots.filter((_, at) => at !== index);
  }

  /** Another round of the game of the last one. */
  addRound(): void {
    const last = this.rounds.at(-1);
    if (last) this.rounds.push(new RoundDraft(last.info));
  }

  removeRound(index: number): void {
    this.rounds = this.rounds.filter((_, at) => at !== index);
  }

  tournament(agents: readonly string[]): NewTournament {
    return {
      name: this.name.trim(),
      agents: agents.filter((name) => !this.left.includes(name)),
      bots: this.bots.map((bot, index) => ({ bot, name: numbered(bot, this.bots.slice(0, index)) })),
      rounds: this.rounds.map((round) => round.round()),
      seed: null,
      printing: this.printing,
    };
  }

  /** Starts it; null, with the trouble kept, if the server refuses. */
  async start(token: string, agents: readonly string[]): Promise<Opened | null> {
    this.trouble = null;
    this.busy = true;
    try {
      return await startTournament(token, this.tournament(agents));
    } catch (error) {
      this.trouble = troubleOf(error, this.rounds[0]?.info.game);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** What the server finds wrong with a field, such as `name`, `bots.1` or `rounds.0.time`. */
  problemOf(field: string): string | null {
    return this.#fieldOf() === field ? (this.trouble?.text ?? null) : null;
  }

  /** The field that shows what is wrong: that of the form which the server's lies in. */
  #fieldOf(): string | null {
    const field = this.trouble?.field?.replace(/\[(\d+)\]/g, ".$1") ?? "";
    const [first = "", second = "", third = ""] = field.split(".");
    if (first === "name" || first === "agents") return first;
    if (first === "bots" && this.bots[Number(second || NaN)] !== undefined) return `bots.${second}`;
    if (first === "rounds" && this.rounds[Number(second || NaN)] !== undefined)
      return `rounds.${second}${FIELDS.includes(third) ? `.${third}` : ""}`;
    return null;
  }

  /** What no field is to blame for. */
  get generalProblem(): string | null {
    return this.#fieldOf() === null ? (this.trouble?.text ?? null) : null;
  }
}

/** The fields of a round that have a place of their own for what is wrong. */
const FIELDS = ["time", "setup", "repetitions", "format"];
