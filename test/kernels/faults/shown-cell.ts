import type { ExecutionEvent, ExecutionOutcome } from "../../../src/api/kernels/executions/executions.ts";
import { CellOutputs } from "../../../src/features/kernels/output/cell-outputs.ts";
import { Cell } from "../rig.ts";

/** Characters of output that a cell shows by default. */
const limit = 2_000_000;
const leftOut = /\n\[(\d+) characters left out\]\n/;

/** A cell with the outputs that the notebook shows and saves. */
export class ShownCell extends Cell {
  readonly #outputs = new CellOutputs(limit, ({ characters }) => `[${characters} characters left out]`);
  /** The outputs that the notebook showed when the window was opened. */
  #before: string;

  constructor(code: string, before = "") {
    super(code);
    this.#before = before;
  }

  override onEvents(received: readonly ExecutionEvent[]): void {
    // The window in which the user has answered shows the input itself, and ignores what the recorder has of it.
    const events = received.filter((event) => event.type !== "stream" || event.echoOf === undefined);
    super.onEvents(events);
    for (const event of events) {
      if (event.type === "replay") {
        this.#outputs.clear();
        this.#before = "";
      } else {
        this.#outputs.add(event);
      }
    }
  }

  get saved(): string {
    const texts = this.#outputs.outputs.map((output) => (output.type === "stream" ? output.text : ""));
    return this.#before + texts.join("");
  }

  get outcome(): ExecutionOutcome | undefined {
    return this.of("ended").at(-1)?.outcome;
  }

  /** The part of the expected output that the saved notebook contains. */
  savedPart(expected: string): string {
    const { saved } = this;
    if (saved === expected) {
      return "all output";
    }
    const found = leftOut.exec(saved);
    if (found !== null) {
      const [notice, count] = found;
      const [start = "", end = ""] = saved.split(notice);
      const isWhole = start.length + Number(count) + end.length === expected.length;
      return isWhole && expected.startsWith(start) && expected.endsWith(end)
        ? "the beginning and the end, with the number of characters between them"
        : "parts of the output that do not fit together";
    }
    if (saved === "") {
      return "no output";
    }
    return expected.startsWith(saved) ? "the output until then" : "output with something missing in it";
  }
}
