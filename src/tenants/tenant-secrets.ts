import * as vscode from "vscode";
import * as z from "zod/mini";
import { NotebookToken, PlatformCredential } from "../api/http/credentials.ts";
import { createRedaction, longEnough, type Redaction } from "../api/http/redaction.ts";
import type { Tenant } from "./tenant.ts";

const withOrigin = z.object({ origin: z.string(), secret: z.string() });
const stored = z.object({
  ...withOrigin.shape,
  account: z.optional(z.string()),
  refresh: z.optional(withOrigin),
});
type Stored = z.output<typeof stored>;

/** A secret with the only origin that it may be sent to. */
interface SecretFor {
  readonly origin: string;
  readonly secret: string;
}

/** The token for a tenant's front door, and the refresh token that renews it. */
export interface FrontDoorToken extends SecretFor {
  readonly refresh?: SecretFor | undefined;
}

/** A changed secret: a tenant's credential, or, with `workspaceId`, the notebook token of one workspace. */
export interface SecretChange {
  readonly tenantId: string;
  readonly workspaceId: string | undefined;
}

const prefix = "platformWorkbench/";
/** Used in a key instead of a workspace id. */
const frontDoor = "@front-door";

/** The number of secrets that are remembered for the redaction. */
const maxKnown = 200;

/**
 * Stores tenant credentials and notebook tokens in the editor's SecretStorage, each with the origin that the user
 * confirmed for it. The secrets of provided tenants stay in memory.
 */
export class TenantSecrets implements vscode.Disposable {
  readonly #storage: vscode.SecretStorage;
  readonly #memory = new Map<string, Stored>();
  /** The secrets that this window has read or stored, the most recently used ones last. */
  readonly #known = new Set<string>();
  /** Undefined until it is needed, and after `known` has changed. */
  #redaction: Redaction | undefined;
  readonly #changed = new vscode.EventEmitter<SecretChange>();
  readonly #frontDoorChanged = new vscode.EventEmitter<void>();
  readonly #signedOut = new vscode.EventEmitter<string>();
  readonly #signedOutHere = new vscode.EventEmitter<string>();
  readonly #listener: vscode.Disposable;

