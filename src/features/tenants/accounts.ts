import * as vscode from "vscode";
import { AccessError } from "../../tenants/access-obstacle.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { pickTenant } from "../../ui/quick-input/pick-tenant.ts";
import type { SignInParts } from "./sign-in.ts";

const authenticationProviderId = "platformWorkbench";

/** Other extensions can request a session, but the credential itself is sent only to the tenant's origin. */
const withheld = "kept-in-secret-storage";

/** The signed-in tenants as sessions in the editor's Accounts menu. There can be several at the same time. */
export class TenantAccounts implements vscode.AuthenticationProvider, vscode.Disposable {
  readonly #parts: SignInParts;
  readonly #changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  readonly #listeners: readonly vscode.Disposable[];
  #known: ReadonlyMap<string, vscode.AuthenticationSession> | undefined;
  #comparing: Promise<void> = Promise.resolve();

  readonly onDidChangeSessions = this.#changed.event;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#listeners = [
      vscode.authentication.registerAuthenticationProvider(authenticationProviderId, "Platform Workbench", this, {
        supportsMultipleAccounts: true,
      }),
      parts.secrets.onDidChange(({ workspaceId }) => {
        if (workspaceId === undefined) {
          this.#compare();
        }
      }),
      parts.registry.onDidChange(() => this.#compare()),
    ];
  }

  async getSessions(
    _scopes: readonly string[] | undefined,
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    const sessions = await this.#read();
    this.#known ??= sessions;
    return [...sessions.values()].filter((session) => account === undefined || session.account.id === account.id);
  }

  async createSession(
    _scopes: readonly string[],
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession> {
    const named = account === undefined ? undefined : this.#parts.registry.get(tenantIdOf(account.id));
    const tenant = named ?? (await this.#chooseTenant());
    const { signIn } = await import("./sign-in.ts");
    if (tenant === undefined || (await signIn(this.#parts, tenant)) !== "signedIn") {
      throw new vscode.CancellationError();
    }
    const session = await this.#session(tenant);
    if (session === undefined) {
      throw new AccessError(
        "signedOut",
        { tenantId: tenant.id },
        vscode.l10n.t("You aren't signed in to {0}.", tenant.label),
      );
    }
    return session;
  }

  async removeSession(sessionId: string): Promise<void> {
    await this.#parts.secrets.signOut(sessionId);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listeners, this.#changed).dispose();
  }

  async #chooseTenant(): Promise<Tenant | undefined> {
    const { registry, secrets } = this.#parts;
    if (registry.all.length === 0) {
      await vscode.commands.executeCommand("platformWorkbench.addTenant");
      throw new vscode.CancellationError();
    }
    const signedOut: Tenant[] = [];
    for (const tenant of registry.all) {
      if ((await secrets.credential(tenant)) === undefined) {
        signedOut.push(tenant);
      }
    }
    const choices = signedOut.length > 0 ? signedOut : registry.all;
    return choices.length === 1 ? choices[0] : pickTenant(choices, vscode.l10n.t("Sign In to a Tenant"));
  }

  async #read(): Promise<Map<string, vscode.AuthenticationSession>> {
    const sessions = await Promise.all(this.#parts.registry.all.map((tenant) => this.#session(tenant)));
    return new Map(sessions.filter((session) => session !== undefined).map((session) => [session.id, session]));
  }

  async #session(tenant: Tenant): Promise<vscode.AuthenticationSession | undefined> {
    const { secrets } = this.#parts;
    if ((await secrets.credential(tenant)) === undefined) {
      return undefined;
    }
    const account = (await secrets.account(tenant)) ?? tenant.label;
    return {
      id: tenant.id,
      accessToken: withheld,
      account: { id: `${tenant.id}|${account}`, label: `${account} (${new URL(tenant.baseUrl).host})` },
      scopes: [],
    };
  }

  /** Reports added and removed sessions since the last check. Checks are serialized. */
  #compare(): void {
    this.#comparing = this.#comparing.then(async () => {
      const before = this.#known ?? new Map<string, vscode.AuthenticationSession>();
      const now = await this.#read();
      this.#known = now;
      const added = [...now.values()].filter(
        (session) => before.get(session.id)?.account.label !== session.account.label,
      );
      const removed = [...before.values()].filter(
        (session) => now.get(session.id)?.account.label !== session.account.label,
      );
      if (added.length > 0 || removed.length > 0) {
        this.#changed.fire({ added, removed, changed: [] });
      }
    });
  }
}

function tenantIdOf(accountId: string): string {
  return accountId.split("|")[0] ?? accountId;
}
