import * as vscode from "vscode";
import type { ConnectionState } from "../../api/kernels/connection/connection-state.ts";
import { type AccessObstacle, accessObstacle } from "../../tenants/access-obstacle.ts";
import { commandOf, remedyOf } from "../../tenants/access-remedy.ts";
import { showInformation, showWarning } from "../../tenants/messages.ts";
import type { KernelServices, WorkspaceAddress } from "./kernel-services.ts";

/** Asks the user about workspaces whose kernels are unreachable: to start them, or to enter a token. */
export class ConnectionTrouble {
  readonly #services: KernelServices;
  /** Workspaces for which the user is being asked for a new token. */
  readonly #asking = new Set<string>();

  constructor(services: KernelServices) {
    this.#services = services;
  }

  /**
   * Runs the work. If the workspace isn't running, or its token is missing or invalid, asks the user, then retries.
   * Throws a CancellationError if the user cancels.
   */
  async withRecovery<Result>(address: WorkspaceAddress, work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const obstacle = accessObstacle(error);
        const remedy = obstacle === undefined ? undefined : remedyOf(obstacle, address);
        if (remedy?.type === "start") {
          await this.#start(address);
        } else if (remedy?.type === "enterToken") {
          await this.#enterToken(address);
        } else {
          throw error;
        }
      }
    }
  }

  /** Asks for a new token once if the server refuses it while cells run. The cells continue in the kernel. */
  reportState(address: WorkspaceAddress, state: ConnectionState): void {
    const { tenantId, workspaceId } = address;
    const key = `${tenantId}/${workspaceId}`;
    if (obstacleOf(state)?.type !== "tokenRefused" || this.#asking.has(key)) {
      return;
    }
    this.#asking.add(key);
    void this.#askForNewToken(address).finally(() => this.#asking.delete(key));
  }

  async #askForNewToken({ tenantId, workspaceId }: WorkspaceAddress): Promise<void> {
    const enter = vscode.l10n.t("Enter New Token");
    try {
      const chosen = await showWarning(
        vscode.l10n.t(
          "The notebook token for {0} is no longer valid. Running cells continue; their output appears after you enter a new token.",
          this.#nameOf({ tenantId, workspaceId }),
        ),
        enter,
      );
      if (chosen === enter) {
        await vscode.commands.executeCommand(...commandOf({ type: "enterToken", tenantId, workspaceId }));
      }
    } catch (error) {
      await this.#services.showError(error, { tenantId, workspaceId });
    }
  }

  async #start({ tenantId, workspaceId }: WorkspaceAddress): Promise<void> {
    const start = vscode.l10n.t("Start and Run");
    const chosen = await showInformation(
      vscode.l10n.t("{0} isn't running. To run cells, start it.", this.#nameOf({ tenantId, workspaceId })),
      start,
    );
    if (chosen !== start || !(await this.#services.lifecycle.startAndWait(tenantId, workspaceId))) {
      throw new vscode.CancellationError();
    }
  }

  async #enterToken(address: WorkspaceAddress): Promise<void> {
    const enter = vscode.l10n.t("Enter Notebook Token");
    const chosen = await showWarning(
      vscode.l10n.t("To run cells in {0}, enter a valid notebook token.", this.#nameOf(address)),
      enter,
    );
    const { tenantId, workspaceId } = address;
    const isEntered =
      chosen === enter &&
      (await vscode.commands.executeCommand<unknown>(...commandOf({ type: "enterToken", tenantId, workspaceId })));
    if (isEntered !== true) {
      throw new vscode.CancellationError();
    }
  }

  #nameOf({ tenantId, workspaceId }: WorkspaceAddress): string {
    return this.#services.connections.nameOf(tenantId, workspaceId);
  }
}

/** What keeps a connection from its kernel; undefined if nothing does, or if the kernel ended. */
function obstacleOf({ type }: ConnectionState): AccessObstacle | undefined {
  switch (type) {
    case "credentialRejected":
      return { type: "tokenRefused" };
    case "serverStopped":
      return { type: "stopped" };
    case "waiting":
      return { type: "unreachable", isProxyProblem: false };
    default:
      return undefined;
  }
}
