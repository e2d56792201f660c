import type { Tenant } from "../../tenants/tenant.ts";
import type { Translate } from "../format/labels.ts";
import type { PlatformResource } from "../resources/resource.ts";
import type { TreeRow } from "./definition.ts";

/** A row for the editor, which knows rows by their objects; `row` is its last read state. Menus pass it to commands. */
export class StableRow<Row> {
  row: Row;

  constructor(row: Row) {
    this.row = row;
  }
}

/** A row of the shared tree: one object for the lifetime of the tree. */
export class RowElement<Row extends TreeRow = TreeRow> extends StableRow<Row> {
  readonly type = "row";
  readonly parent: TreeElement<Row> | undefined;
  /** What the editor has drawn, for comparisons. */
  drawn: unknown;

  constructor(row: Row, parent: TreeElement<Row> | undefined) {
    super(row);
    this.parent = parent;
  }

  get tenantId(): string {
    return this.row.tenantId;
  }

  get resource(): PlatformResource | undefined {
    return this.row.resource;
  }
}

/** The row of a tenant, if there are several. */
export interface TenantElement {
  readonly type: "tenant";
  readonly tenant: Tenant;
  readonly isSignedIn: boolean;
  readonly isCurrent: boolean;
}

/** The list that an element of the frame belongs to. */
export interface ListReference {
  readonly tenantId: string;
  /** The branch's key. */
  readonly list: string;
}

/** The elements of a tree other than rows. */
export type FrameElement = (
  | { readonly type: "loading" }
  | { readonly type: "empty"; readonly text: string }
  | { readonly type: "error"; readonly things: string; readonly error: unknown }
  | {
      readonly type: "more";
      readonly shown: number;
      readonly total: number | undefined;
      readonly pageSize: number;
    }
  | { readonly type: "remark"; readonly text: string }
) &
  ListReference & { readonly view: string };

export interface SignedOutElement {
  readonly type: "signedOut";
  readonly tenant: Tenant;
  readonly text: string;
}

export type TreeElement<Row extends TreeRow = TreeRow> =
  | RowElement<Row>
  | TenantElement
  | SignedOutElement
  | FrameElement;

/** The row of an element that a menu passes to a command; other arguments are returned unchanged. */
export function rowOf(argument: unknown): unknown {
  return argument instanceof StableRow ? argument.row : argument;
}

/** `Load 50 More (50 of 214)`, without the total if the platform does not report it. */
export function moreLabel(shown: number, total: number | undefined, page: number, translate: Translate): string {
  if (total === undefined) {
    return translate("Load {0} More ({1} shown)", page, shown);
  }
  return translate("Load {0} More ({1} of {2})", Math.min(page, total - shown), shown, total);
}
