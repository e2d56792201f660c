import * as vscode from "vscode";
import type { Workspace } from "../api/catalogue/models/workspaces.ts";
import { getWorkspace } from "../api/catalogue/operations/workspace-reading.ts";
import type { AccountScope } from "../api/client/account-scope.ts";
import type { CallOptions, ContentClient } from "../api/client/client.ts";
import { Client, type PlatformClient } from "../api/client/client.ts";
import { errorMessage } from "../api/error-message.ts";
import {
  type ContentServerLocation,
  findContentServer,
  readContentServer,
} from "../api/families/content-server-location.ts";
import { reportsInstances } from "../api/families/workspaces.ts";
import { NotebookToken } from "../api/http/credentials.ts";
import type { Log } from "../api/http/log.ts";
import { singleUserLimits } from "../api/http/response-limits.ts";
import type { Transport } from "../api/http/transport.ts";
import { phrase } from "../api/phrase.ts";
import { RequestSharing } from "../api/request-sharing.ts";
import { AccessError } from "./access-obstacle.ts";
import { Accounts } from "./accounts.ts";
import { accountKeys, deleteAccountState } from "./stored-account-state.ts";
import type { Tenant } from "./tenant.ts";
import type { TenantRegistry } from "./tenant-registry.ts";
import type { TenantSecrets } from "./tenant-secrets.ts";

/** The stored data of a workspace: its name and the last address of its content server. It contains no secret. */
interface RememberedWorkspace {
  readonly name?: string;
  readonly base?: string;
  /** The tenant's address at that time. If it has changed, the stored address is not used. */
  readonly tenant?: string;
}

/** Creates clients for tenants and content servers, with their credential and current address. */
export class Connections implements vscode.Disposable {
  readonly #registry: TenantRegistry;
  readonly #secrets: TenantSecrets;
  /** The transport of all requests. */
  readonly transport: Transport;
  readonly #log: Log;
  readonly #state: vscode.Memento;
  readonly #ready: Promise<void>;
  readonly #locating = new RequestSharing<URL>();
  readonly #clients = new Map<string, Promise<ContentClient>>();
  readonly #accounts = new Accounts();
  readonly #listeners: readonly vscode.Disposable[];

