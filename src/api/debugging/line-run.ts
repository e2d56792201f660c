/** Maximum number of lines of a cell at which the first stop can be. */
const maxLines = 5000;

/** Runs a cell by line: decides which stops of a session are shown. */
export class LineRun {
  readonly #address: string;
  readonly #code: string;
  readonly #setLines: (lines: readonly number[]) => Promise<unknown>;
  #hasBegun = false;

  /** `address` and `code`: those of the cell. `setLines` replaces its breakpoints. */
  constructor(address: string, code: string, setLines: (lines: readonly number[]) => Promise<unknown>) {
    this.#address = address;
    this.#code = code;
    this.#setLines = setLines;
  }

  /** Lets the first line that runs stop. Which one that is, only Python knows: the first ones can be comments. */
  async begin(): Promise<void> {
    const count = Math.min(this.#code.split("\n").length, maxLines);
    await this.#setLines(Array.from({ length: count }, (_, index) => index + 1));
  }

  /** What a stop in code at these addresses, innermost first, needs to reach the next line. Undefined if it is one. */
  async next(addresses: readonly string[]): Promise<"stepOut" | "continue" | undefined> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      await this.#setLines([]);
    }
    const depth = addresses.indexOf(this.#address);
    if (depth === 0) {
      return undefined;
    }
    return depth === -1 ? "continue" : "stepOut";
  }
}