  /** Fires when a secret was added, changed, or removed, in this window or another one. */
  readonly onDidChange = this.#changed.event;
  /** Fires when the token for a front door was added, changed, or removed. */
  readonly onDidChangeFrontDoorToken = this.#frontDoorChanged.event;
  /**
   * Fires with the tenant's id when the user has signed out, in this window or another one. The tenant's content is no
   * longer shown. Can fire twice.
   */
  readonly onDidSignOut = this.#signedOut.event;
  /** Fires with the tenant's id when the user has signed out in this window, even if there was no secret. */
  readonly onDidSignOutHere = this.#signedOutHere.event;

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
    this.#listener = storage.onDidChange((event) => this.#fire(event.key));
  }

  /** The tenant's credential; undefined if the user is signed out, or if it was entered for another address. */
  async credential(tenant: Tenant): Promise<PlatformCredential | undefined> {
    const entry = await this.#read(secretKey(tenant.id));
    const isForTenant = entry !== undefined && entry.origin === new URL(tenant.baseUrl).origin;
    return isForTenant ? new PlatformCredential(entry.origin, entry.secret) : undefined;
  }

  /** The name of the signed-in account. */
  async account(tenant: Tenant): Promise<string | undefined> {
    return (await this.#read(secretKey(tenant.id)))?.account;
  }

  /** The workspace's notebook token, with the origin that it was entered for. */
  async notebookToken(tenantId: string, workspaceId: string): Promise<NotebookToken | undefined> {
    const entry = await this.#read(secretKey(tenantId, workspaceId));
    return entry === undefined ? undefined : new NotebookToken(entry.origin, entry.secret);
  }

  /** The token for the tenant's front door; undefined if there is none, or if it was entered for another address. */
  async frontDoorToken(tenant: Tenant): Promise<FrontDoorToken | undefined> {
    const entry = await this.#read(secretKey(tenant.id, frontDoor));
    const isForFrontDoor = tenant.frontDoor !== undefined && entry?.origin === new URL(tenant.frontDoor.url).origin;
    return isForFrontDoor ? entry : undefined;
  }

  /** Stores the token for the tenant's front door. Resolves with false if the storage does not keep it. */
  async saveFrontDoorToken(tenant: Tenant, token: FrontDoorToken): Promise<boolean> {
    return this.#write(tenant, secretKey(tenant.id, frontDoor), token);
  }

  async removeFrontDoorToken(tenantId: string): Promise<void> {
    await this.#delete(secretKey(tenantId, frontDoor));
  }

  /**
   * Stores the tenant's credential. Signs out first if it belongs to another account than the current one. Resolves with
   * false if the storage does not keep it.
   */
  async saveCredential(tenant: Tenant, secret: string, account: string): Promise<boolean> {
    const before = await this.account(tenant);
    if (before !== undefined && before !== account) {
      await this.signOut(tenant.id);
      // The new credential may be stored before the removal of the old one is noticed.
      this.#signedOut.fire(tenant.id);
    }
    return this.#write(tenant, secretKey(tenant.id), { origin: new URL(tenant.baseUrl).origin, secret, account });
  }

  /** Stores a notebook token for one origin. Resolves with false if the storage does not keep it. */
  async saveNotebookToken(tenant: Tenant, workspaceId: string, origin: string, secret: string): Promise<boolean> {
    return this.#write(tenant, secretKey(tenant.id, workspaceId), { origin, secret });
  }

  /** Removes the tenant's credential, then the tokens for its workspaces and its front door. */
  async signOut(tenantId: string): Promise<void> {
    await this.#deleteAll(tenantId);
    this.#signedOutHere.fire(tenantId);
  }

  /**
   * Removes this window's secrets of a tenant after the user signed out in another window: those in memory, and the
   * stored ones if each window has its own storage.
   */
  async signedOutElsewhere(tenantId: string, hasOwnStorage: boolean): Promise<void> {
    if (hasOwnStorage) {
      await this.#deleteAll(tenantId);
      return;
    }
    for (const key of [...this.#memory.keys()].filter((one) => isOf(tenantId, one))) {
      this.#memory.delete(key);
      this.#fire(key);
    }
    // Another account may have signed in there meanwhile, with a credential that is already stored.
    this.#signedOut.fire(tenantId);
  }

  async #deleteAll(tenantId: string): Promise<void> {
    await this.#delete(secretKey(tenantId));
    for (const key of await this.#keysOf(tenantId)) {
      await this.#delete(key);
    }
  }

  async removeNotebookToken(tenantId: string, workspaceId: string): Promise<void> {
    await this.#delete(secretKey(tenantId, workspaceId));
  }

  /** The text without the secrets that this window has read or stored, even if they were removed meanwhile. */
  redacted(text: string): string {
    this.#redaction ??= createRedaction([...this.#known], "given");
    return this.#redaction.text(text);
  }

  /** The number of the tenant's workspaces with a stored notebook token. */
  async countNotebookTokens(tenantId: string): Promise<number> {
    const others = new Set([secretKey(tenantId), secretKey(tenantId, frontDoor)]);
    return [...(await this.#keysOf(tenantId))].filter((key) => !others.has(key)).length;
  }

  async #keysOf(tenantId: string): Promise<ReadonlySet<string>> {
    return new Set([...(await this.#storage.keys()), ...this.#memory.keys()].filter((key) => isOf(tenantId, key)));
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
    this.#frontDoorChanged.dispose();
    this.#signedOut.dispose();
    this.#signedOutHere.dispose();
  }

  async #read(key: string): Promise<Stored | undefined> {
    const inMemory = this.#memory.get(key);
    if (inMemory !== undefined) {
      return inMemory;
    }
    const text = await this.#storage.get(key);
    if (text === undefined) {
      return undefined;
    }
    try {
      const { data } = z.safeParse(stored, JSON.parse(text));
      this.#remember(data);
      return data;
    } catch {
      return undefined;
    }
  }

  async #write(tenant: Tenant, key: string, value: Stored): Promise<boolean> {
    this.#remember(value);
    if (tenant.source === "provided") {
      this.#memory.set(key, value);
      this.#fire(key);
      return true;
    }
    await this.#storage.store(key, JSON.stringify(value));
    return (await this.#storage.get(key)) !== undefined;
  }

  #remember(value: Stored | undefined): void {
    const secrets = [value?.secret, value?.refresh?.secret].filter((one) => one !== undefined);
    for (const secret of longEnough(secrets)) {
      if (!this.#known.delete(secret)) {
        this.#redaction = undefined;
      }
      this.#known.add(secret);
    }
    for (const leastUsed of [...this.#known].slice(0, -maxKnown)) {
      this.#known.delete(leastUsed);
    }
  }

  async #delete(key: string): Promise<void> {
    if (this.#memory.delete(key)) {
      this.#fire(key);
    }
    await this.#storage.delete(key);
  }

  #fire(key: string): void {
    if (!key.startsWith(prefix)) {
      return;
    }
    const [tenantId = "", workspaceId] = key.slice(prefix.length).split("/");
    if (workspaceId === frontDoor) {
      this.#frontDoorChanged.fire();
      return;
    }
    this.#changed.fire({ tenantId, workspaceId });
    if (workspaceId === undefined) {
      void this.#read(key).then((credential) => credential ?? this.#signedOut.fire(tenantId));
    }
  }
}

function isOf(tenantId: string, key: string): boolean {
  return key === secretKey(tenantId) || key.startsWith(`${secretKey(tenantId)}/`);
}

function secretKey(tenantId: string, workspaceId?: string): string {
  return workspaceId === undefined ? `${prefix}${tenantId}` : `${prefix}${tenantId}/${workspaceId}`;
}
