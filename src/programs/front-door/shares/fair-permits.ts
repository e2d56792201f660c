/** How many permits there are. A single request for more than the limits is granted when no other permit is held. */
interface PermitLimits {
  readonly perUser: number;
  readonly inAll: number;
}

interface Waiting {
  readonly count: number;
  grant(): void;
}

interface Holder {
  held: number;
  readonly waiting: Set<Waiting>;
}

/**
 * Permits that users share. A user holds a limited number of them, so that the others always find some, and waits in a
 * separate queue. Whenever a permit is free, the users take turns.
 */
export class FairPermits {
  readonly #limits: PermitLimits;
  /** Users with permits or waiting requests. The one whose turn is last is at the end. */
  readonly #users = new Map<string, Holder>();
  #held = 0;

  constructor(limits: PermitLimits) {
    this.#limits = limits;
  }

  /** True if no permit is held, and nobody waits for one. */
  get isIdle(): boolean {
    return this.#users.size === 0;
  }

  /**
   * Takes a number of permits at once. Resolves with a function that releases them, and that can be called more than
   * once. Rejects with the reason of the signal if it aborts before.
   */
  take(user: string, signal: AbortSignal, count = 1): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const holder = this.#users.get(user) ?? { held: 0, waiting: new Set<Waiting>() };
      this.#users.set(user, holder);
      const abort = (): void => {
        holder.waiting.delete(waiting);
        this.#deleteIdle(user, holder);
        reject(signal.reason);
        // Others may have waited behind it.
        this.#grant();
      };
      const waiting: Waiting = {
        count,
        grant: () => {
          signal.removeEventListener("abort", abort);
          resolve(this.#granted(user, holder, count));
        },
      };
      signal.addEventListener("abort", abort, { once: true });
      holder.waiting.add(waiting);
      this.#grant();
    });
  }

  #granted(user: string, holder: Holder, count: number): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) {
        return;
      }
      isHeld = false;
      holder.held -= count;
      this.#held -= count;
      this.#deleteIdle(user, holder);
      this.#grant();
    };
  }

  #grant(): void {
    for (;;) {
      const next = this.#next();
      // Nobody else is served before, because a large request would then wait for ever.
      if (next === undefined || !fits(this.#held, next[2].count, this.#limits.inAll)) {
        return;
      }
      const [user, holder, waiting] = next;
      holder.waiting.delete(waiting);
      holder.held += waiting.count;
      this.#held += waiting.count;
      // The user's next turn comes after everyone else's.
      this.#users.delete(user);
      this.#users.set(user, holder);
      waiting.grant();
    }
  }

  /**
   * The first request of the user with the fewest permits who may have more. Among several, the user whose last turn
   * was longest ago.
   */
  #next(): readonly [string, Holder, Waiting] | undefined {
    let next: readonly [string, Holder, Waiting] | undefined;
    for (const [user, holder] of this.#users) {
      const [first] = holder.waiting;
      const isBefore = next === undefined || holder.held < next[1].held;
      if (isBefore && first !== undefined && fits(holder.held, first.count, this.#limits.perUser)) {
        next = [user, holder, first];
      }
    }
    return next;
  }

  #deleteIdle(user: string, holder: Holder): void {
    if (holder.held === 0 && holder.waiting.size === 0) {
      this.#users.delete(user);
    }
  }
}

function fits(held: number, count: number, limit: number): boolean {
  return held === 0 || held + count <= limit;
}
