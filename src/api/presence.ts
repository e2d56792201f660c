import type { Clock } from "./clock.ts";

/** Whether somebody uses this window, or has used it in the last minutes. */
export interface Presence {
  readonly isPresent: boolean;
  /** Calls the listener after each change, until it is disposed of. */
  onChange(listener: () => void): { dispose(): void };
}

/** Milliseconds without focus or input after which nobody is present. */
export const defaultAbsentAfterMs = 5 * 60_000;

/** Presence that ends some time after the last use, and begins with the next one. */
export class PresenceOfUse implements Presence {
  readonly #clock: Clock;
  readonly #defaultAbsentAfterMs: number;
  readonly #listeners = new Set<() => void>();
  #isUsed = true;
  #isAlwaysPresent = false;
  #isPresent = true;
  #cancel = (): void => {};

  constructor(clock: Clock, absentAfterMs: number = defaultAbsentAfterMs) {
    this.#clock = clock;
    this.#defaultAbsentAfterMs = absentAfterMs;
  }

  get isPresent(): boolean {
    return this.#isPresent;
  }

  onChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Records that somebody uses the window, or no longer does. */
  use(isUsed: boolean): void {
    if (isUsed !== this.#isUsed) {
      this.#isUsed = isUsed;
      this.#update();
    }
  }

  /** With `true`, somebody always counts as present. */
  setAlwaysPresent(isAlwaysPresent: boolean): void {
    if (isAlwaysPresent !== this.#isAlwaysPresent) {
      this.#isAlwaysPresent = isAlwaysPresent;
      this.#update();
    }
  }

  dispose(): void {
    this.#cancel();
    this.#listeners.clear();
  }

  #update(): void {
    this.#cancel();
    if (this.#isUsed || this.#isAlwaysPresent) {
      this.#change(true);
    } else if (this.#isPresent) {
      this.#cancel = this.#clock.schedule(this.#defaultAbsentAfterMs, () => this.#change(false));
    }
  }

  #change(isPresent: boolean): void {
    if (isPresent !== this.#isPresent) {
      this.#isPresent = isPresent;
      for (const listener of [...this.#listeners]) {
        listener();
      }
    }
  }
}
