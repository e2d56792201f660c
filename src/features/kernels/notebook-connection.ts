import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import type { KernelEvent } from "../../api/kernels/connection/connection.ts";
import type { ConnectionState } from "../../api/kernels/connection/connection-state.ts";
import { WidgetSession } from "../../api/kernels/widgets/widget-session.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { CellRunEvent } from "./cells/cell-run.ts";
import type { CellRuns } from "./cells/cell-runs.ts";
import { FollowedRuns } from "./cells/followed-runs.ts";
import type { ConnectedKernel } from "./sessions/kernel-sessions.ts";

/** What a notebook's kernel reports. */
export type NotebookKernelEvent =
  | CellRunEvent
  | { readonly type: "connection"; readonly state: ConnectionState }
  /** `isFollowing`: whether this window only followed the kernel then. */
  | { readonly type: "kernel"; readonly event: KernelEvent; readonly isFollowing: boolean }
  /** Another window has taken over the kernel. */
  | { readonly type: "takenOver" }
  /** The widgets that the notebook shows from now on; undefined if they can't be used. */
  | { readonly type: "widgets"; readonly session: WidgetSession | undefined };

/** Why there is no connection. `left`: the user signed out. `closed`: the notebook is closed, and none follows. */
type Unconnected = "none" | "left" | "closed";

/** `leading`: this window runs cells on the kernel. `following`: it only shows what other clients run. */
type State =
  | { readonly type: Unconnected }
  | { readonly type: "connecting"; readonly connecting: Promise<ConnectedKernel> }
  | { readonly type: "leading"; readonly connected: ConnectedKernel; readonly widgets: WidgetSession }
  | { readonly type: "following"; readonly connected: ConnectedKernel; readonly runs: FollowedRuns };

interface NotebookConnectionParts {
  readonly notebook: vscode.NotebookDocument;
  /** The runs of the notebook's cells, which show what other clients run. */
  readonly runs: CellRuns;
  readonly events: Pick<vscode.EventEmitter<NotebookKernelEvent>, "fire">;
  readonly log: Pick<ExtensionLog, "error">;
}

/** The connection of one notebook to its kernel, which this window leads or follows. A part of NotebookKernel. */
export class NotebookConnection {
  readonly #parts: NotebookConnectionParts;
  #state: State = { type: "none" };
  /** The last restart that was requested without a connection. */
  #restarting: Promise<unknown> = Promise.resolve();

  constructor(parts: NotebookConnectionParts) {
    this.#parts = parts;
  }

  get state(): State["type"] {
    return this.#state.type;
  }

  get connected(): ConnectedKernel | undefined {
    return this.#state.type === "leading" || this.#state.type === "following" ? this.#state.connected : undefined;
  }

  /** The widgets of the kernel, which only the window that leads it can use. */
  get widgets(): WidgetSession | undefined {
    return this.#state.type === "leading" ? this.#state.widgets : undefined;
  }

  /**
   * Calls `open` unless the notebook is connected or connecting. Rejects with a CancellationError if the notebook is
   * closed, or disconnected before the kernel is connected.
   */
  connect(open: () => Promise<ConnectedKernel>): Promise<ConnectedKernel> {
    const state = this.#state;
    switch (state.type) {
      case "closed":
        return Promise.reject(new vscode.CancellationError());
      case "connecting":
        return state.connecting;
      case "leading":
      case "following":
        return Promise.resolve(state.connected);
      case "none":
      case "left":
        return this.#connect(open);
    }
  }

  /**
   * Restarts the kernel through the connection, or calls `onServer` if there is none. A connection that is requested
   * meanwhile opens afterward: if it heard of the restart late, it would drop cells that the new process runs.
   */
  async restart(onServer: () => Promise<void>): Promise<void> {
    if (this.#state.type === "connecting") {
      await this.#state.connecting.catch(() => {});
    }
    const { connected } = this;
    if (connected !== undefined) {
      return connected.connection.restart();
    }
    const restarting = onServer();
    this.#restarting = restarting.catch(() => {});
    await restarting;
  }

  /** Replaces the connection with an open one. Throws a CancellationError if the notebook was closed meanwhile. */
  use(connected: ConnectedKernel): void {
    refuseIf(this.#state.type === "closed", connected);
    this.close("none");
    this.#enter(connected);
  }

  /** Closes the connection, including one that is being opened. The kernel and its executions continue. */
  close(type: Unconnected): void {
    if (this.#state.type !== "closed") {
      const { connected } = this;
      this.#change({ type });
      connected?.connection.dispose();
    }
  }

  async #connect(open: () => Promise<ConnectedKernel>): Promise<ConnectedKernel> {
    const connecting = Promise.withResolvers<ConnectedKernel>();
    // The caller gets the error below, and each other caller from its own await.
    connecting.promise.catch(() => {});
    const isCurrent = (): boolean => this.#state.type === "connecting" && this.#state.connecting === connecting.promise;
    this.#change({ type: "connecting", connecting: connecting.promise });
    try {
      await this.#restarting;
      const connected = await open();
      refuseIf(!isCurrent(), connected);
      this.#enter(connected);
      connecting.resolve(connected);
      return connected;
    } catch (error) {
      connecting.reject(error);
      if (isCurrent()) {
        this.#change({ type: "none" });
      }
      throw error;
    }
  }

  #enter(connected: ConnectedKernel): void {
    const { events } = this.#parts;
    const { connection, lease } = connected;
    const show = (): void => {
      if (lease === undefined || lease.isLost) {
        this.#follow(connected);
      } else {
        this.#lead(connected);
      }
      if (lease?.isLost === true) {
        events.fire({ type: "takenOver" });
      }
    };
    lease?.onDidChange(show);
    connection.onState((state) => {
      events.fire({ type: "connection", state });
      events.fire({ type: "status" });
    });
    connection.onKernel((event) => {
      events.fire({ type: "status" });
      events.fire({ type: "kernel", event, isFollowing: this.#state.type === "following" });
    });
    show();
  }

  /** Lets this window run cells and use widgets, also after it has taken the kernel over. */
  #lead(connected: ConnectedKernel): void {
    const { events, log } = this.#parts;
    const widgets = new WidgetSession(connected.connection, {
      leftOutText: (characters) => vscode.l10n.t("… {0} characters of earlier output aren't shown here …", characters),
      onError: (error) => log.error(`kernels: ${errorMessage(error)}`),
    });
    this.#change({ type: "leading", connected, widgets });
    events.fire({ type: "widgets", session: widgets });
  }

  /** Sends nothing to the kernel, and shows the runs of other clients in the cells with the same code. */
  #follow(connected: ConnectedKernel): void {
    const { events, notebook, runs } = this.#parts;
    this.#change({ type: "following", connected, runs: new FollowedRuns(connected.connection, notebook, runs) });
    events.fire({ type: "widgets", session: undefined });
  }

  #change(state: State): void {
    const before = this.#state;
    this.#state = state;
    if (before.type === "leading") {
      before.widgets.dispose();
    } else if (before.type === "following") {
      before.runs.dispose();
    }
    this.#parts.events.fire({ type: "status" });
  }
}

/** Closes a connection that opened after the notebook was closed or disconnected, which also releases its lease. */
function refuseIf(isUnwanted: boolean, { connection }: ConnectedKernel): void {
  if (isUnwanted) {
    connection.dispose();
    throw new vscode.CancellationError();
  }
}
