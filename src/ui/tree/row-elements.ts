import type { TreeRow } from "./definition.ts";
import { RowElement, type TreeElement } from "./elements.ts";

/** The rows as the editor holds them: one object for a row as long as it hangs below the same one. */
export class RowElements<Row extends TreeRow> {
  readonly #known = new Map<string, RowElement<Row>>();

  find(tenantId: string, key: string): RowElement<Row> | undefined {
    return this.#known.get(`${tenantId}/${key}`);
  }

  /** The objects of these rows, with what was last read of them. */
  of(rows: readonly Row[], parent: TreeElement<Row> | undefined): RowElement<Row>[] {
    return rows.map((row) => {
      const known = this.find(row.tenantId, row.key);
      if (known !== undefined && known.parent === parent) {
        known.row = row;
        return known;
      }
      const element = new RowElement(row, parent);
      this.#known.set(`${row.tenantId}/${row.key}`, element);
      return element;
    });
  }
}
