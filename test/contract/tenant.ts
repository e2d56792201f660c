import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { AnyOperation } from "../../src/api/catalogue/operation.ts";
import { Client, type RawResponse } from "../../src/api/client/client.ts";
import {
  type CredentialKind,
  InternalSecret,
  NotebookToken,
  PlatformCredential,
} from "../../src/api/http/credentials.ts";
import { type DialectId, dialects } from "../../src/api/http/dialects.ts";
import { PlatformError } from "../../src/api/http/errors.ts";
import type { Log } from "../../src/api/http/log.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { type InternalService, startInternalService } from "../../src/programs/sample-tenant/internal-service.ts";
import {
  type SampleTenant,
  type SampleTenantOptions,
  type SampleTenantWorkspace,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import { type FaultAction, type FaultMatch, type FaultProxy, startFaultProxy } from "../harness/proxy.ts";

/** The sample tenant behind a proxy that breaks requests on demand, and clients that access it over real HTTP. */
export class ContractTenant {
  readonly dialect: DialectId;
  readonly tenant: SampleTenant;
  readonly proxy: FaultProxy;
  /** The internal service, behind its own proxy. */
  readonly internalService: InternalService;
  readonly internalProxy: FaultProxy;
  /** Decrypts the envelopes of stored credentials. */
  readonly privateKey: KeyObject;
  readonly transport: Transport;
  /** Everything that was logged, at every level, and every error in all its forms. */
  readonly shown: string[];
  readonly #dataDirectory: string;
  readonly #runningId: string | undefined;
  readonly #began = performance.now();
  #errors = 0;

  private constructor(
    dialect: DialectId,
    parts: Pick<ContractTenant, "tenant" | "proxy" | "internalService" | "internalProxy" | "privateKey" | "shown"> & {
      readonly dataDirectory: string;
    },
  ) {
    this.dialect = dialect;
    this.tenant = parts.tenant;
    this.proxy = parts.proxy;
    this.internalService = parts.internalService;
    this.internalProxy = parts.internalProxy;
    this.privateKey = parts.privateKey;
    this.#dataDirectory = parts.dataDirectory;
    this.shown = parts.shown;
    this.#runningId = this.tenant.workspaces.find(({ status }) => status === "running")?.id;
    this.transport = createTransport({ log: this.log, sleep: async () => {} });
  }

  /** With `described`, the tenant has only the API description. */
  static async start(dialect: DialectId, described?: SampleTenantOptions["described"]): Promise<ContractTenant> {
    const dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-contract-"));
    const shown: string[] = [];
    const tenant = await startSampleTenant({
      dataDirectory,
      dialect,
      described,
      bootSeconds: 0,
      // Each suite runs with both kinds of hub this way.
      hubVersion: dialect === "documented" ? "6.1.1" : "3.0.0",
      log: (line) => shown.push(`tenant ${line}`),
    });
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const internalService = await startInternalService({
      publicKey,
      stored: [
        { ...storedHere, credential: tenant.platformToken },
        { ...storedHere, slug: "expired", credential: "an-old-token-0123456789" },
      ],
      entitled: { "remote-tools": [storedHere.email] },
      isValid: (credential) => credential === tenant.platformToken,
    });
    return new ContractTenant(dialect, {
      tenant,
      internalService,
      privateKey,
      dataDirectory,
      shown,
      proxy: await startFaultProxy(tenant.url),
      internalProxy: await startFaultProxy(internalService.url),
    });
  }

  get log(): Log {
    const take = (level: string) => (line: string) => {
      this.shown.push(`${level} ${line}`);
    };
    return { info: take("info"), debug: take("debug"), trace: take("trace"), warn: take("warn"), error: take("error") };
  }

  /** A client for the platform, through the proxy, with the right credential by default. */
  platform(token = this.tenant.platformToken, url = this.proxy.url): Client<"platform"> {
    const credential = new PlatformCredential(url, token);
    const dialect = dialects[this.dialect];
    return new Client(
      { kind: "platform", base: new URL(url), dialect, credential, limits: singleUserLimits },
      this.transport,
      this.log,
    );
  }

  /** A client for the content server of a workspace; by default, of the running one. */
  content(
    workspace = this.running,
    token = this.tenant.notebookToken(workspace.id),
    url = this.proxy.url,
  ): Client<"notebook"> {
    const credential = new NotebookToken(url, token);
    const base = new URL(new URL(workspace.contentUrl).pathname, url);
    return new Client(
      { kind: "notebook", base, dialect: dialects[this.dialect], credential, limits: singleUserLimits },
      this.transport,
      this.log,
    );
  }

  /** A client for the front door and the internal service behind it. */
  internal(secret = this.internalService.secret, url = this.internalProxy.url): Client<"internal"> {
    const credential = new InternalSecret(url, secret);
    const dialect = dialects[this.dialect];
    return new Client(
      { kind: "internal", base: new URL(url), dialect, credential, limits: singleUserLimits },
      this.transport,
      this.log,
    );
  }

  /** Runs any operation with the client that it needs. The compiler can't know its input here. */
  rawCall(operation: AnyOperation, input: object): Promise<RawResponse> {
    return this.clientOf(operation).raw(operation, input as never);
  }

  /** Like `rawCall`, with a checked response. */
  call(operation: AnyOperation, input: object): Promise<unknown> {
    return this.clientOf(operation).call(operation, input as never);
  }

  /** The client that an operation needs. The compiler can't know its kind here. */
  clientOf({ credential }: AnyOperation): Client<CredentialKind> {
    const clients = {
      platform: () => this.platform(),
      notebook: () => this.content(),
      internal: () => this.internal(),
    };
    return clients[credential]() as Client<CredentialKind>;
  }

  /** The proxy that an operation's requests go through. */
  proxyOf(operation: AnyOperation): FaultProxy {
    return operation.credential === "internal" ? this.internalProxy : this.proxy;
  }

  get running(): SampleTenantWorkspace {
    return this.tenant.workspaces.find(({ id }) => id === this.#runningId) ?? assert.fail("no workspace runs");
  }

  workspace(name: string): SampleTenantWorkspace {
    return this.tenant.workspaces.find((workspace) => workspace.name === name) ?? assert.fail(`no workspace ${name}`);
  }

  /** Runs the work while the matching requests are broken. */
  async broken<T>(action: FaultAction, work: () => Promise<T>, match: FaultMatch = {}): Promise<T> {
    const repairs = [this.proxy, this.internalProxy].map((proxy) => proxy.addFault({ match, action }));
    try {
      return await work();
    } finally {
      for (const repair of repairs) {
        repair();
      }
    }
  }

  /** The PlatformError with which the work fails. It is stored in all the forms in which it could be shown. */
  async failure(work: Promise<unknown>): Promise<PlatformError> {
    try {
      await work;
    } catch (error) {
      assert.equal(error instanceof PlatformError, true, `another error than a PlatformError: ${inspect(error)}`);
      if (error instanceof PlatformError) {
        this.#errors += 1;
        this.shown.push(`${error.message}\n${error.stack}\n${JSON.stringify(error)}\n${inspect(error, { depth: 9 })}`);
        return error;
      }
    }
    return assert.fail("it did not fail");
  }

  /** Fails if anything shown contains a secret, or if too little was shown for that check. */
  assertNoSecretShown(): void {
    const all = this.shown.join("\n");
    for (const level of ["info", "debug", "trace", "tenant"]) {
      assert.equal(
        this.shown.some((line) => line.startsWith(`${level} `)),
        true,
        `nothing was logged at ${level}`,
      );
    }
    const tokens = [
      ...this.tenant.workspaces.map(({ id }) => this.tenant.notebookToken(id)),
      this.tenant.platformToken,
      this.internalService.secret,
    ];
    const stored = /sample-(?:private-key|security-code|api-key|password|access-key)-\d+/.exec(all);
    assert.equal(stored?.[0], undefined, "a secret of another system is shown");
    for (const secret of [...tokens, ...wrongTokens]) {
      assert.equal(all.includes(secret), false, "a token is shown");
      assert.equal(all.includes(secret.slice(0, 12)), false, "the beginning of a token is shown");
    }
  }

  /** A line of numbers, then everything ends. */
  async stop(figures: string): Promise<void> {
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1);
    const requests = this.proxy.requests.length + this.internalProxy.requests.length;
    console.log(`    ${this.dialect}: ${figures}, ${requests} requests, ${this.#errors} errors checked, ${seconds} s`);
    await this.transport.close();
    await this.proxy.stop();
    await this.internalProxy.stop();
    await this.internalService.stop();
    await this.tenant.stop();
    await rm(this.#dataDirectory, { recursive: true });
  }
}

const wrongTokens = [
  "wrong-notebook-token-0123456789",
  "wrong-platform-token-0123456789",
  "wrong-internal-secret-0123456789",
] as const;
export const [wrongNotebookToken, wrongPlatformToken, wrongInternalSecret] = wrongTokens;

/** The user whose credential the internal service stores. */
export const storedHere = { email: "ada@example.com", slug: "platform-token" } as const;

const dialectIds = Object.values(dialects).map(({ id }) => id);

/** Runs a group of tests once per dialect with a separate tenant. The last test checks its output for secrets. */
export function perDialect(
  title: string,
  figures: string,
  define: (current: () => ContractTenant, dialect: DialectId) => void,
): void {
  for (const dialect of dialectIds) {
    describe(`${title} (${dialect})`, () => {
      let started: ContractTenant | undefined;
      const current = () => started ?? assert.fail("the tenant has not been started");
      before(async () => {
        started = await ContractTenant.start(dialect);
      });
      after(async () => await started?.stop(figures));
      define(current, dialect);
      it("showed no secret in any log line or error", () => current().assertNoSecretShown());
    });
  }
}
