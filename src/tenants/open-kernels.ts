import * as vscode from "vscode";
import type { Companion } from "../api/companion/companion.ts";
import type { KernelConnection } from "../api/kernels/connection/connection.ts";
import type { CompanionPlace } from "./companions.ts";

/** The kernel of an open notebook: one of a workspace, or an untitled one that runs in a workspace. */
export interface OpenKernel {
  readonly notebook: vscode.NotebookDocument;
  readonly place: CompanionPlace;
  /** The content path of its session. The kernel's working directory is the path's folder. */
  readonly path: string;
  /** The language of the kernel's specification, in lowercase, such as `python`. */
  readonly language: string;
  /** Undefined while this window is not connected to it. */
  readonly connection: KernelConnection | undefined;
  /** True if another window runs cells on it, and this one only shows them. */
  readonly isFollowing: boolean;
  /** The connection. Starts the kernel if there is none. Rejects with a CancellationError if the user declines. */
  connect(): Promise<KernelConnection>;
  /**
   * The companion's program in this kernel, whose services see the user's variables. Installs it on the first call; a
   * kernel without subshells does that when the running cell has ended. Rejects with a CompanionUnavailableError if the
   * kernel isn't connected or can't run it, or with a ReplyLostError.
   */
  program(): Promise<Companion>;
}

/** `connection`: it was connected, lost, replaced, or shut down. `restarted`: the variables are lost. */
export type OpenKernelEvent =
  | { readonly type: "connection" | "restarted" }
  | { readonly type: "cellEnded"; readonly cell: vscode.NotebookCell };

/** The kernels of the open notebooks. */
export interface OpenKernels {
  /** Undefined for a notebook outside of workspaces, or without a kernel of a workspace. */
  find(notebook: vscode.NotebookDocument): OpenKernel | undefined;
  /** Fires for each event of the open notebooks. */
  readonly onEvent: vscode.Event<{ readonly kernel: OpenKernel; readonly event: OpenKernelEvent }>;
}

/** The kernels that features share. What owns them loads with the first notebook. */
export class SharedOpenKernels implements OpenKernels, vscode.Disposable {
  readonly #events = new vscode.EventEmitter<{ readonly kernel: OpenKernel; readonly event: OpenKernelEvent }>();
  #owner: Pick<OpenKernels, "find"> | undefined;

  readonly onEvent = this.#events.event;

  /** Sets the owner. */
  provide(owner: Pick<OpenKernels, "find">): void {
    this.#owner = owner;
  }

  /** Reports an event. Called by the owner. */
  notify(kernel: OpenKernel, event: OpenKernelEvent): void {
    this.#events.fire({ kernel, event });
  }

  find(notebook: vscode.NotebookDocument): OpenKernel | undefined {
    return this.#owner?.find(notebook);
  }

  dispose(): void {
    this.#events.dispose();
  }
}
