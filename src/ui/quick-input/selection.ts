/**
 * The selection of a quick pick whose rows arrive while it is open, as keys of the rows.
 *
 * The editor's window keeps its own selection, and both sides hear of the other's changes late. When the window gets new
 * rows, it first empties its selection and then applies the one that came with the rows, which may be older than the
 * user's last click. So only what the window reports on its own counts as a choice of the user. If what was sent
 * overwrote such a choice, it has to be sent again.
 */
export class Selection {
  readonly #always: ReadonlySet<string>;
  #chosen: ReadonlySet<string> = new Set();
  #reported: ReadonlySet<string> = new Set();
  /** What the window will report because of what was sent, in this order. It reports nothing that it already had. */
  #expected: readonly ReadonlySet<string>[] = [];
  #sent: ReadonlySet<string> = new Set();

  /** Rows with the keys in `always` stay selected. */
  constructor(always: Iterable<string> = []) {
    this.#always = new Set(always);
  }

  /** The keys that the user chose, without those that are always selected. */
  get chosen(): ReadonlySet<string> {
    return this.#chosen;
  }

  /** The keys to select in the window's rows. The caller sends them now. */
  send(): ReadonlySet<string> {
    return this.#send([]);
  }

  /** Like {@link send}, with new rows. */
  sendWithRows(): ReadonlySet<string> {
    const isEmptied = this.#sent.size > 0 || this.#reported.size > 0;
    return this.#send(isEmptied ? [new Set()] : []);
  }

  /** Takes what the window has selected now. False if it has to be sent again. */
  report(keys: ReadonlySet<string>): boolean {
    const [expected, ...later] = this.#expected;
    if (expected !== undefined && isSame(expected, keys)) {
      this.#expected = later;
    } else {
      const added = keys.difference(this.#reported).difference(this.#always);
      const removed = this.#reported.difference(keys);
      this.#chosen = this.#chosen.union(added).difference(removed);
    }
    this.#reported = keys;
    return this.#expected.length > 0 || isSame(keys, this.#selected());
  }

  #send(before: readonly ReadonlySet<string>[]): ReadonlySet<string> {
    const selected = this.#selected();
    this.#expected = [...this.#expected, ...before, ...(selected.size > 0 ? [selected] : [])];
    this.#sent = selected;
    return selected;
  }

  #selected(): ReadonlySet<string> {
    return this.#always.union(this.#chosen);
  }
}

function isSame(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && left.isSubsetOf(right);
}
