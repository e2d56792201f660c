import * as vscode from "vscode";
import { backgroundClock, type Clock } from "../../api/clock.ts";
import { accessObstacle } from "../../tenants/access-obstacle.ts";
import type { TreeRow } from "./definition.ts";
import type { KnownList, TreeLists } from "./tree-lists.ts";

/** Milliseconds until a list that failed is read again, and at most between two later attempts. */
const firstDelayMs = 4_000;
const maxDelayMs = 15_000;

interface ListRecoveryOptions<Row extends TreeRow> {
  readonly lists: Pick<TreeLists<Row>, "all">;
  readonly view: Pick<vscode.TreeView<unknown>, "visible" | "onDidChangeVisibility">;
  readonly clock?: Clock;
}

/**
 * Reads lists again that failed because the server couldn't be reached, while their view is visible and the window has
 * the focus. Tries one list of each tenant, and the others as soon as that works.
 */
export class ListRecovery<Row extends TreeRow> implements vscode.Disposable {
  readonly #options: ListRecoveryOptions<Row>;
  readonly #clock: Clock;
  readonly #listeners: readonly vscode.Disposable[];
  #delayMs = firstDelayMs;
  #cancel: (() => void) | undefined;
  #isReading = false;
  #isDisposed = false;

  constructor(options: ListRecoveryOptions<Row>) {
    this.#options = options;
    this.#clock = options.clock ?? backgroundClock;
    this.#listeners = [
      options.view.onDidChangeVisibility(() => this.schedule()),
      vscode.window.onDidChangeWindowState(() => this.schedule()),
    ];
  }

  /** Call it whenever a list was read. */
  schedule(): void {
    if (this.#isReading) {
      return;
    }
    const isNeeded = this.#unreachable().length > 0;
    if (!isNeeded) {
      this.#delayMs = firstDelayMs;
    }
    if (!isNeeded || !this.#isWatched()) {
      this.#stop();
    } else {
      this.#cancel ??= this.#clock.schedule(this.#delayMs, () => void this.#readAgain());
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stop();
    vscode.Disposable.from(...this.#listeners).dispose();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #isWatched(): boolean {
    return !this.#isDisposed && this.#options.view.visible && vscode.window.state.focused;
  }

  #unreachable(): readonly KnownList<Row>[] {
    return this.#options.lists.all.filter(
      ({ listing: { state } }) => state.type === "failed" && accessObstacle(state.error)?.type === "unreachable",
    );
  }

  async #readAgain(): Promise<void> {
    this.#cancel = undefined;
    this.#isReading = true;
    this.#delayMs = Math.min(this.#delayMs * 2, maxDelayMs);
    try {
      const failed = Map.groupBy(this.#unreachable(), ({ tenantId }) => tenantId);
      await Promise.all([...failed.values()].map(readInTurn));
    } finally {
      this.#isReading = false;
      this.schedule();
    }
  }
}

/** Reads the lists of a tenant, one after the other, until one fails. */
async function readInTurn<Row extends TreeRow>(lists: readonly KnownList<Row>[]): Promise<void> {
  for (const { listing } of lists) {
    await listing.readAgain();
    if (listing.state.type === "failed") {
      return;
    }
  }
}
