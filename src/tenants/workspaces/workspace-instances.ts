import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { getContent } from "../../api/catalogue/operations/contents.ts";
import { stopInstance } from "../../api/catalogue/operations/workspaces.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { startWorkspace } from "../../api/families/workspace-start.ts";
import { stateOf } from "../../api/families/workspaces.ts";
import { causeOf } from "../../api/http/errors.ts";
import type { Connections } from "../connections.ts";
import { withoutLinks } from "../messages.ts";
import { waitUntilRunning, waitUntilServed } from "./start-waiting.ts";

/**
 * A state change of a workspace that this window caused or detected. `settled` follows `waiting`. If the workspace is
 * running, `started` precedes it.
 */
export interface LifecycleChange {
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly state: "waiting" | "started" | "stopped" | "settled";
  /** The workspace as last read, if it was read. */
  readonly workspace?: Workspace;
}

/** Starts and stops instances of workspaces. Loaded on first use. */
export class WorkspaceInstances {
  readonly #connections: Connections;
  readonly #report: (change: LifecycleChange) => void;

  constructor(connections: Connections, report: (change: LifecycleChange) => void) {
    this.#connections = connections;
    this.#report = report;
  }

  /** Starts a workspace and waits with progress until it is running. Resolves with false if the user cancels. */
  async start(tenantId: string, workspaceId: string): Promise<boolean> {
    const client = await this.#connections.platform(tenantId);
    const before = await this.#connections.workspace(tenantId, workspaceId);
    if (stateOf(before).state === "running") {
      await this.#recache(tenantId, before);
      this.#report({ tenantId, workspaceId, state: "started", workspace: before });
      return true;
    }
    const name = before.name ?? workspaceId;
    return vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: withoutLinks(vscode.l10n.t("Starting {0}", name)),
        cancellable: true,
      },
      (progress, token) => this.#run(client, { tenantId, before, name }, progress, token),
    );
  }

  async #run(
    client: PlatformClient,
    { tenantId, before, name }: { readonly tenantId: string; readonly before: Workspace; readonly name: string },
    progress: vscode.Progress<{ readonly message?: string }>,
    token: vscode.CancellationToken,
  ): Promise<boolean> {
    const workspaceId = before.id;
    const abort = new AbortController();
    const cancelling = token.onCancellationRequested(() => abort.abort());
    const sleep = (milliseconds: number): Promise<void> => pause(milliseconds, undefined, { signal: abort.signal });
    try {
      if (stateOf(before).state === "stopped") {
        progress.report({ message: vscode.l10n.t("checking the platform…") });
        const outcome = await this.#start(client, tenantId, workspaceId);
        progress.report({
          message:
            outcome === "started"
              ? vscode.l10n.t("workspace started; waiting until it is running…")
              : outcome === "runs"
                ? vscode.l10n.t("waiting until it is running…")
                : vscode.l10n.t("starting; the platform's response was lost…"),
        });
      } else {
        progress.report({ message: vscode.l10n.t("already starting; waiting until it is running…") });
      }
      this.#report({ tenantId, workspaceId, state: "waiting" });
      const waited = await waitUntilRunning({
        read: () => this.#connections.workspace(tenantId, workspaceId, { signal: abort.signal }),
        sleep,
        onRead: (workspace) => this.#report({ tenantId, workspaceId, state: "waiting", workspace }),
      });
      switch (waited.result) {
        case "running":
          await this.#recache(tenantId, waited.workspace);
          progress.report({ message: vscode.l10n.t("running; waiting for its files…") });
          await waitUntilServed({
            ask: () => this.#askContentServer(tenantId, workspaceId, abort.signal),
            sleep,
          });
          abort.signal.throwIfAborted();
          this.#report({ tenantId, workspaceId, state: "started", workspace: waited.workspace });
          return true;
        case "ended":
          throw new Error(
            vscode.l10n.t("{0} stopped again before it was running. Open it in the browser to see why.", name),
          );
        case "timeLimit":
          throw new Error(
            vscode.l10n.t("{0} is still not running after 5 minutes. Refresh the view later, or start it again.", name),
          );
      }
    } catch (error) {
      if (abort.signal.aborted) {
        return false;
      }
      throw error;
    } finally {
      cancelling.dispose();
    }
  }

  /** Starts an instance. A refusal is not an error if the workspace was started meanwhile (API description, 7). */
  async #start(
    client: PlatformClient,
    tenantId: string,
    workspaceId: string,
  ): Promise<"started" | "starting" | "runs"> {
    try {
      return (await startWorkspace(client, workspaceId)).outcome;
    } catch (error) {
      const cause = causeOf(error);
      if (cause?.type !== "status" || (cause.status !== 403 && cause.status !== 500 && cause.status !== 409)) {
        throw error;
      }
      const { state } = stateOf(await this.#connections.workspace(tenantId, workspaceId));
      if (state === "stopped") {
        throw error;
      }
      return "runs";
    }
  }

  /**
   * Stops the workspace's instance. Resolves with false if there is none. Throws a PlatformError if the platform
   * refuses, and an Error if the instance has no id.
   */
  async stop(tenantId: string, workspaceId: string): Promise<boolean> {
    const client = await this.#connections.platform(tenantId);
    const workspace = await this.#connections.workspace(tenantId, workspaceId);
    const state = stateOf(workspace);
    if (state.state === "stopped") {
      this.#report({ tenantId, workspaceId, state: "stopped", workspace });
      return false;
    }
    const instanceId = state.instance.id;
    if (instanceId === undefined || instanceId === null) {
      throw new Error(
        vscode.l10n.t(
          "Can't stop {0}: the platform didn't provide the ID of its instance. Stop it in the browser.",
          workspace.name ?? workspaceId,
        ),
      );
    }
    await client.call(stopInstance, { workspaceId, instanceId: String(instanceId) });
    await this.#connections.deleteContentServer(tenantId, workspaceId);
    const left = (workspace.instances ?? []).filter((instance) => instance !== state.instance);
    this.#report({ tenantId, workspaceId, state: "stopped", workspace: { ...workspace, instances: left } });
    return true;
  }

  async #askContentServer(tenantId: string, workspaceId: string, signal: AbortSignal): Promise<void> {
    const client = await this.#connections.content(tenantId, workspaceId);
    await client.call(getContent, { path: "", content: 0 }, { signal });
  }

  /** Updates the address of the content server, which can change with every start. */
  async #recache(tenantId: string, workspace: Workspace): Promise<void> {
    await this.#connections.deleteContentServer(tenantId, workspace.id);
    await this.#connections.cacheWorkspace(tenantId, workspace);
  }
}
