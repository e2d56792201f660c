import type { Random } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** How long items take, in milliseconds. Most take up to `usual`, a few up to `rare`. */
export interface Latency {
  readonly usual: number;
  readonly rare: number;
}

/** Delivers items in their order, each after a random time. Those that are due at the same time arrive together. */
export class Pipe<Item> {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #latency: Latency;
  readonly #deliver: (items: readonly Item[]) => void;
  #items: Item[] = [];
  #times: number[] = [];
  #last = 0;
  #isScheduled = false;
  /** Nothing arrives before this time. */
  #stalledUntil = 0;
  #isBlocked = false;
  #isClosed = false;

  constructor(clock: VirtualClock, random: Random, latency: Latency, deliver: (items: readonly Item[]) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#latency = latency;
    this.#deliver = deliver;
  }

  /** True if items get lost without a sign. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** When everything that was sent has arrived. */
  get drainedAt(): number {
    return this.#times.at(-1) ?? 0;
  }

  send(item: Item): void {
    if (this.#isBlocked || this.#isClosed) return;
    const { usual, rare } = this.#latency;
    const random = this.#random.next();
    const milliseconds = random > 0.97 ? random * rare : random * usual;
    this.#last = Math.max(this.#last, this.#clock.now + milliseconds, this.#stalledUntil);
    this.#items.push(item);
    this.#times.push(this.#last);
    this.#schedule();
  }

  /** Loses what is on its way and everything that follows, without a sign. */
  block(): void {
    this.#isBlocked = true;
    this.#drop();
  }

  /** Delays what is on its way and what follows. */
  stall(milliseconds: number): void {
    this.#stalledUntil = this.#clock.now + milliseconds;
    this.#times = this.#times.map((time) => Math.max(time, this.#stalledUntil));
    this.#last = Math.max(this.#last, this.#stalledUntil);
  }

  /** Drops what is on its way. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    this.#items = [];
    this.#times = [];
  }

  #schedule(): void {
    const [next] = this.#times;
    if (this.#isScheduled || next === undefined) return;
    this.#isScheduled = true;
    this.#clock.schedule(next - this.#clock.now, () => this.#arrive());
  }

  #arrive(): void {
    this.#isScheduled = false;
    const { now } = this.#clock;
    let count = 0;
    while (count < this.#times.length && (this.#times[count] ?? 0) <= now) count += 1;
    if (count > 0) {
      this.#times.splice(0, count);
      const items = this.#items.splice(0, count);
      this.#schedule();
      this.#deliver(items);
    } else {
      this.#schedule();
    }
  }
}
