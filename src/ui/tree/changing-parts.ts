const pause = 5000;
const atOnce = 10;

export interface ChangingPartsOptions<Part> {
  /** Nothing is read while nobody looks. */
  isWatched(): boolean;
  changing(): readonly Part[];
  read(part: Part): Promise<void>;
}

/** Reads what changes by itself again every 5 seconds, until nothing does any more. */
export class ChangingParts<Part> {
  readonly #options: ChangingPartsOptions<Part>;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: ChangingPartsOptions<Part>) {
    this.#options = options;
  }

  /** Looks whether there is something to read; called whenever that may have changed. */
  schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isDisposed && this.#options.isWatched() && this.#options.changing().length > 0) {
      this.#timer = setTimeout(() => void this.#readAll(), pause);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #readAll(): Promise<void> {
    for (const part of this.#options.changing().slice(0, atOnce)) {
      await this.#options.read(part);
    }
    this.schedule();
  }
}
