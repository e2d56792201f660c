import { join } from "node:path";
import * as vscode from "vscode";
import type { LocalKernels } from "../programs/sample-tenant/local-kernels.ts";
import type { SampleTenant } from "../programs/sample-tenant/server.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import { sampleTriedKey } from "./provided-tenants.ts";

/**
 * The sample tenant inside of the extension host. Once tried it comes back with each window, on a new port and with new
 * tokens that only live in memory, until the person removes it; its files stay in the extension's own storage. Where this
 * computer has a Python with Jupyter Server and ipykernel, its notebooks run.
 */
export class EmbeddedSample implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #registry: TenantRegistry;
  readonly #secrets: TenantSecrets;
  readonly #log: vscode.LogOutputChannel;
  readonly #listener: vscode.Disposable;
  #running: Promise<SampleTenant> | undefined;
  #tenantId: string | undefined;
  #kernels: LocalKernels | undefined;

  constructor(
    context: vscode.ExtensionContext,
    registry: TenantRegistry,
    secrets: TenantSecrets,
    log: vscode.LogOutputChannel,
  ) {
    this.#context = context;
    this.#registry = registry;
    this.#secrets = secrets;
    this.#log = log;
    this.#listener = registry.onDidChange(() => this.#endIfRemoved());
  }

  /** Starts it again after it was tried before. */
  async resume(): Promise<void> {
    await this.#start();
  }

  /** Starts it, signs in and opens its running workspace. */
  async open(): Promise<void> {
    const tenant = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t("Starting the sample tenant") },
      () => this.#start(),
    );
    await this.#context.globalState.update(sampleTriedKey, true);
    const workspace = tenant.workspaces.find((candidate) => candidate.status === "running") ?? tenant.workspaces[0];
    const { id } = tenant.tenantFile();
    await this.#registry.setCurrent(id);
    if (workspace !== undefined) {
      const reference = { tenantId: id, workspaceId: workspace.id };
      await vscode.commands.executeCommand("platformWorkbench.openWorkspaceHere", reference);
    }
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
      },
    });
    this.#kernels = kernels;
    const file = tenant.tenantFile();
    const { provideTenant } = await import("../tenants/tenant-file.ts");
    await provideTenant({ ...file, account: "sample" }, this.#registry, this.#secrets);
    this.#tenantId = file.id;
    return tenant;
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
