import { TreeItemCollapsibleState } from "vscode";
import type { Branch, BranchPage, PageRequest, TreeRow } from "./definition.ts";
import type { ItemParts } from "./presentation.ts";
import type { RowKind } from "./row-kind.ts";

/** A list that has a row of its own, such as `Versions 3`. `Parent` is that row. */
export interface RowList<Parent, Row extends TreeRow = TreeRow> {
  readonly label: string;
  readonly icon: string;
  /** For example, "versions" in "Cannot load versions: …". */
  readonly things: string;
  /** For example, "No versions yet". */
  readonly empty: string;
  /** Number of items per request; without it, the platform returns the list in one response. */
  readonly pageSize?: number;
  /** The number of items, if it is known before the list is read. */
  count?(parent: Parent): number | null | undefined;
  read(parent: Parent, request: PageRequest): Promise<readonly Row[] | BranchPage<Row>>;
}

export function listItem<Parent>({ label, icon, count }: RowList<Parent>, parent: Parent): ItemParts {
  return { label, description: count?.(parent)?.toString(), icon, state: TreeItemCollapsibleState.Collapsed };
}

/** The list below its row. */
export function listBranch<Parent extends TreeRow>(
  { things, empty, pageSize = Number.MAX_SAFE_INTEGER, read }: RowList<Parent>,
  parent: Parent,
  key: string = parent.key,
): Branch<TreeRow> {
  return {
    key,
    pageSize,
    words: { things, empty },
    read: async (request) => {
      const page = await read(parent, request);
      return "rows" in page ? page : { rows: page, hasMore: false };
    },
  };
}

/** A kind of row with a list below it. */
export function listKind<Row extends TreeRow>(type: Row["type"], list: RowList<Row>): RowKind<Row> {
  return { type, item: (row) => listItem(list, row), below: (row) => listBranch(list, row) };
}
