import type { CapturedOutput } from "../recorder/output-captures.ts";

/** Maximum size of the stored outputs, in characters of JSON. The oldest are dropped. */
const maxCharacters = 4 * 1024 * 1024;

interface Unclaimed {
  readonly output: CapturedOutput;
  readonly size: number;
}

/**
 * Captured outputs whose widget is not known yet. The opening message can be lost with the connection, while the output
 * is recovered from the recorder.
 */
export class UnclaimedOutputs {
  #stored: readonly Unclaimed[] = [];
  #size = 0;

  add(output: CapturedOutput): void {
    const size = JSON.stringify(output).length;
    const stored = [...this.#stored, { output, size }];
    this.#size += size;
    let dropped = 0;
    for (; this.#size > maxCharacters; dropped += 1) {
      this.#size -= stored[dropped]?.size ?? this.#size;
    }
    this.#stored = stored.slice(dropped);
  }

  /** Removes and returns the outputs of a widget, in order. */
  claim(commId: string): readonly CapturedOutput[] {
    const claimed = this.#stored.filter(({ output }) => output.commId === commId);
    if (claimed.length > 0) {
      this.#stored = this.#stored.filter(({ output }) => output.commId !== commId);
      this.#size -= claimed.reduce((sum, { size }) => sum + size, 0);
    }
    return claimed.map(({ output }) => output);
  }

  clear(): void {
    this.#stored = [];
    this.#size = 0;
  }
}
