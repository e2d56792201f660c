import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import type { Connections } from "../connections.ts";
import type { LifecycleChange, WorkspaceInstances } from "./workspace-instances.ts";

/** Starts and stops workspaces, and waits with progress until they are running. */
export class WorkspaceLifecycle implements vscode.Disposable {
  readonly #instances: () => Promise<WorkspaceInstances>;
  readonly #changed = new vscode.EventEmitter<LifecycleChange>();
  readonly #starting = new Map<string, Promise<boolean>>();

  readonly onDidChangeState = this.#changed.event;

  constructor(connections: Connections) {
    this.#instances = lazy(async () => {
      const { WorkspaceInstances } = await import("./workspace-instances.ts");
      return new WorkspaceInstances(connections, (change) => this.#changed.fire(change));
    });
  }

  /** True while this window waits for the workspace to run. */
  isWaitingFor(tenantId: string, workspaceId: string): boolean {
    return this.#starting.has(`${tenantId}/${workspaceId}`);
  }

  /**
   * Starts a workspace unless it is running or starting, and waits with progress until it is running, for up to 5
   * minutes. Concurrent calls share one start. Resolves with false if the user cancels. Throws a PlatformError if the
   * platform refuses, and an Error if the workspace stops again or is not running in time.
   */
  startAndWait(tenantId: string, workspaceId: string): Promise<boolean> {
    const key = `${tenantId}/${workspaceId}`;
    const running = this.#starting.get(key);
    if (running !== undefined) {
      return running;
    }
    const starting = this.#start(tenantId, workspaceId).finally(() => {
      this.#starting.delete(key);
      this.#changed.fire({ tenantId, workspaceId, state: "settled" });
    });
    this.#starting.set(key, starting);
    return starting;
  }

  async #start(tenantId: string, workspaceId: string): Promise<boolean> {
    return (await this.#instances()).start(tenantId, workspaceId);
  }

  /**
   * Stops the workspace's instance. Resolves with false if there is none. Throws a PlatformError if the platform
   * refuses, and an Error if the instance has no id.
   */
  async stop(tenantId: string, workspaceId: string): Promise<boolean> {
    return (await this.#instances()).stop(tenantId, workspaceId);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
