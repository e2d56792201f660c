import * as vscode from "vscode";
import { errorMessage } from "../../../api/error-message.ts";
import { RequestSharing } from "../../../api/request-sharing.ts";
import { addressOf, authorityOf, scheme } from "../../../tenants/workspace-uri.ts";
import type { KernelServices, WorkspaceAddress } from "../kernel-services.ts";
import { isUntitled } from "../untitled/untitled-notebook.ts";
import type { ControllerEvent, KernelController } from "./kernel-controller.ts";
import { WorkspaceKernels } from "./workspace-kernels.ts";

/** The workspaces whose kernels the editor offers in this window: each is there while a notebook needs it. */
export class WindowWorkspaces implements vscode.Disposable {
  readonly #services: KernelServices;
  readonly #onEvent: (event: ControllerEvent) => void;
  readonly #workspaces = new Map<string, WorkspaceKernels>();
  /** Authorities of workspaces whose server reported no kernels. They are not requested again for another notebook. */
  readonly #withoutKernels = new Set<string>();
  /** Running checks whether a server has kernels, by authority. Runs that begin meanwhile wait for the same one. */
  readonly #reaching = new RequestSharing<void>();

  /** `onEvent` gets what the user does with a kernel in the editor. */
  constructor(services: KernelServices, onEvent: (event: ControllerEvent) => void) {
    this.#services = services;
    this.#onEvent = onEvent;
  }

  /** All registered controllers. */
  get controllers(): readonly KernelController[] {
    return [...this.#workspaces.values()].flatMap(({ controllers }) => [...controllers.values()]);
  }

  /** The workspace with this authority, which is created for the first notebook that needs it. */
  at(authority: string): WorkspaceKernels {
    const known = this.#workspaces.get(authority);
    if (known !== undefined) {
      return known;
    }
    const { tenantId, workspaceId } = addressOf(vscode.Uri.from({ scheme, authority, path: "/" }));
    const workspace = new WorkspaceKernels({ tenantId, workspaceId }, this.#services);
    workspace.onEvent(this.#onEvent);
    this.#workspaces.set(authority, workspace);
    return workspace;
  }

  /** The workspace that a controller is registered for; undefined if that was disposed meanwhile. */
  of({ address }: Pick<KernelController, "address">): WorkspaceKernels | undefined {
    return [...this.#workspaces.values()].find((workspace) => workspace.address === address);
  }

  /** The workspace whose kernel the editor has selected for a notebook. */
  selectedFor(notebook: vscode.NotebookDocument): WorkspaceKernels | undefined {
    const selected = this.controllers.find((controller) => controller.isSelectedFor(notebook));
    return selected === undefined ? undefined : this.of(selected);
  }

  /** Registers the kernels of a workspace, unless its server has none: a default one if the server can't be asked. */
  async offer(authority: string): Promise<void> {
    const workspace = this.at(authority);
    if (!(await this.discover(authority))) {
      workspace.offerDefault();
    }
  }

  /** Asks a server that has reported no kernels yet. Resolves with false if it can't be asked. Never rejects. */
  async discover(authority: string): Promise<boolean> {
    const workspace = this.at(authority);
    if (!workspace.isUnknown || this.#withoutKernels.has(authority)) {
      return true;
    }
    try {
      if (!(await workspace.discover())) {
        this.#withoutKernels.add(authority);
      }
      return true;
    } catch (error) {
      // For example, the workspace isn't running. The user is asked when a cell is run.
      this.#services.log.debug(`kernels of ${workspace.name}: ${errorMessage(error)}`);
      return false;
    }
  }

  /** Does the work that requires a workspace's kernels, once for all runs that begin meanwhile. */
  reach({ tenantId, workspaceId }: WorkspaceAddress, work: () => Promise<void>): Promise<void> {
    return this.#reaching.run(authorityOf(tenantId, workspaceId), work);
  }

  /** Asks the servers again that had no kernels, because the user has entered a token or started a workspace. */
  resetSupport(): void {
    this.#withoutKernels.clear();
  }

  /** Removes the workspaces that none of the open notebooks can run in. */
  release(open: readonly vscode.NotebookDocument[]): void {
    const canRunAnywhere = open.some(isUntitled);
    const used = new Set(open.flatMap(({ uri }) => (uri.scheme === scheme ? [uri.authority] : [])));
    this.#dispose((authority) => !canRunAnywhere && !used.has(authority));
  }

  /** Removes the workspaces of a tenant, except for these. */
  signedOut(tenantId: string, kept: ReadonlySet<WorkspaceKernels>): void {
    this.#dispose((_, workspace) => workspace.address.tenantId === tenantId && !kept.has(workspace));
  }

  dispose(): void {
    this.#dispose(() => true);
  }

  #dispose(isUnwanted: (authority: string, workspace: WorkspaceKernels) => boolean): void {
    for (const [authority, workspace] of this.#workspaces) {
      if (isUnwanted(authority, workspace)) {
        workspace.dispose();
        this.#workspaces.delete(authority);
      }
    }
  }
}
