import type * as vscode from "vscode";
import type { PlatformClient } from "../../api/client/client.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { PlatformResource } from "../resources/resource.ts";

export const viewNames = ["workspaces", "designs", "pages", "sandbox", "workflows", "functions", "apps"] as const;

/** The views of the Platform container; the id of each is `platformWorkbench.<name>`. */
export type ViewName = (typeof viewNames)[number];

export const viewId = (name: ViewName): string => `platformWorkbench.${name}`;

/** The type of rows of a view while they are dragged. */
export const dragType = (name: ViewName): string => `application/vnd.code.tree.platformworkbench.${name}`;

/** The services of every tree. */
export interface TreeParts {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly log: ExtensionLog;
}

/** A row of a tree. Each view has its own union of these, discriminated by `type`. */
export interface TreeRow {
  readonly type: string;
  readonly tenantId: string;
  /** Unique within the tenant and stable across refreshes, so that expansion and selection are kept. */
  readonly key: string;
  /** The resource of the row; undefined for rows that only group others. */
  readonly resource?: PlatformResource;
}

export interface PageRequest {
  readonly client: PlatformClient;
  /** The filter as text or in the tree's own format. Empty for all rows, and always empty below the top level. */
  readonly filter: string;
  /** The number of items that the platform has returned so far. */
  readonly offset: number;
  readonly signal: AbortSignal;
}

export interface BranchPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** The number of items that the platform returned for these rows, if not one per row. */
  readonly itemCount?: number;
  /** The total number of items, if the platform reports it. */
  readonly total?: number | undefined;
  /** A sentence below the rows, for example about items that are not listed. */
  readonly remark?: string | undefined;
}

/** A list of rows below another row, or at the top level of a tenant, read page by page. */
export interface Branch<Row> {
  /** Unique within the tenant. */
  readonly key: string;
  readonly words: {
    /** For example, "versions" in "Cannot load versions: …". */
    readonly things: string;
    /** For example, "No versions yet". */
    readonly empty: string;
    /** The text if nothing matches the filter, such as "No matching app designs". */
    readonly nothingFits?: string;
  };
  /** Number of items per request. */
  readonly pageSize: number;
  read(request: PageRequest): Promise<BranchPage<Row>>;
}

/** A list that the platform returns in one response and that is shown completely. */
export function singlePageBranch<Row>({
  key,
  read,
  ...words
}: {
  readonly key: string;
  readonly things: string;
  readonly empty: string;
  readonly nothingFits?: string;
  readonly read: (request: PageRequest) => Promise<readonly Row[]>;
}): Branch<Row> {
  return {
    key,
    // No further page is ever requested.
    pageSize: Number.MAX_SAFE_INTEGER,
    words,
    read: async (request) => ({ rows: await read(request), hasMore: false }),
  };
}

/** True if the children of a row are a list to read, not known rows. */
export function isBranch<Row>(below: readonly Row[] | Branch<Row>): below is Branch<Row> {
  return "read" in below;
}

/** The definition of a tree: how to read its lists, the children of each row, and how a row looks. */
export interface TreeDefinition<Row extends TreeRow> {
  readonly view: ViewName;
  readonly words: {
    /** For example, "Sign in to see its workspaces". */
    readonly signedOut: string;
    /** Title of the filter's input, such as "Filter App Designs". */
    readonly filterTitle: string;
    readonly filterPlaceholder: string;
    /** The view's message while a filter applies. */
    readonly filtered: (filter: string) => string;
  };
  /**
   * Asks for the filter with other inputs than the text box. The result is in the tree's own format, and empty for no
   * filter.
   */
  askForFilter?(before: string): Promise<string>;
  top(tenantId: string): Branch<Row>;
  /** The children of a row: known rows, or a list to read; undefined for a row without children. */
  below(row: Row): readonly Row[] | Branch<Row> | undefined;
  /**
   * Converts a row to a tree item. The tree adds its id, and marks for menus to its `contextValue`: `;id;details;link`
   * for a row with a resource, `;page` if the resource has a page in the browser.
   */
  item(row: Row): vscode.TreeItem;
  /** The row's card, built on demand. */
  card?(row: Row, signal: AbortSignal): vscode.MarkdownString | undefined | Promise<vscode.MarkdownString | undefined>;
  /** The default action of a row; without it, the details. */
  open?(row: Row): vscode.Command | undefined;
  /** True for a row whose default action only shows something, so that one click suffices; otherwise, it takes two. */
  opensWithOneClick?(row: Row): boolean;
  /** True while the row changes by itself. The list, or only the row, is then polled while the view is visible. */
  isChanging?(row: Row): boolean;
  /** True for a changing row that is read with its list, not alone. It is polled only while somebody uses the window. */
  isReadWithList?(row: Row): boolean;
  /** Reads a single changing row. */
  readAgain?(row: Row, client: PlatformClient): Promise<Row>;
  /** Called with each list that was read; `replace` redraws another row. */
  onRead?(tenantId: string, rows: readonly Row[], replace: (row: Row) => void): void;
  /** Drag and drop within the tree. The dragged rows belong to one tenant. */
  readonly dragAndDrop?: {
    /** True if these rows can be dragged. */
    canDrag(rows: readonly Row[]): boolean;
    /** `target` is undefined for the space below the last row. */
    drop(rows: readonly Row[], target: Row | undefined): Promise<void>;
  };
}
