import * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { BranchListing } from "./branch-listing.ts";
import { ChangingParts } from "./changing-parts.ts";
import type { TreeDefinition, TreeRow } from "./definition.ts";
import type { TreeLists } from "./tree-lists.ts";

/** What is read again while it changes: a whole list, or one row where rows can be read alone. */
type ChangingPart<Row extends TreeRow> =
  | { readonly type: "list"; readonly listing: BranchListing<Row> }
  | { readonly type: "row"; readonly row: Row };

export interface ChangingRowsOptions<Row extends TreeRow> {
  readonly definition: TreeDefinition<Row>;
  readonly lists: Pick<TreeLists<Row>, "all">;
  readonly connections: Pick<Connections, "platform">;
  readonly log: Pick<vscode.LogOutputChannel, "debug">;
  readonly view: Pick<vscode.TreeView<unknown>, "visible" | "onDidChangeVisibility">;
  /** Draws a row as it was read. */
  replace(row: Row): void;
}

/** Keeps rows that change by themselves as the platform has them, while somebody looks at their view. */
export class ChangingRows<Row extends TreeRow> implements vscode.Disposable {
  readonly #options: ChangingRowsOptions<Row>;
  readonly #parts: ChangingParts<ChangingPart<Row>>;
  readonly #listeners: readonly vscode.Disposable[];

  constructor(options: ChangingRowsOptions<Row>) {
    const { view } = options;
    this.#options = options;
    this.#parts = new ChangingParts({
      isWatched: () => view.visible && vscode.window.state.focused,
      changing: () => this.#changing(),
      read: (part) => (part.type === "list" ? part.listing.refresh() : this.#readRow(part.row)),
    });
    this.#listeners = [
      view.onDidChangeVisibility(() => this.schedule()),
      vscode.window.onDidChangeWindowState(() => this.schedule()),
    ];
  }

  /** Looks whether there is something to read; called whenever rows were read. */
  schedule(): void {
    this.#parts.schedule();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listeners, this.#parts).dispose();
  }

  #changing(): readonly ChangingPart<Row>[] {
    const { definition, lists } = this.#options;
    return lists.all.flatMap(({ listing }): readonly ChangingPart<Row>[] => {
      const rows = listing.state.type === "loading" ? [] : listing.rows.filter((row) => definition.isChanging?.(row));
      if (definition.readAgain !== undefined) {
        return rows.map((row) => ({ type: "row", row }));
      }
      return rows.length === 0 ? [] : [{ type: "list", listing }];
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
      log.debug(`reading ${row.key} again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
