/** How many permits there are. */
interface PermitLimits {
  readonly perUser: number;
  readonly inAll: number;
}

interface Waiting {
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
   * Resolves with a function that releases the permit, and that can be called more than once. Rejects with the reason
   * of the signal if it aborts before.
   */
  take(user: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const holder = this.#users.get(user) ?? { held: 0, waiting: new Set<Waiting>() };
      this.#users.set(user, holder);
      const abort = (): void => {
        holder.waiting.delete(waiting);
        this.#forgetIdle(user, holder);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        grant: () => {
          signal.removeEventListener("abort", abort);
          resolve(this.#granted(user, holder));
        },
      };
      signal.addEventListener("abort", abort, { once: true });
      holder.waiting.add(waiting);
      this.#grant();
    });
  }

  #granted(user: string, holder: Holder): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) {
        return;
      }
      isHeld = false;
      holder.held -= 1;
      this.#held -= 1;
      this.#forgetIdle(user, holder);
      this.#grant();
    };
  }

  #grant(): void {
    while (this.#held < this.#limits.inAll) {
      const next = this.#next();
      if (next === undefined) {
        return;
      }
      const [user, holder, waiting] = next;
      holder.waiting.delete(waiting);
      holder.held += 1;
      this.#held += 1;
      // The user's next turn comes after everyone else's.
      this.#users.delete(user);
      this.#users.set(user, holder);
      waiting.grant();
    }
  }

  /** The first request of a user with the fewest permits. Among several, the user whose last turn was longest ago. */
  #next(): readonly [string, Holder, Waiting] | undefined {
    let next: readonly [string, Holder, Waiting] | undefined;
    for (const [user, holder] of this.#users) {
      const [first] = holder.waiting;
      if (
        first !== undefined &&
        holder.held < Math.min(this.#limits.perUser, next?.[1].held ?? Number.POSITIVE_INFINITY)
      ) {
        next = [user, holder, first];
      }
    }
    return next;
  }

  #forgetIdle(user: string, holder: Holder): void {
    if (holder.held === 0 && holder.waiting.size === 0) {
      this.#users.delete(user);
    }
  }
}
