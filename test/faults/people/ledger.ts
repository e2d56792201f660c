import assert from "node:assert/strict";

/** The marks that people have written, and those that they have removed knowingly. */
export class Ledger {
  readonly #written = new Set<string>();
  readonly #removed = new Set<string>();

  write(marks: Iterable<string>): void {
    for (const mark of marks) this.#written.add(mark);
  }

  /** Records that someone has removed these marks, and has seen them or has confirmed that. */
  remove(marks: Iterable<string>): void {
    for (const mark of marks) this.#removed.add(mark);
  }

  /** Asserts that every mark that nobody has removed is among those that exist. */
  check(existing: ReadonlySet<string>): void {
    const lost = [...this.#written].filter((mark) => !this.#removed.has(mark) && !existing.has(mark));
    assert.deepEqual(lost, [], "lost");
  }
}

/** The marks of `all` without those of `others`. */
export function without(all: Iterable<string>, others: ReadonlySet<string>): readonly string[] {
  return [...all].filter((mark) => !others.has(mark));
}
