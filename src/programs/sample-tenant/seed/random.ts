/** Pseudorandom numbers, the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  /** A string or number. Parts of the data have their own seeds, so that they are independent of each other. */
  constructor(seed: string | number) {
    this.#state = typeof seed === "number" ? seed >>> 0 : hashOf(seed);
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number between these numbers, inclusive. */
  integer(least: number, max: number): number {
    return least + Math.floor(this.next() * (max - least + 1));
  }

  /** One of the items. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] ?? items[0];
  }

  /** True for this fraction of calls. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An id in the format of a UUID. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.integer(0, 15).toString(16)).join("");
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `a${digits.slice(17, 20)}`,
      digits.slice(20),
    ].join("-");
  }

  /** A time between two times, with second precision. All are ISO 8601. */
  time(from: string, to: string): string {
    const at = Date.parse(from) + this.next() * (Date.parse(to) - Date.parse(from));
    return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
  }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}
