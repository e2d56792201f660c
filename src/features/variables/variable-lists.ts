import type { VariablePath, VariableRow } from "../../api/companion/operations/variables.ts";
import { maxVariableRows } from "../../api/companion/operations/variables.ts";
import { ResponseOrder } from "../../api/response-order.ts";

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

interface Page {
  readonly rows: readonly VariableRow[];
  readonly total: number;
}

/** Reads a part of the list of all variables, or of those below a value. */
export type ReadPage = (path: VariablePath | undefined, offset: number, count: number) => Promise<Page>;

interface List {
  readonly path: VariablePath | undefined;
  /** Number of rows to show. */
  wanted: number;
  nodes: readonly ListNode[];
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

  /** The rows of a list, which is read on the first call. Never rejects for a list below a value. */
  async nodes(parent?: VariableNode): Promise<readonly ListNode[]> {
    const key = parent?.key ?? "";
    const known = this.#lists.get(key);
    if (known !== undefined) {
      await known.opened;
      return known.nodes;
    }
    const order = new ResponseOrder();
    const list: List = { path: parent?.path, wanted: pageSize, nodes: [], order, opened: settled };
    // From now on, it is read again with the others.
    this.#lists.set(key, list);
    list.opened = this.#update(key, list);
    try {
      await list.opened;
    } catch (error) {
      this.#lists.delete(key);
      throw error;
    }
    return list.nodes;
  }

  /** Reads the next rows of a list. */
  async loadMore(key: string): Promise<void> {
    const list = this.#lists.get(key);
    if (list !== undefined) {
      list.wanted += pageSize;
      await this.#update(key, list);
    }
  }

  /**
   * Reads the list of all variables again, and those below the values for which `isShown` is true. Drops the others, which
   * are read when they are shown again. Resolves with whether anything has changed.
   */
  async refresh(isShown: (key: string) => boolean): Promise<boolean> {
    let hasChanged = false;
    for (const [key, list] of [...this.#lists]) {
      if (key !== "" && list.order.hasResponse && !isShown(key)) {
        this.#lists.delete(key);
        continue;
      }
      const before = JSON.stringify(list.nodes);
      await this.#update(key, list);
      hasChanged ||= JSON.stringify(list.nodes) !== before;
    }
    return hasChanged;
  }

  /** Reads a list. A reply that comes after that of a later reading is dropped: it may be of another filter. */
  async #update(key: string, list: List): Promise<void> {
    const accept = list.order.begin();
    const nodes = await this.#pages(key, list).catch((error: unknown): readonly ListNode[] => {
      if (key === "") {
        throw error;
      }
      return [{ type: "failed", list: key, error }];
    });
    if (accept()) {
      list.nodes = nodes;
    }
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
