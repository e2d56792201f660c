import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as vscode from "vscode";
import { silentLog } from "../../src/api/http/log.ts";
import { FrontDoorServers } from "../../src/features/front-door/servers.ts";
import { askForFrontDoorToken } from "../../src/features/front-door/token-prompt.ts";
import { readTenant, type Tenant } from "../../src/tenants/tenant.ts";
import type { TenantRegistry } from "../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../src/tenants/tenant-secrets.ts";
import { until } from "./time.ts";

function tokenFor(name: string, seconds: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  return `acme_${part({ alg: "RS256" })}.${part({ sub: name, iat: now, exp: now + seconds })}.signature`;
}

/** The editor's secret storage, in memory. */
class Storage implements vscode.SecretStorage {
  readonly #kept = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return [...this.#kept.keys()];
  }
  async get(key: string): Promise<string | undefined> {
    return this.#kept.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.#kept.set(key, value);
    this.#changed.fire({ key });
  }
  async delete(key: string): Promise<void> {
    this.#kept.delete(key);
    this.#changed.fire({ key });
  }
}

/** A user at the password box: types each text in turn, and dismisses the box when none is left. */
function typing(texts: readonly string[]): { readonly told: string[]; restore(): void } {
  const told: string[] = [];
  const left = [...texts];
  const original = vscode.window.createInputBox;
  Reflect.set(vscode.window, "createInputBox", () => {
    const accepted = new vscode.EventEmitter<void>();
    const hidden = new vscode.EventEmitter<void>();
    const never = new vscode.EventEmitter<never>();
    const next = (): void => {
      const typed = left.shift();
      if (typed === undefined) {
        hidden.fire();
      } else {
        box.value = typed;
        accepted.fire();
      }
    };
    const box = {
      value: "",
      title: "",
      prompt: "",
      placeholder: "",
      password: false,
      ignoreFocusOut: false,
      buttons: [],
      busy: false,
      enabled: true,
      onDidChangeValue: never.event,
      onDidTriggerButton: never.event,
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      show: () => setTimeout(next, 0),
      hide: () => hidden.fire(),
      dispose: () => undefined,
      set validationMessage(shown: vscode.InputBoxValidationMessage | undefined) {
        if (shown !== undefined) {
          told.push(shown.message);
          setTimeout(next, 0);
        }
      },
    };
    return box;
  });
  return { told, restore: () => Reflect.set(vscode.window, "createInputBox", original) };
}

