import type * as vscode from "vscode";
import type { PlatformClient } from "../../api/client/client.ts";

import type { PlatformResource } from "../resources/resource.ts";
import type { ViewName } from "./view-name.ts";

/** A row of a tree. Each view has its own union of these, told apart by `type`. */
export interface TreeRow {
  readonly type: string;
  readonly tenantId: string;
  /** Tells the row apart within its tenant and stays the same over refreshes: what is expanded and selected survives. */
  readonly key: string;
  /** What the row is about; rows that only group others have none. */
  readonly resource?: PlatformResource;
}

export interface PageRequest {
  readonly client: PlatformClient;
  /** What the person filters by; empty for all, and always empty below the top. */
  readonly filter: string;
  /** How many items the platform has given of this list. */
  readonly offset: number;
  readonly signal: AbortSignal;
}

export interface BranchPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Items that the platform gave for these rows, where it is another number. */
  readonly taken?: number;
  /** How many items there are, where the platform tells. */
  readonly total?: number | undefined;
}

/** A list of rows below another one, or at the top of a tenant, read a page at a time. */
export interface Branch<Row> {
  /** Unique within the tenant. */
  readonly key: string;
  readonly words: {
    /** As "versions" in "Cannot load versions: …". */
    readonly things: string;
    /** As "No versions yet". */
    readonly empty: string;
    /** Where the filter leaves nothing, as "No design has this in its name". */
    readonly nothingFits?: string;
  };
  /** Items asked for at a time. */
  readonly pageSize: number;
  read(request: PageRequest): Promise<BranchPage<Row>>;
}

/** What makes a tree: what is read, what is below what, and how a row looks. */
export interface TreeDefinition<Row extends TreeRow> {
  readonly view: ViewName;
  readonly words: {
    /** As "Sign in to see its workspaces". */
    readonly signedOut: string;
    /** Title of the filter's input, as "Filter App Designs". */
    readonly filterTitle: string;
    readonly filterPlaceholder: string;
    /** The view's message while a filter is in force. */
    readonly filtered: (filter: string) => string;
  };
  top(tenantId: string): Branch<Row>;
  /** What is below a row: rows that are known, or a list to read; undefined for a row without anything below. */
  below(row: Row): readonly Row[] | Branch<Row> | undefined;
  /**
   * The row as the editor draws it. The tree gives it its id, and marks for menus to its `contextValue`: `;id;details;link`
   * for one that is about a resource, `;page` where the resource has a page in the browser.
   */
  item(row: Row): vscode.TreeItem;
  /** The row's card, built when asked for. */
  card?(row: Row, signal: AbortSignal): vscode.MarkdownString | undefined | Promise<vscode.MarkdownString | undefined>;
  /** What a double click or Enter does; without it they show the details. */
  open?(row: Row): vscode.Command | undefined;
  /** True while what the row shows changes by itself: its list, or the row alone, is read again while somebody looks. */
  isChanging?(row: Row): boolean;
  /** Reads a changing row alone. */
  readAgain?(row: Row, client: PlatformClient): Promise<Row>;
  /** Told of each list that was read; `replace` draws another row again. */
  onRead?(tenantId: string, rows: readonly Row[], replace: (row: Row) => void): void;
  /** Drag and drop within the tree; the rows that are dragged are of one tenant. */
  readonly dragAndDrop?: {
    /** Whether these rows can be dragged at all. */
    canDrag(rows: readonly Row[]): boolean;
    /** `target` is undefined for the space below the last row. */
    drop(rows: readonly Row[], target: Row | undefined): Promise<void>;
  };
}
