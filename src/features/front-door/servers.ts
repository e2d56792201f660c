import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { showWarning } from "../../tenants/messages.ts";
import type { FrontDoorPlace, Tenant } from "../../tenants/tenant.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { FrontDoorToken, TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { serverLabels } from "./server-labels.ts";
import { hasEnded, isRenewable, lifetimeOf, renewalTimeOf, renewed } from "./token.ts";
import { askForFrontDoorToken } from "./token-prompt.ts";

export interface FrontDoorParts {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly log: ExtensionLog;
}

type TenantWithFrontDoor = Tenant & { readonly frontDoor: FrontDoorPlace };

/** The maximum delay of a timer, in milliseconds. */
const maxWaitMs = 2 ** 31 - 1;
/** Milliseconds between two attempts to renew a token. */
const retryPauseMs = 20_000;

/**
 * Offers the tenants' front doors as MCP servers. The editor keeps sending the headers that a server was started with,
 * so a token is renewed before it expires, and the editor restarts the server with the new token.
 */
export class FrontDoorServers implements vscode.Disposable {
  readonly #parts: FrontDoorParts;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #renewing = new RequestSharing<FrontDoorToken | undefined>();
  /** Tokens whose expiry was already reported. */
  readonly #warned = new Set<string>();

  constructor(parts: FrontDoorParts) {
    this.#parts = parts;
  }

  /** One server for each tenant with a front door. Contains no tokens, and shows no prompts. */
  async definitions(): Promise<vscode.McpHttpServerDefinition[]> {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#timers.clear();
    const labels = this.#labels();
    return Promise.all(
      this.#tenants().map(async (tenant) => {
        const token = await this.#parts.secrets.frontDoorToken(tenant);
        if (token !== undefined) {
          this.#schedule(tenant, token.secret);
        }
        const label = labels.get(tenant.id) ?? tenant.id;
        return new vscode.McpHttpServerDefinition(label, uriOf(tenant), {}, versionOf(token));
      }),
    );
  }

  /** The server with a valid token; undefined if the user provides none. */
  async resolve(server: vscode.McpHttpServerDefinition): Promise<vscode.McpHttpServerDefinition | undefined> {
    const labels = this.#labels();
    const tenant = this.#tenants().find(
      (one) => labels.get(one.id) === server.label && uriOf(one).toString() === server.uri.toString(),
    );
    if (tenant === undefined) {
      return undefined;
    }
    const token = await this.#lastingToken(tenant);
    if (token === undefined) {
      return undefined;
    }
    server.headers = { Authorization: `Bearer ${token.secret}` };
    return server;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
  }

  #tenants(): readonly TenantWithFrontDoor[] {
    return this.#parts.registry.all.flatMap(({ frontDoor, ...tenant }) =>
      frontDoor === undefined ? [] : [{ ...tenant, frontDoor }],
    );
  }

  #labels(): ReadonlyMap<string, string> {
    return serverLabels(this.#tenants(), (label) => vscode.l10n.t("{0} (front door)", label));
  }

  async #lastingToken(tenant: TenantWithFrontDoor): Promise<FrontDoorToken | undefined> {
    const token = await this.#parts.secrets.frontDoorToken(tenant);
    if (token !== undefined && !hasEnded(token.secret)) {
      return token;
    }
    const fresh = token === undefined ? undefined : await this.#renew(tenant, token);
    return fresh ?? askForFrontDoorToken(this.#parts.secrets, tenant);
  }

  #schedule(tenant: TenantWithFrontDoor, secret: string): void {
    const due = renewalTimeOf(secret);
    if (due === undefined || hasEnded(secret)) {
      return;
    }
    this.#wakeIn(tenant, due - Date.now());
  }

  #wakeIn(tenant: TenantWithFrontDoor, milliseconds: number): void {
    clearTimeout(this.#timers.get(tenant.id));
    const wake = (): void => {
      this.#due(tenant).catch((error: unknown) => this.#parts.log.error(errorMessage(error)));
    };
    this.#timers.set(tenant.id, setTimeout(wake, Math.min(maxWaitMs, Math.max(0, milliseconds))));
  }

  async #due(tenant: TenantWithFrontDoor): Promise<void> {
    const token = await this.#parts.secrets.frontDoorToken(tenant);
    const due = token === undefined ? undefined : renewalTimeOf(token.secret);
    if (token === undefined || due === undefined) {
      return;
    }
    if (due > Date.now()) {
      this.#schedule(tenant, token.secret);
      return;
    }
    // Storing a token makes the editor request the servers again, which sets the next timer.
    if ((await this.#renew(tenant, token)) !== undefined) {
      return;
    }
    if (isRenewable(tenant.frontDoor, token) && !hasEnded(token.secret)) {
      this.#wakeIn(tenant, retryPauseMs);
    }
    await this.#warn(tenant, token.secret);
  }

  /** Gets and stores a new token; undefined if that requires the user. */
  #renew(tenant: TenantWithFrontDoor, token: FrontDoorToken): Promise<FrontDoorToken | undefined> {
    if (!isRenewable(tenant.frontDoor, token)) {
      return Promise.resolve(undefined);
    }
    return this.#renewing.run(tenant.id, () =>
      renewed(tenant.frontDoor, token)
        .then(async (fresh) => {
          await this.#parts.secrets.saveFrontDoorToken(tenant, fresh);
          this.#parts.log.info(`front door of ${tenant.id}: the token was renewed`);
          return fresh;
        })
        .catch((error: unknown) => {
          this.#parts.log.warn(`front door of ${tenant.id}: the token can't be renewed: ${errorMessage(error)}`);
          return undefined;
        }),
    );
  }

  async #warn(tenant: TenantWithFrontDoor, secret: string): Promise<void> {
    if (this.#warned.has(secret)) {
      return;
    }
    this.#warned.add(secret);
    const until = new Intl.DateTimeFormat(vscode.env.language, { timeStyle: "short" }).format(
      lifetimeOf(secret)?.until ?? Date.now(),
    );
    const enter = vscode.l10n.t("Enter New Token");
    const chosen = await showWarning(
      vscode.l10n.t("The front door token for {0} expires at {1}. Its tools stop working then.", tenant.label, until),
      enter,
    );
    if (chosen === enter) {
      await askForFrontDoorToken(this.#parts.secrets, tenant);
    }
  }
}

function uriOf({ frontDoor }: TenantWithFrontDoor): vscode.Uri {
  return vscode.Uri.parse(frontDoor.url, true);
}

/** The server's version. It changes with the token, so that the editor requests the tools again. */
function versionOf(token: FrontDoorToken | undefined): string {
  return token === undefined ? "0" : createHash("sha256").update(token.secret).digest("hex").slice(0, 16);
}
