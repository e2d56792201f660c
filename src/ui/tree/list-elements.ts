import type { BranchListing } from "./branch-listing.ts";
import type { TreeRow } from "./definition.ts";
import type { ListReference, RowElement, TreeElement } from "./elements.ts";

/** What is shown of a list: its rows, and what its state adds to them. */
export function listElements<Row extends TreeRow>(
  { branch, state, filter }: BranchListing<Row>,
  rows: readonly RowElement<Row>[],
  reference: ListReference & { readonly view: string },
): TreeElement<Row>[] {
  const { words, pageSize } = branch;
  switch (state.type) {
    case "unread":
    case "loading":
      return rows.length > 0 ? [...rows] : [{ type: "loading", ...reference }];
    case "failed":
      return [{ type: "error", error: state.error, things: words.things, ...reference }, ...rows];
    case "ready": {
      const { empty, nothingFits = empty } = words;
      if (rows.length === 0) {
        return [{ type: "empty", text: filter === "" ? empty : nothingFits, ...reference }];
      }
      const more = { type: "more", shown: rows.length, total: state.total, pageSize, ...reference } as const;
      return state.hasMore ? [...rows, more] : [...rows];
    }
  }
}