  constructor(
    registry: TenantRegistry,
    secrets: TenantSecrets,
    transport: Transport,
    state: vscode.Memento,
    log: Log,
    ready: Promise<void>,
  ) {
    this.#ready = ready;
    this.#registry = registry;
    this.#secrets = secrets;
    this.transport = transport;
    this.#state = state;
    this.#log = log;
    this.#listeners = [
      secrets.onDidChange(() => this.#clients.clear()),
      secrets.onDidSignOut((tenantId) => {
        this.#accounts.end(tenantId);
        this.#clients.clear();
        deleteAccountState(this.#state, tenantId).catch((error: unknown) => this.#log.warn(errorMessage(error)));
      }),
      registry.onDidChange(() => {
        this.#clients.clear();
        this.#accounts.endExcept(registry.all);
      }),
    ];
  }

  /** The tenant with this id. Throws an AccessError if it does not exist. */
  tenant(tenantId: string): Tenant {
    const tenant = this.#registry.get(tenantId);
    if (tenant === undefined) {
      throw new AccessError(
        "unknownTenant",
        { tenantId },
        vscode.l10n.t('The tenant "{0}" isn\'t in the settings. Add it, then try again.', tenantId),
      );
    }
    return tenant;
  }

  /** A client for the platform's operations. Throws an AccessError if the user is signed out. */
  async platform(tenantId: string): Promise<PlatformClient> {
    await this.#ready;
    const tenant = this.tenant(tenantId);
    const credential = await this.#secrets.credential(tenant);
    if (credential === undefined) {
      throw signedOut(tenant);
    }
    return new Client(
      {
        kind: "platform",
        base: new URL(tenant.baseUrl),
        dialect: tenant.dialect,
        credential,
        limits: singleUserLimits,
      },
      this.transport,
      this.#log,
      this.#accounts.of(tenant, credential),
    );
  }

  /** What is remembered for the tenant's current account. */
  account(tenantId: string): AccountScope {
    return this.#accounts.current(tenantId);
  }

  /** A client for testing a credential before it is stored. */
  trial(tenant: Tenant, credential: ConstructorParameters<typeof Client<"platform">>[0]["credential"]): PlatformClient {
    const destination = {
      kind: "platform",
      base: new URL(tenant.baseUrl),
      dialect: tenant.dialect,
      credential,
      limits: singleUserLimits,
    } as const;
    return new Client(destination, this.transport, this.#log);
  }

  /** A client for testing a notebook token before it is stored. */
  trialContent(tenant: Tenant, base: URL, token: string): ContentClient {
    const credential = new NotebookToken(base.origin, token);
    return new Client(
      { kind: "notebook", base, dialect: tenant.dialect, credential, limits: singleUserLimits },
      this.transport,
      this.#log,
    );
  }

  /**
   * A client for a workspace's content server. Throws an AccessError if the workspace is not running, if its address is
   * unknown, or if there is no notebook token for that address.
   */
  content(tenantId: string, workspaceId: string): Promise<ContentClient> {
    const key = `${tenantId}/${workspaceId}`;
    const known = this.#clients.get(key);
    if (known !== undefined) {
      return known;
    }
    const client = this.#contentClient(tenantId, workspaceId);
    this.#clients.set(key, client);
    client.catch(() => this.#clients.delete(key));
    return client;
  }

  async #contentClient(tenantId: string, workspaceId: string): Promise<ContentClient> {
    await this.#ready;
    const tenant = this.tenant(tenantId);
    const base = await this.contentServer(tenantId, workspaceId);
    const credential = await this.#secrets.notebookToken(tenantId, workspaceId);
    if (credential === undefined || credential.origin !== base.origin) {
      if ((await this.#secrets.credential(tenant)) === undefined) {
        throw signedOut(tenant);
      }
      const name = this.nameOf(tenantId, workspaceId);
      throw new AccessError(
        "noToken",
        { tenantId, workspaceId },
        vscode.l10n.t("There is no notebook token for {0} yet.", name),
      );
    }
    return new Client(
      { kind: "notebook", base, dialect: tenant.dialect, credential, limits: singleUserLimits },
      this.transport,
      this.#log,
    );
  }

  /**
   * The address of the workspace's content server: the stored one, or that of the running instance. Throws an
   * AccessError if there is neither.
   */
  contentServer(tenantId: string, workspaceId: string): Promise<URL> {
    const remembered = this.#remembered(tenantId, workspaceId);
    const isForTenant = remembered.tenant === this.#registry.get(tenantId)?.baseUrl;
    if (remembered.base !== undefined && isForTenant && URL.canParse(remembered.base)) {
      return Promise.resolve(new URL(remembered.base));
    }
    return this.#locating.run(`${tenantId}/${workspaceId}`, () => this.#locate(tenantId, workspaceId));
  }

  /**
   * Reads the address of the workspace's content server again. Resolves with true if it has changed. Throws an
   * AccessError if there is none. If the platform doesn't respond, the stored address is kept.
   */
  async relocateContentServer(tenantId: string, workspaceId: string): Promise<boolean> {
    const { base } = this.#remembered(tenantId, workspaceId);
    const after = await this.#locating.run(`${tenantId}/${workspaceId}`, () => this.#locate(tenantId, workspaceId));
    return base !== after.href;
  }

  async #locate(tenantId: string, workspaceId: string): Promise<URL> {
    const tenant = this.tenant(tenantId);
    const client = await this.platform(tenantId);
    const { workspace, location } = await readContentServer(client, workspaceId, tenant.contentServer);
    await this.#remember(client, tenantId, workspace, location);
    return this.#found(tenantId, workspace, location);
  }

  #found(tenantId: string, workspace: Workspace, location: ContentServerLocation): URL {
    const workspaceId = workspace.id;
    const name = workspace.name ?? workspaceId;
    switch (location.type) {
      case "found":
        return location.base;
      case "notRunning":
        throw new AccessError(
          "stopped",
          { tenantId, workspaceId },
          vscode.l10n.t("The workspace {0} isn't running.", name),
        );
      case "unknown":
        throw new AccessError(
          "noAddress",
          { tenantId, workspaceId },
          phrase`The content server of ${name} can't be found: ${location.reason}.`,
        );
    }
  }

  /**
   * Reads a workspace. If the platform does not report whether it is running, asks its content server: a server that
   * responds counts as a running instance.
   */
  async workspace(tenantId: string, workspaceId: string, options: CallOptions = {}): Promise<Workspace> {
    const platform = await this.platform(tenantId);
    const workspace = await platform.call(getWorkspace, { workspaceId }, options);
    if (reportsInstances(workspace)) {
      return workspace;
    }
    const { withInstancesSeen } = await import("../api/families/running-check.ts");
    const tenant = this.tenant(tenantId);
    // The server responds even if the token is wrong.
    const contentAt = (base: URL): ContentClient => this.trialContent(tenant, base, "no-token");
    return withInstancesSeen({ platform, contentAt, contentServer: tenant.contentServer }, workspace, options);
  }

  /** Stores a workspace from a list, so that opening it needs no further requests. */
  async cacheWorkspace(tenantId: string, workspace: Workspace): Promise<void> {
    const tenant = this.#registry.get(tenantId);
    if (tenant === undefined || tenant.contentServer.prefix?.includes("{namespace}")) {
      return;
    }
    const client = await this.platform(tenantId);
    await this.#remember(client, tenantId, workspace, await findContentServer(client, workspace, tenant.contentServer));
  }

  /** Discards the address of the content server, because the instance was stopped or replaced. */
  async deleteContentServer(tenantId: string, workspaceId: string): Promise<void> {
    this.#clients.delete(`${tenantId}/${workspaceId}`);
    const { name } = this.#remembered(tenantId, workspaceId);
    await this.#store(tenantId, workspaceId, name === undefined ? {} : { name });
  }

  /** The last known name of the workspace, or its id. */
  nameOf(tenantId: string, workspaceId: string): string {
    return this.#remembered(tenantId, workspaceId).name ?? workspaceId;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listeners).dispose();
    this.#accounts.endExcept([]);
  }

  #remembered(tenantId: string, workspaceId: string): RememberedWorkspace {
    const all = this.#state.get<Readonly<Record<string, RememberedWorkspace>>>(accountKeys.rememberedWorkspaces, {});
    return all[`${tenantId}/${workspaceId}`] ?? {};
  }

