/** Work that the clock runs at a time. Work of the same time runs in the order in which it was scheduled. */
export interface Timer {
  readonly time: number;
  readonly order: number;
  /** Undefined once it was canceled. */
  work: (() => void) | undefined;
}

/** A clock that jumps from one timer to the next. Times are in milliseconds. */
export class VirtualClock {
  #now: number;
  #order = 0;
  /** A binary heap: each timer is due before the two at twice its index plus 1 and plus 2. */
  readonly #heap: Timer[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  get now(): number {
    return this.#now;
  }

  schedule(milliseconds: number, work: () => void): Timer {
    const timer: Timer = { time: this.#now + Math.max(0, milliseconds), order: this.#order, work };
    this.#order += 1;
    this.#push(timer);
    return timer;
  }

  /** Runs the next timer if it is due by `end`. Returns false, and is then at `end`, if none is. */
  step(end: number): boolean {
    for (let next = this.#heap[0]; next !== undefined && next.time <= end; next = this.#heap[0]) {
      this.#pop();
      const { work } = next;
      if (work !== undefined) {
        this.#now = next.time;
        work();
        return true;
      }
    }
    this.#now = Math.max(this.#now, end);
    return false;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.length;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, timer)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    const size = heap.length;
    if (last === undefined || size === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let below = heap[left];
      if (below === undefined) break;
      let place = left;
      const other = heap[right];
      if (other !== undefined && isBefore(other, below)) {
        below = other;
        place = right;
      }
      if (!isBefore(below, last)) break;
      heap[index] = below;
      index = place;
    }
    heap[index] = last;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}
