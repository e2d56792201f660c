import type { VariablePath, VariableRow } from "../../api/companion/operations/variables.ts";
import { maxVariableRows } from "../../api/companion/operations/variables.ts";
import { ResponseOrder } from "../../api/response-order.ts";
import type { StableRow } from "../../ui/tree/elements.ts";
import { StableRows } from "../../ui/tree/stable-rows.ts";

const settled = Promise.resolve();
/** Number of rows that are read at first, and with each Load More. */
const pageSize = 200;

/** A variable, or a value below one. Menus pass it to commands. */
export interface VariableNode {
  readonly type: "variable";
  /** Identifies its path. */
  readonly key: string;
  readonly path: VariablePath;
  readonly row: VariableRow;
  /** The URI of the notebook. */
  readonly notebook: string;
  /** The expression that gives the value in the kernel. */
  readonly expression: string | undefined;
}

/** The row below a list that has more. */
export interface MoreNode {
  readonly type: "more";
  /** The key of the value that has the list; empty for that of all variables. */
  readonly list: string;
  readonly shown: number;
  readonly total: number;
  readonly pageSize: number;
}

/** The row of a list that can't be read. */
interface FailedNode {
  readonly type: "failed";
  readonly list: string;
  readonly error: unknown;
}

export type ListNode = VariableNode | MoreNode | FailedNode;
export type ListElement = StableRow<ListNode>;
/** The elements to draw again, with what is below them; undefined for all. */
export type Changed = ListElement[] | undefined;

interface Page {
  readonly rows: readonly VariableRow[];
  readonly total: number;
}

/** Reads a part of the list of all variables, or of those below a value. */
export type ReadPage = (path: VariablePath | undefined, offset: number, count: number) => Promise<Page>;

interface List {
  /** The element that it is below; undefined for the list of all variables. */
  parent: ListElement | undefined;
  readonly path: VariablePath | undefined;
  /** Number of rows to show. */
  wanted: number;
  readonly rows: StableRows<ListNode>;
  readonly order: ResponseOrder;
  /** Settles with the first reading. */
  opened: Promise<void>;
}

/** The lists of variables that were read, in pages. */
export class VariableLists {
  readonly #notebook: string;
  readonly #read: ReadPage;
  readonly #lists = new Map<string, List>();

  /** `notebook`: its URI. */
  constructor(notebook: string, read: ReadPage) {
    this.#notebook = notebook;
    this.#read = read;
  }

  /** The elements of a list, which is read on the first call. Never rejects for a list below a value. */
  async elements(parent?: ListElement): Promise<ListElement[]> {
    const node = parent?.row.type === "variable" ? parent.row : undefined;
    const key = node?.key ?? "";
    const known = this.#lists.get(key);
    if (known !== undefined) {
      known.parent = parent;
      await known.opened;
      return known.rows.elements;
    }
    const rows = new StableRows(keyOf);
    const order = new ResponseOrder();
    const list: List = { parent, path: node?.path, wanted: pageSize, rows, order, opened: settled };
    // From now on, it is read again with the others.
    this.#lists.set(key, list);
    list.opened = this.#update(key, list).then(() => {});
    try {
      await list.opened;
    } catch (error) {
      this.#lists.delete(key);
      throw error;
    }
    return rows.elements;
  }

  /** Reads the next rows of a list. */
  async loadMore(key: string): Promise<Changed> {
    const list = this.#lists.get(key);
    if (list === undefined) {
      return [];
    }
    list.wanted += pageSize;
    return this.#update(key, list);
  }

  /**
   * Reads the list of all variables again, and those below the values for which `isShown` is true. Drops the others, which
   * are read when they are shown again.
   */
  async refresh(isShown: (key: string) => boolean): Promise<Changed> {
    const all: Changed[] = [];
    for (const [key, list] of [...this.#lists]) {
      if (key !== "" && list.order.hasResponse && !isShown(key)) {
        this.#lists.delete(key);
        // The editor has the rows below it, too.
        all.push(list.parent === undefined ? [] : [list.parent]);
      } else {
        all.push(await this.#update(key, list));
      }
    }
    return all.includes(undefined) ? undefined : all.flatMap((changed) => changed ?? []);
  }

  /** Reads a list. A reply that comes after that of a later reading is dropped: it may be of another filter. */
  async #update(key: string, list: List): Promise<Changed> {
    const accept = list.order.begin();
    const nodes = await this.#pages(key, list).catch((error: unknown): readonly ListNode[] => {
      if (key === "") {
        throw error;
      }
      return [{ type: "failed", list: key, error }];
    });
    if (!accept()) {
      return [];
    }
    const changed = list.rows.replace(nodes);
    return changed === undefined && list.parent !== undefined ? [list.parent] : changed;
  }

  async #pages(key: string, { path, wanted }: List): Promise<readonly ListNode[]> {
    const rows: VariableRow[] = [];
    for (;;) {
      const page = await this.#read(path, rows.length, Math.min(wanted - rows.length, maxVariableRows));
      rows.push(...page.rows);
      if (page.rows.length === 0 || rows.length >= Math.min(wanted, page.total)) {
        const nodes: readonly ListNode[] = rows.map((row) => this.#nodeOf(row, path));
        const { total } = page;
        const hasMore = page.rows.length > 0 && rows.length < total;
        return hasMore ? [...nodes, { type: "more", list: key, shown: rows.length, total, pageSize }] : nodes;
      }
    }
  }

  #nodeOf(row: VariableRow, parent: VariablePath = []): VariableNode {
    const path = [...parent, row.step];
    const expression = row.expression ?? undefined;
    return { type: "variable", key: JSON.stringify(path), path, row, notebook: this.#notebook, expression };
  }
}

function keyOf(node: ListNode): string {
  return node.type === "variable" ? node.key : node.type;
}
