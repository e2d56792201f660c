import { isDeepStrictEqual } from "node:util";
import { StableRow } from "./elements.ts";

/**
 * The rows of a list for the editor: one object per key while it is listed. When a whole view is drawn again, the editor
 * forgets all of its elements until it has requested them again, and a menu or icon chosen meanwhile has no row.
 */
export class StableRows<Row> {
  readonly #keyOf: (row: Row) => string;
  #known: ReadonlyMap<string, StableRow<Row>> = new Map();

  constructor(keyOf: (row: Row) => string) {
    this.#keyOf = keyOf;
  }

  get elements(): StableRow<Row>[] {
    return [...this.#known.values()];
  }

  /**
   * Lists these rows. Of several with the same key, only the first one, because the editor permits no others. Returns the
   * elements to draw again; undefined for the whole list, if rows were added, removed, or moved.
   */
  replace(rows: readonly Row[]): StableRow<Row>[] | undefined {
    const before = this.#known;
    const listed = new Map<string, StableRow<Row>>();
    const changed: StableRow<Row>[] = [];
    for (const row of rows) {
      const key = this.#keyOf(row);
      const known = before.get(key);
      if (listed.has(key)) {
        continue;
      }
      listed.set(key, known ?? new StableRow(row));
      if (known !== undefined && !isDeepStrictEqual(known.row, row)) {
        known.row = row;
        changed.push(known);
      }
    }
    this.#known = listed;
    return isDeepStrictEqual([...before.keys()], [...listed.keys()]) ? changed : undefined;
  }
}
