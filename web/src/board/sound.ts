// Soft clicks, made on the spot: no files to load.

import type { Step } from "../protocol/types.ts";

/** What can be heard. */
export type SoundName = "place" | "move" | "capture" | "turn" | "your-turn" | "end";

interface Tone {
  /** Hertz, at the start and at the end. */
  from: number;
  to: number;
  /** Seconds after the start of the sound, and how long. */
  after: number;
  long: number;
  loud: number;
}

const SOUNDS: Record<SoundName, readonly Tone[]> = {
  place: [{ from: 420, to: 260, after: 0, long: 0.07, loud: 0.16 }],
  move: [{ from: 300, to: 210, after: 0, long: 0.08, loud: 0.14 }],
  capture: [
    { from: 300, to: 180, after: 0, long: 0.08, loud: 0.14 },
    { from: 160, to: 90, after: 0.06, long: 0.12, loud: 0.18 },
  ],
  turn: [{ from: 220, to: 380, after: 0, long: 0.14, loud: 0.1 }],
  "your-turn": [
    { from: 520, to: 520, after: 0, long: 0.1, loud: 0.08 },
    { from: 660, to: 660, after: 0.1, long: 0.14, loud: 0.08 },
  ],
  end: [
    { from: 392, to: 392, after: 0, long: 0.16, loud: 0.09 },
    { from: 494, to: 494, after: 0.14, long: 0.16, loud: 0.09 },
    { from: 587, to: 587, after: 0.28, long: 0.3, loud: 0.09 },
  ],
};

/** What a step sounds like; `null` for passes. */
export function soundOf(step: Step): SoundName | null {
  if (step.effects.some((effect) => effect.kind === "remove")) return "capture";
  switch (step.kind) {
    case "place":
      return "place";
    case "move":
    case "slide":
      return "move";
    case "turn":
      return "turn";
    case "appear":
    case "pass":
      return null;
  }
}

/** Plays sounds while it is enabled. */
export class Sounds {
  /** Nobody hears anything before they have asked for it. */
  enabled = false;
  readonly #open: () => AudioContext;
  #context: AudioContext | null = null;

  constructor(open: () => AudioContext = () => new AudioContext()) {
    this.#open = open;
  }

  play(name: SoundName | null): void {
    if (!this.enabled || !name) return;
    this.#context ??= this.#open();
    const context = this.#context;
    for (const tone of SOUNDS[name]) {
      const start = context.currentTime + tone.after;
      const [oscillator, volume] = [context.createOscillator(), context.createGain()];
      oscillator.type = "sine";
      oscillator.frequency.setValueAtTime(tone.from, start);
      oscillator.frequency.exponentialRampToValueAtTime(tone.to, start + tone.long);
      // A sound that begins at full volume clicks harshly.
      volume.gain.setValueAtTime(0.0001, start);
      volume.gain.exponentialRampToValueAtTime(tone.loud, start + 0.008);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + tone.long);
      oscillator.connect(volume).connect(context.destination);
      oscillator.start(start);
      oscillator.stop(start + tone.long + 0.02);
    }
  }
}
