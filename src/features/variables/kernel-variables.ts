import type * as vscode from "vscode";
import type { Companion } from "../../api/companion/companion.ts";
import { listVariableChildren, listVariables, watchVariables } from "../../api/companion/operations/variables.ts";
import type { KernelConnection, Subscription } from "../../api/kernels/connection/connection.ts";
import type { OpenKernel } from "../../tenants/open-kernels.ts";
import { type Changed, VariableLists } from "./variable-lists.ts";

/** Milliseconds after which a kernel that hasn't installed the program counts as busy. */
const busyMs = 1500;

export type VariableOrder = "name" | "type" | "size" | "recent";

/** What the view lists. */
export interface ListOptions {
  readonly filter: string;
  readonly sort: VariableOrder;
  readonly includesAll: boolean;
}

interface KernelVariablesParts {
  readonly kernel: OpenKernel;
  readonly connection: KernelConnection;
  /** What to list now. */
  readonly options: () => ListOptions;
  readonly isExpanded: (key: string) => boolean;
  /** Called when there is something else to show, with what to draw again. */
  readonly onChange: (changed: Changed) => void;
}

/** `waiting`: the kernel installs the program when the running cell has ended. `ended`: it must be created again. */
type State =
  | { readonly type: "loading" | "waiting" | "listed" }
  | { readonly type: "ended"; readonly error: unknown; readonly hasRows: boolean };

/** The variables of one kernel while the view shows them. Reads them again when the kernel reports a change. */
export class KernelVariables implements vscode.Disposable {
  readonly connection: KernelConnection;
  readonly lists: VariableLists;
  readonly #parts: KernelVariablesParts;
  readonly #busy: NodeJS.Timeout;
  readonly #disposed = new AbortController();
  readonly #settled = Promise.withResolvers<void>();
  #state: State = { type: "loading" };
  #program: Companion | undefined;
  #subscription: Subscription | undefined;
  #refreshing: Promise<void> | undefined;
  #isOutdated = false;
  /** Number of variables without a filter, of all kinds. */
  #all = 0;

  constructor(parts: KernelVariablesParts) {
    this.#parts = parts;
    this.connection = parts.connection;
    this.lists = new VariableLists(parts.kernel.notebook.uri.toString(), async (path, offset, count) => {
      const program = await this.program();
      const { signal } = this.#disposed;
      if (path !== undefined) {
        return program.request(listVariableChildren, { path, offset, count }, { signal });
      }
      const page = await program.request(listVariables, { ...parts.options(), offset, count }, { signal });
      this.#all = page.all;
      return page;
    });
    this.#busy = setTimeout(() => this.#change({ type: "waiting" }), busyMs);
    void this.#start();
  }

  get state(): State {
    return this.#state;
  }

  /** Resolves when it is no longer loading, or disposed. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  get all(): number {
    return this.#all;
  }

  /** The program in the kernel. Rejects if it can't be installed. */
  async program(): Promise<Companion> {
    this.#program ??= await this.#parts.kernel.program();
    return this.#program;
  }

  /** Reads everything that is shown again. Never rejects. */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    if (this.#state.type !== "listed") {
      // It is read again when it has been read for the first time.
      return Promise.resolve();
    }
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  dispose(): void {
    clearTimeout(this.#busy);
    this.#disposed.abort();
    this.#settled.resolve();
    this.#subscription?.dispose();
  }

  async #start(): Promise<void> {
    try {
      const program = await this.program();
      const subscription = await program.subscribe(
        watchVariables,
        {},
        { onPush: () => void this.refresh(), onFailure: (error) => this.#end(error) },
      );
      if (this.#disposed.signal.aborted) {
        subscription.dispose();
        return;
      }
      this.#subscription = subscription;
      await this.lists.elements();
      this.#change({ type: "listed" });
      if (this.#isOutdated) {
        await this.refresh();
      }
    } catch (error) {
      this.#end(error);
    }
  }

  async #refresh(): Promise<void> {
    while (this.#isOutdated && !this.#disposed.signal.aborted) {
      this.#isOutdated = false;
      try {
        const changed = await this.lists.refresh(this.#parts.isExpanded);
        if (changed?.length !== 0) {
          this.#parts.onChange(changed);
        }
      } catch (error) {
        this.#end(error);
        return;
      }
    }
  }

  #end(error: unknown): void {
    this.#subscription?.dispose();
    this.#change({ type: "ended", error, hasRows: this.#state.type === "listed" });
  }

  #change(state: State): void {
    if (state.type !== "waiting") {
      clearTimeout(this.#busy);
    }
    if (!this.#disposed.signal.aborted && this.#state.type !== "ended") {
      this.#state = state;
      this.#settled.resolve();
      this.#parts.onChange(undefined);
    }
  }
}