describe("a tenant's front door as an MCP server of the editor", () => {
  let server: Server;
  let origin: string;
  let storage: Storage;
  let secrets: TenantSecrets;
  let tenant: Tenant & { readonly frontDoor: NonNullable<Tenant["frontDoor"]> };
  let servers: FrontDoorServers;
  let taken: Set<string>;
  let renewals: string[];
  let responseOfTokenEndpoint: () => {
    readonly status: number;
    readonly headers?: Record<string, string>;
    body: object;
  };
  let lines: string[];

  before(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.url === "/token") {
          renewals.push(body);
          const { status, headers = {}, body: tokenBody } = responseOfTokenEndpoint();
          response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(tokenBody));
          return;
        }
        const isTaken = taken.has((request.headers.authorization ?? "").replace("Bearer ", ""));
        const refusal = { error: "invalid_token", message: "The token was not accepted." };
        response.writeHead(isTaken ? 200 : 401, { "content-type": "application/json" });
        response.end(JSON.stringify(isTaken ? { jsonrpc: "2.0", id: 1, result: {} } : refusal));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    const read = readTenant({
      id: "acme",
      label: "Acme",
      baseUrl: "https://acme.example.com",
      frontDoor: { url: `${origin}/mcp`, tokenUrl: `${origin}/token`, clientId: "editor", tokenPrefix: "acme_" },
    });
    assert.ok("tenant" in read && read.tenant.frontDoor !== undefined);
    tenant = { ...read.tenant, frontDoor: read.tenant.frontDoor };
    storage = new Storage();
    secrets = new TenantSecrets(storage);
    taken = new Set();
    renewals = [];
    lines = [];
    const take = (line: string): void => void lines.push(line);
    servers = new FrontDoorServers({
      registry: { all: [tenant] } as unknown as TenantRegistry,
      secrets,
      log: { ...silentLog, info: take, warn: take, error: take, show: () => {} },
    });
  });
  afterEach(() => {
    servers.dispose();
    secrets.dispose();
  });
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const first = async (): Promise<vscode.McpHttpServerDefinition> => {
    const [definition] = await servers.definitions();
    assert.ok(definition !== undefined);
    return definition;
  };
  const keep = (secret: string, refresh?: string, at = origin): Promise<boolean> =>
    secrets.saveFrontDoorToken(tenant, {
      origin: at,
      secret,
      ...(refresh === undefined ? {} : { refresh: { origin, secret: refresh } }),
    });

  it("is offered without its token, and receives it when it starts", async () => {
    const before = await first();
    assert.deepEqual([before.label, before.uri.toString()], ["Acme (front door)", `${origin}/mcp`]);
    const token = tokenFor("ada", 3600);
    await keep(token);
    const definition = await first();
    assert.notEqual(definition.version, before.version);
    assert.ok(!JSON.stringify(definition).includes(token));
    assert.deepEqual((await servers.resolve(definition))?.headers, { Authorization: `Bearer ${token}` });
    assert.equal(await secrets.countNotebookTokens("acme"), 0);
  });

  it("asks for a missing token, and stores one that the front door accepts", async () => {
    const token = tokenFor("ada", 3600);
    taken.add(token);
    const { told, restore } = typing([tokenFor("old", -10), tokenFor("other", 3600), `Bearer ${token}`, "refresh-1"]);
    try {
      assert.deepEqual((await servers.resolve(await first()))?.headers, { Authorization: `Bearer ${token}` });
    } finally {
      restore();
    }
    const help = `It is stored in the editor's secret storage and sent only to ${new URL(origin).host}.`;
    assert.deepEqual(told, [
      `This token has expired. Get a new one. ${help}`,
      `The token was not accepted. (401) ${help}`,
    ]);
    const kept = await secrets.frontDoorToken(tenant);
    assert.deepEqual(kept, { origin, secret: token, refresh: { origin, secret: "refresh-1" } });
  });

  it("doesn't start if the user enters no token", async () => {
    const { restore } = typing([]);
    try {
      assert.equal(await servers.resolve(await first()), undefined);
    } finally {
      restore();
    }
  });

  it("never receives a token that was entered for another address", async () => {
    await keep(tokenFor("ada", 3600), undefined, "https://elsewhere.example.com");
    const { restore } = typing([]);
    try {
      assert.equal(await servers.resolve(await first()), undefined);
    } finally {
      restore();
    }
  });

  it("renews an expired token with the refresh token", async () => {
    await keep(tokenFor("ada", -60), "refresh-1");
    const fresh = tokenFor("ada", 3600);
    responseOfTokenEndpoint = () => ({
      status: 200,
      body: { access_token: fresh.replace("acme_", ""), refresh_token: "refresh-2" },
    });
    assert.deepEqual((await servers.resolve(await first()))?.headers, { Authorization: `Bearer ${fresh}` });
    assert.deepEqual(renewals, ["grant_type=refresh_token&refresh_token=refresh-1&client_id=editor"]);
    const kept = await secrets.frontDoorToken(tenant);
    assert.deepEqual(kept?.refresh, { origin, secret: "refresh-2" });
    assert.ok(!lines.join("\n").includes("refresh-") && !lines.join("\n").includes(fresh));
  });

  it("renews the token before it expires, and notifies the editor", async () => {
    const fresh = tokenFor("ada", 3600);
    responseOfTokenEndpoint = () => ({ status: 200, body: { access_token: fresh } });
    await keep(tokenFor("ada", 31), "refresh-1");
    const told = new Promise<void>((resolve) => secrets.onDidChangeFrontDoorToken(() => resolve()));
    const before = await first();
    await told;
    const after = await first();
    assert.notEqual(after.version, before.version);
    assert.equal((await secrets.frontDoorToken(tenant))?.secret, fresh);
    assert.equal(renewals.length, 1);
  });

  it("reports once that a token expires if it can't be renewed", async () => {
    const warned: string[] = [];
    const original = vscode.window.showWarningMessage;
    Reflect.set(vscode.window, "showWarningMessage", async (message: string) => void warned.push(message));
    try {
      responseOfTokenEndpoint = () => ({
        status: 307,
        headers: { location: "http://127.0.0.1:9/token" },
        body: {},
      });
      await keep(tokenFor("ada", 20), "refresh-1");
      await first();
      const failedRenewals = (): number => lines.filter((line) => line.includes("can't be renewed")).length;
      await until("the warning", () => warned.length > 0);
      const before = failedRenewals();
      await first();
      await until("another renewal that fails", () => failedRenewals() > before);
    } finally {
      Reflect.set(vscode.window, "showWarningMessage", original);
    }
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? "", /^The front door token for Acme expires at /);
    assert.ok(lines.every((line) => !line.includes("refresh-1")));
  });

  it("asks only once for concurrent requests", async () => {
    const token = tokenFor("ada", 3600);
    taken.add(token);
    const { restore } = typing([token, "refresh-1"]);
    try {
      const [one, other] = await Promise.all([
        askForFrontDoorToken(secrets, tenant),
        askForFrontDoorToken(secrets, tenant),
      ]);
      assert.deepEqual([one?.secret, other?.secret], [token, token]);
    } finally {
      restore();
    }
  });

  it("rejects an address in the settings that would send the token unencrypted", () => {
    const read = readTenant({
      id: "acme",
      baseUrl: "https://acme.example.com",
      frontDoor: { url: "http://tools.example.com/mcp" },
    });
    assert.ok("problem" in read);
    assert.match(String(read.problem), /must begin with https/);
  });
});
