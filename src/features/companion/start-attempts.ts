import type { CompanionObstacle } from "../../api/companion/errors.ts";

/** Milliseconds before the next start after each failure in a row. After the last one, the companion stays off. */
const pausesMs = [30_000, 120_000];
/** Milliseconds of use after which a failure is the first one again. */
const stableMs = 10 * 60_000;

/** Whether a companion may be started. `waiting`: a start has failed a moment ago. `off`: until somebody asks for it. */
export type StartPermission = "allowed" | "waiting" | "off";

/** Decides when a companion that failed may be started again, so that it isn't started in a loop. */
export class StartAttempts {
  readonly #now: () => number;
  #failures = 0;
  #lastFailure = 0;
  #startedAt: number | undefined;
  #isOff = false;

  /** `now`: milliseconds of a clock that never moves backward. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get permission(): StartPermission {
    if (this.#isOff) {
      return "off";
    }
    const pauseMs = pausesMs[this.#failures - 1] ?? 0;
    return this.#failures > 0 && this.#now() - this.#lastFailure < pauseMs ? "waiting" : "allowed";
  }

  started(): void {
    this.#startedAt = this.#now();
  }

  /** Records that a start failed, or that a companion ended by itself. Returns true if it stays off from now on. */
  failed(obstacle: CompanionObstacle | undefined): boolean {
    const now = this.#now();
    const wasStable = this.#startedAt !== undefined && now - this.#startedAt >= stableMs;
    this.#failures = wasStable ? 1 : this.#failures + 1;
    this.#lastFailure = now;
    this.#startedAt = undefined;
    const isLasting = obstacle !== undefined && obstacle !== "refused";
    this.#isOff = isLasting || this.#failures > pausesMs.length;
    return this.#isOff;
  }

  /** Records that the server couldn't be reached, which says nothing about the companion. */
  unreachable(): void {
    this.#failures = Math.max(1, this.#failures);
    this.#lastFailure = this.#now();
  }

  /** The user has ended it. */
  turnOff(): void {
    this.#isOff = true;
  }

  /** Permits the next start, for example because the user asks for it, or because the server was replaced. */
  reset(): void {
    this.#failures = 0;
    this.#startedAt = undefined;
    this.#isOff = false;
  }
}
