// Files on their way to becoming agents.
import { type Trouble, troubleOf } from "../lib/problem.ts";
import type { Interpreter, UploadedAgent } from "../protocol/types.ts";
import { uploadAgent } from "./api.ts";

/** The file that is run inside a ZIP unless somebody says otherwise. */
const USUAL_FILE = "agent.py";

export class Upload {
  /** The name of the player that it becomes. */
  name = $state("");
  interpreter = $state("");
  /** The file that the interpreter is given. */
  file = $state("");
  trouble = $state.raw<Trouble | null>(null);
  readonly isArchive: boolean;

  constructor(
    readonly source: File,
    interpreters: readonly Interpreter[],
  ) {
    const dot = source.name.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [source.name.slice(0, dot), source.name.slice(dot)] : [source.name, ""];
    this.name = stem;
    this.isArchive = ending.toLowerCase() === ".zip";
    this.file = this.isArchive ? USUAL_FILE : source.name;
    const runs = (file: string) => interpreters.find(({ endings }) => endings.some((end) => file.endsWith(end)));
    this.interpreter = (runs(this.file) ?? interpreters[0])?.name ?? "";
  }

  /** Sends it; null, with the trouble kept beside it, if the server refuses. */
  async send(token: string): Promise<UploadedAgent | null> {
    this.trouble = null;
    try {
      return await uploadAgent(token, this.name.trim(), this.interpreter, this.file.trim(), this.source);
    } catch (error) {
      this.trouble = troubleOf(error);
      return null;
    }
  }

  problemOf(field: "name" | "interpreter" | "file"): string | null {
    return this.trouble?.field === field ? this.trouble.text : null;
  }

  /** What is wrong with the file itself, or with nothing that has a field. */
  get generalProblem(): string | null {
    const field = this.trouble?.field ?? "";
    return ["name", "interpreter", "file"].includes(field) ? null : (this.trouble?.text ?? null);
  }
}
