const pause = 5000;
const atOnce = 10;

export interface StartingRowsOptions<Row> {
  /** Nothing is read while nobody looks. */
  readonly isWatched: () => boolean;
  readonly starting: () => readonly Row[];
  readonly read: (row: Row) => Promise<void>;
}

/** Reads shown workspaces that start again every 5 seconds, until none starts any more. */
export class StartingRows<Row> {
  readonly #options: StartingRowsOptions<Row>;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: StartingRowsOptions<Row>) {
    this.#options = options;
  }

  /** Looks whether there is something to read; called whenever that may have changed. */
  schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isDisposed && this.#options.isWatched() && this.#options.starting().length > 0) {
      this.#timer = setTimeout(() => void this.#readAll(), pause);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #readAll(): Promise<void> {
    for (const row of this.#options.starting().slice(0, atOnce)) {
      await this.#options.read(row);
    }
    this.schedule();
  }
}