  /** Stores what a client has read, unless its user has signed out meanwhile. */
  async #remember(
    { account }: PlatformClient,
    tenantId: string,
    workspace: Workspace,
    location: ContentServerLocation,
  ): Promise<void> {
    if (account !== this.account(tenantId)) {
      return;
    }
    const found = location.type === "found" ? { base: location.base.href } : {};
    const name = workspace.name === undefined || workspace.name === null ? {} : { name: workspace.name };
    await this.#store(tenantId, workspace.id, { ...name, ...found, tenant: this.tenant(tenantId).baseUrl });
  }

  async #store(tenantId: string, workspaceId: string, value: RememberedWorkspace): Promise<void> {
    const key = `${tenantId}/${workspaceId}`;
    const all = this.#state.get<Readonly<Record<string, RememberedWorkspace>>>(accountKeys.rememberedWorkspaces, {});
    const before = all[key];
    if (before?.name === value.name && before?.base === value.base && before?.tenant === value.tenant) {
      return;
    }
    if (before?.base !== value.base) {
      this.#clients.delete(key);
    }
    await this.#state.update(accountKeys.rememberedWorkspaces, { ...all, [key]: value });
  }
}

function signedOut(tenant: Tenant): AccessError {
  return new AccessError(
    "signedOut",
    { tenantId: tenant.id },
    vscode.l10n.t("You aren't signed in to {0}.", tenant.label),
  );
}
