import { join } from "node:path";
import * as vscode from "vscode";
import type { LocalKernels } from "../programs/sample-tenant/local-kernels.ts";
import type { SampleTenant } from "../programs/sample-tenant/server.ts";
import type { ExtensionLog } from "../tenants/extension-log.ts";
import type { SampleAccess } from "../tenants/sample-access.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import { isSignedOut, sampleTriedKey } from "./provided-tenants.ts";
import { sampleWindowLocation } from "./sample-window.ts";

/**
 * The sample tenant inside the extension host. After its first use, it starts with each window, on a new port and with
 * new tokens that exist only in memory, until the user removes it. Its files are in the extension's storage. If this
 * computer has a Python with Jupyter Server and ipykernel, its notebooks run.
 */
export class EmbeddedSample implements SampleAccess, vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #registry: TenantRegistry;
  readonly #secrets: TenantSecrets;
  readonly #log: ExtensionLog;
  readonly #listener: vscode.Disposable;
  #running: Promise<SampleTenant> | undefined;
  #tenantId: string | undefined;
  #kernels: LocalKernels | undefined;

  constructor(context: vscode.ExtensionContext, registry: TenantRegistry, secrets: TenantSecrets, log: ExtensionLog) {
    this.#context = context;
    this.#registry = registry;
    this.#secrets = secrets;
    this.#log = log;
    this.#listener = registry.onDidChange(() => this.#endIfRemoved());
  }

  /** Starts the sample tenant again if it was used before. */
  async resume(): Promise<void> {
    await this.#start();
  }

  async open(): Promise<void> {
    const tenant = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t("Starting the sample tenant") },
      () => this.#start(),
    );
    await this.#context.globalState.update(sampleTriedKey, true);
    const workspace = tenant.workspaces.find((candidate) => candidate.status === "running") ?? tenant.workspaces[0];
    const { id } = tenant.tenantFile();
    await this.#registry.setCurrent(id);
    const provided = this.#registry.get(id);
    if (provided !== undefined && (await this.#secrets.credential(provided)) === undefined) {
      await this.signIn(id);
    }
    if (workspace === undefined) {
      return;
    }
    const reference = { tenantId: id, workspaceId: workspace.id };
    const place = await sampleWindowLocation(reference, workspace.name);
    if (place !== undefined) {
      await vscode.commands.executeCommand(
        place === "here" ? "platformWorkbench.openWorkspaceHere" : "platformWorkbench.openWorkspaceInNewWindow",
        reference,
      );
    }
  }

  isSample(tenantId: string): boolean {
    return tenantId === this.#tenantId;
  }

  async signIn(tenantId: string): Promise<boolean> {
    if (!this.isSample(tenantId) || this.#running === undefined) {
      return false;
    }
    await this.#provide(await this.#running, this.#secrets);
    return true;
  }

  dispose(): void {
    this.#listener.dispose();
    void this.#stop();
  }

  #start(): Promise<SampleTenant> {
    this.#running ??= this.#launch().catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async #launch(): Promise<SampleTenant> {
    const [{ startSampleTenant }, { localKernels }] = await Promise.all([
      import("../programs/sample-tenant/server.ts"),
      import("../programs/sample-tenant/local-kernels.ts"),
    ]);
    const dataDirectory = join(this.#context.globalStorageUri.fsPath, "sample-tenant");
    const log = (line: string): void => this.#log.debug(`sample tenant: ${line}`);
    const kernels = await localKernels(dataDirectory, log);
    const tenant = await startSampleTenant({
      dataDirectory,
      log,
      contentServer: {
        kind: "proxied",
        addressOf: (workspaceId) => kernels.addressOf(tenant.contentRoot(workspaceId)),
        end: (workspaceId) => kernels.end(tenant.contentRoot(workspaceId)),
      },
    });
    this.#kernels = kernels;
    const { id } = tenant.tenantFile();
    await this.#provide(tenant, isSignedOut(this.#context.globalState, id) ? undefined : this.#secrets);
    this.#tenantId = id;
    return tenant;
  }

  /** Adds the tenant to the list, with its credential and its notebook tokens unless the user is signed out. */
  async #provide(tenant: SampleTenant, secrets: TenantSecrets | undefined): Promise<void> {
    const { provideTenant } = await import("../tenants/tenant-file.ts");
    await provideTenant({ ...tenant.tenantFile(), account: "sample" }, this.#registry, secrets);
  }

  #endIfRemoved(): void {
    if (this.#tenantId !== undefined && this.#registry.get(this.#tenantId) === undefined) {
      this.#tenantId = undefined;
      void this.#context.globalState.update(sampleTriedKey, undefined);
      void this.#stop();
    }
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#kernels?.stop();
    await (await running)?.stop();
  }
}
