import * as vscode from "vscode";
import type { PlatformClient } from "../../api/client/client.ts";
import type { DetailsReader } from "../details/details.ts";
import type { Names } from "../details/values.ts";
import { userNames } from "../resources/user-names.ts";
import type { Branch, TreeDefinition, TreeParts, TreeRow } from "./definition.ts";
import { type CardParts, card, type ItemParts, rowPage, treeItem } from "./presentation.ts";

/** The requests that a card may send. */
interface CardRequests {
  readonly signal: AbortSignal;
  client(): Promise<PlatformClient>;
  /** The names of these users, as far as they are known. */
  names(...userIds: readonly (string | number | null | undefined)[]): Promise<Names>;
}

/**
 * One kind of row of a tree: how it looks, what is below it, and what opening it does. `State` is what the tree knows
 * besides its rows.
 */
export interface RowKind<Row extends TreeRow, State = unknown> {
  readonly type: Row["type"];
  /** How the row looks. Its accessible name consists of the label and the description, unless specified. */
  item(row: Row, state: State): ItemParts | vscode.TreeItem;
  /** Its card; undefined if the row already shows everything. The link to its web page is added. */
  card?(row: Row, requests: CardRequests, state: State): CardParts | Promise<CardParts>;
  /** The rows below it, or a list to read. */
  below?(row: Row, state: State): readonly TreeRow[] | Branch<TreeRow>;
  /** Its default action; without one, the details. */
  open?(row: Row): vscode.Command;
  /** True while it changes by itself. */
  isChanging?(row: Row): boolean;
}

/** A kind of row with a resource of the same type that has details. */
export interface ResourceKind<Row extends TreeRow, State = unknown> extends RowKind<Row, State> {
  /** Reads the resource for its document. */
  readonly details: DetailsReader;
}

/** True if the row is of this kind. */
export function isOfKind<Row extends TreeRow>(row: TreeRow, { type }: RowKind<Row, never>): row is Row {
  return row.type === type;
}

/** The part of a tree's definition that follows from the kinds of its rows. */
export function rowsOfKinds<State>(
  kinds: readonly RowKind<TreeRow, State>[],
  state: State,
  { connections, registry }: Pick<TreeParts, "connections" | "registry">,
): Pick<TreeDefinition<TreeRow>, "item" | "card" | "below" | "open" | "opensWithOneClick" | "isChanging"> {
  const known = new Map(kinds.map((kind) => [kind.type, kind]));
  const kindOf = ({ type }: TreeRow): RowKind<TreeRow, State> => {
    const kind = known.get(type);
    if (kind === undefined) {
      throw new Error(`the tree has no rows of the kind ${type}`);
    }
    return kind;
  };
  return {
    item: (row) => {
      const parts = kindOf(row).item(row, state);
      return parts instanceof vscode.TreeItem
        ? parts
        : treeItem({ accessibilityLabel: accessibleName(parts), ...parts });
    },
    card: async (row, signal) => {
      const client = (): Promise<PlatformClient> => connections.platform(row.tenantId);
      const names: CardRequests["names"] = async (...ids) => userNames(await client(), ids, signal);
      const parts = await kindOf(row).card?.(row, { signal, client, names }, state);
      return parts === undefined ? undefined : card({ ...parts, page: rowPage(row, registry) });
    },
    below: (row) => kindOf(row).below?.(row, state),
    open: (row) => kindOf(row).open?.(row),
    // Clicking a row with rows below it expands it.
    opensWithOneClick: (row) => {
      const kind = kindOf(row);
      return kind.below === undefined && (kind.open !== undefined || row.resource !== undefined);
    },
    isChanging: (row) => kindOf(row).isChanging?.(row) ?? false,
  };
}

function accessibleName({ label, description = "" }: ItemParts): string {
  return [typeof label === "string" ? label : label.label, description].filter((part) => part !== "").join(", ");
}
