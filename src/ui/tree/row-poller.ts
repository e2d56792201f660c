import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TreeDefinition, TreeRow } from "./definition.ts";
import type { BranchListing } from "./listing.ts";
import type { KnownList, TreeLists } from "./tree-lists.ts";

/** Milliseconds between two rounds. */
const interval = 5000;
const maxPerRound = 10;

interface PollerOptions<Part> {
  /** False pauses the polling, because the view isn't visible. */
  isWatched(): boolean;
  changing(): readonly Part[];
  read(part: Part): Promise<void>;
}

/** Reads changing parts every 5 seconds until nothing changes anymore. */
export class Poller<Part> {
  readonly #options: PollerOptions<Part>;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: PollerOptions<Part>) {
    this.#options = options;
  }

  /** Starts or stops the timer. Call it whenever the set of changing parts may have changed. */
  schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isDisposed && this.#options.isWatched() && this.#options.changing().length > 0) {
      this.#timer = setTimeout(() => void this.#readAll(), interval);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #readAll(): Promise<void> {
    for (const part of this.#options.changing().slice(0, maxPerRound)) {
      await this.#options.read(part);
    }
    this.schedule();
  }
}

/** The target of polling: a whole list, or a row that can be read individually. */
type ChangingPart<Row extends TreeRow> =
  | {
      readonly type: "list";
      readonly listing: BranchListing<Row>;
      /** Number of rows up to the last one that changes. */
      readonly count: number;
    }
  | { readonly type: "row"; readonly row: Row };

interface RowPollerOptions<Row extends TreeRow> {
  readonly definition: TreeDefinition<Row>;
  readonly lists: Pick<TreeLists<Row>, "all">;
  /** False for a list below a row that the user has collapsed. */
  isExpanded(list: KnownList<Row>): boolean;
  readonly connections: Pick<Connections, "platform">;
  readonly log: Pick<ExtensionLog, "debug">;
  readonly view: Pick<vscode.TreeView<unknown>, "visible" | "onDidChangeVisibility">;
  /** Redraws a row with the new version. */
  replace(row: Row): void;
}

/** Polls the rows that change by themselves while their view is visible and the window has the focus. */
export class RowPoller<Row extends TreeRow> implements vscode.Disposable {
  readonly #options: RowPollerOptions<Row>;
  readonly #polling: Poller<ChangingPart<Row>>;
  readonly #listeners: readonly vscode.Disposable[];

  constructor(options: RowPollerOptions<Row>) {
    const { view } = options;
    this.#options = options;
    this.#polling = new Poller({
      isWatched: () => view.visible && vscode.window.state.focused,
      changing: () => this.#changing(),
      read: (part) => (part.type === "list" ? part.listing.refreshFirst(part.count) : this.#readRow(part.row)),
    });
    this.#listeners = [
      view.onDidChangeVisibility(() => this.schedule()),
      vscode.window.onDidChangeWindowState(() => this.schedule()),
    ];
  }

  /** Call it whenever rows were read. */
  schedule(): void {
    this.#polling.schedule();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listeners, this.#polling).dispose();
  }

  #changing(): readonly ChangingPart<Row>[] {
    const { definition, isExpanded, lists } = this.#options;
    return lists.all.flatMap((list): readonly ChangingPart<Row>[] => {
      const { listing } = list;
      const rows = listing.state.type === "loading" ? [] : listing.rows.filter((row) => definition.isChanging?.(row));
      const last = rows.at(-1);
      if (last === undefined) {
        return [];
      }
      const part: ChangingPart<Row> = { type: "list", listing, count: listing.rows.lastIndexOf(last) + 1 };
      if (definition.isReadWithList?.(last) === true) {
        return isExpanded(list) && vscode.window.state.active ? [part] : [];
      }
      return definition.readAgain === undefined ? [part] : rows.map((row) => ({ type: "row", row }));
    });
  }

  async #readRow(row: Row): Promise<void> {
    const { definition, connections, log, replace } = this.#options;
    try {
      const client = await connections.platform(row.tenantId);
      const fresh = (await definition.readAgain?.(row, client)) ?? row;
      definition.onRead?.(row.tenantId, [fresh], replace);
      replace(fresh);
    } catch (error) {
      log.debug(`reading ${row.key} again: ${errorMessage(error)}`);
    }
  }
}
