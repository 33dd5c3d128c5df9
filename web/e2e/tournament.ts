// A tournament that another process plays: `agon arena run`. One of its programs waits until the test lets it go on.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Answers what it is asked; the difference between programs is what they do before they answer with a move. */
const program = (beforeMove: string) => `import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "setup":
        print(json.dumps({"type": "ready", "name": "test"}), flush=True)
    elif asked["type"] == "move":
${beforeMove.replace(/^/gm, "        ")}
        print(json.dumps({"type": "move", "move": move}), flush=True)
`;

/** Plays the first legal move. */
export const FIRST_LEGAL = program('move = asked["legal"][0]');

/** Waits in the middle of a game for a file in its own folder. */
const PATIENT = program(`move = asked["legal"][0]
while asked["ply"] >= 4 and not os.path.exists("go"):
    time.sleep(0.02)`);

/** Complains, and then plays where it may not. */
const BROKEN = program(`print("boom <b>goes</b> the search", file=sys.stderr, flush=True)
move = "z9"`);

const FILE = `name = "Spring course"

[[players]]
name = "patient"
command = ["python3", "patient/agent.py"]

[[players]]
name = "broken"
command = ["python3", "broken/agent.py"]

[[players]]
name = "house"
bot = "random"

[[rounds]]
game = "othello"
options = "size=4"
time = "60s+1s"
`;

export class RunningTournament {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;

  private constructor(
    agon: string,
    private readonly folder: string,
    out: string,
  ) {
    this.#child = spawn(agon, ["arena", "run", join(folder, "course.toml"), "--out", out, "--jobs", "1"], {
      stdio: "ignore",
    });
    this.#ended = new Promise((resolve) => this.#child.once("exit", resolve));
  }

  /** Writes the programs into `folder` and plays the tournament in `out`. */
  static async start(agon: string, folder: string, out: string): Promise<RunningTournament> {
    for (const [name, text] of [
      ["patient", PATIENT],
      ["broken", BROKEN],
    ] as const) {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, "agent.py"), text);
    }
    await writeFile(join(folder, "course.toml"), FILE);
    return new RunningTournament(agon, folder, out);
  }

  /** Lets the patient program play on. */
  async go(): Promise<void> {
    await writeFile(join(this.folder, "patient", "go"), "");
  }

  /** Waits until all games have been played; the exit status of the process. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
