import * as vscode from "vscode";
import type { Connections } from "../../../tenants/connections.ts";
import type { ExtensionLog } from "../../../tenants/extension-log.ts";
import type { TenantSecrets } from "../../../tenants/tenant-secrets.ts";
import { resourceKey } from "../../../ui/resources/resource.ts";
import type { PinnedRepositories } from "./pinned-repositories.ts";
import { RepositorySourceControl } from "./repository-source-control.ts";

/** An entry in Source Control for each pinned repository. It is empty while the user is signed out of its tenant. */
export class SourceControls implements vscode.Disposable {
  readonly #pinned: Pick<PinnedRepositories, "all" | "onDidChange">;
  readonly #connections: Pick<Connections, "platform">;
  readonly #log: Pick<ExtensionLog, "warn">;
  readonly #shown = new Map<string, RepositorySourceControl>();
  readonly #listener: vscode.Disposable;

  constructor(
    pinned: Pick<PinnedRepositories, "all" | "onDidChange">,
    connections: Pick<Connections, "platform">,
    secrets: Pick<TenantSecrets, "onDidChange">,
    log: Pick<ExtensionLog, "warn">,
  ) {
    this.#pinned = pinned;
    this.#connections = connections;
    this.#log = log;
    this.#listener = vscode.Disposable.from(
      pinned.onDidChange(() => this.#show()),
      secrets.onDidChange(({ tenantId, workspaceId }) => {
        if (workspaceId === undefined) {
          this.#refresh(tenantId);
        }
      }),
    );
    this.#show();
  }

  /** The entry in Source Control for which a command was called. */
  find(argument: unknown): RepositorySourceControl | undefined {
    const { rootUri } = (argument ?? {}) as { readonly rootUri?: vscode.Uri };
    return rootUri === undefined ? undefined : this.all.find(({ root }) => root.toString() === rootUri.toString());
  }

  get all(): readonly RepositorySourceControl[] {
    return [...this.#shown.values()];
  }

  dispose(): void {
    vscode.Disposable.from(this.#listener, ...this.#shown.values()).dispose();
    this.#shown.clear();
  }

  /** Shows the content after the user has signed in, and nothing of it after signing out. */
  #refresh(tenantId: string): void {
    for (const control of this.all) {
      if (control.repository.tenantId === tenantId) {
        void control.refresh();
      }
    }
  }

  #show(): void {
    const wanted = new Map(this.#pinned.all.map((repository) => [resourceKey(repository), repository]));
    void vscode.commands.executeCommand("setContext", "platformWorkbench.pinned", wanted.size > 0);
    for (const [key, control] of this.#shown) {
      if (!wanted.has(key)) {
        control.dispose();
        this.#shown.delete(key);
      }
    }
    for (const [key, repository] of wanted) {
      if (!this.#shown.has(key)) {
        const control = new RepositorySourceControl({
          repository,
          connect: () => this.#connections.platform(repository.tenantId),
          log: this.#log,
        });
        this.#shown.set(key, control);
        void control.refresh();
      }
    }
  }
}
