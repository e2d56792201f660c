import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { pino } from "pino";
import { PlatformCredential } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import type { Configuration, ToolConfiguration } from "../../src/programs/front-door/config/configuration.ts";
import { isRejection } from "../../src/programs/front-door/http/rejections.ts";
import { createToolHandler } from "../../src/programs/front-door/mcp/protocol.ts";
import type { CredentialOutcome, ToolReport } from "../../src/programs/front-door/mcp/tool-handler.ts";
import { createMetrics } from "../../src/programs/front-door/observability/metrics.ts";
import { noTraces } from "../../src/programs/front-door/observability/traces.ts";
import { MemoryStore } from "../../src/programs/front-door/shared-state/memory-store.ts";
import { Shares } from "../../src/programs/front-door/shares/shares.ts";
import {
  type SampleTenant,
  type SampleTenantOptions,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import { type FaultProxy, startFaultProxy } from "../harness/proxy.ts";

export type Era = "2026-07-28" | "2025-11-25";

export type ToolClient = Client;

export interface ToolRigOptions {
  readonly tools?: Partial<ToolConfiguration>;
  /** The content server of the workspaces; by default, the tenant's own. */
  readonly contentServer?: SampleTenantOptions["contentServer"];
}

/** The client's answer to a request for confirmation. */
export type Answerer = (question: string) => { readonly action: "accept" | "decline"; readonly confirm?: boolean };

/** The tools of a front door that accepts everyone as the same caller, in front of the sample tenant. */
export interface ToolRig {
  readonly url: string;
  readonly tenant: SampleTenant;
  /** Between the tools and the tenant: counts and breaks requests. */
  readonly proxy: FaultProxy;
  readonly reports: (ToolReport | undefined)[];
  readonly logged: string[];
  readonly forgotten: string[];
  /** How many times the platform credential was fetched again. */
  readonly renewals: { count: number };
  /** The stored credentials by slug. A test can replace them. */
  readonly stored: Map<string, CredentialOutcome>;
  /** The caller. A test can become another user. */
  subject: string;
  /** Ends the next call. */
  signal: AbortSignal;
  client(era: Era, answerer?: Answerer): Promise<ToolClient>;
  stop(): Promise<void>;
}

export async function startToolRig({ tools = {}, contentServer }: ToolRigOptions = {}): Promise<ToolRig> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-tools-"));
  const tenant = await startSampleTenant({
    dataDirectory,
    bootSeconds: 0,
    ...(contentServer === undefined ? {} : { contentServer }),
  });
  const proxy = await startFaultProxy(tenant.url);
  const reports: (ToolReport | undefined)[] = [];
  const logged: string[] = [];
  const forgotten: string[] = [];
  const renewals = { count: 0 };
  const stored = new Map<string, CredentialOutcome>(
    tenant.workspaces.map(({ id, shortId }) => [
      `notebook-${shortId}`,
      { outcome: "found", secret: tenant.notebookToken(id) },
    ]),
  );
  const transport = createTransport({ sleep: async () => {} });
  const handler = createToolHandler({
    configuration: configurationWith(tools, proxy.url),
    log: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
    metrics: createMetrics(),
    transport,
    state: new MemoryStore({ revocationSeconds: 3600, monotonic: () => performance.now() }),
    traces: noTraces,
    version: "0.0.0",
    now: Date.now,
  });
  const shares = new Shares(() => performance.now());
  const clients: Client[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const parsed = body === "" ? {} : JSON.parse(body);
      const platformUrl = new URL(proxy.url);
      const share = shares.enter(rig.subject, rig.signal);
      if (isRejection(share)) throw new Error("the rig's caller is over a limit");
      response.once("close", () => share.end());
      await share.start();
      reports.push(
        await handler.handle({
          request,
          response,
          body: parsed,
          share,
          signal: rig.signal,
          caller: {
            issuer: "https://issuer.example.com",
            subject: rig.subject,
            email: "ada@example.com",
            requestId: "request-1",
            tenant: undefined,
            platformUrl,
            platformCredential: new PlatformCredential(platformUrl.origin, tenant.platformToken),
            renewPlatformCredential: async () => {
              renewals.count += 1;
              return new PlatformCredential(platformUrl.origin, tenant.platformToken);
            },
            credential: async (slug) => stored.get(slug) ?? { outcome: "missing" },
            deleteCredential: (slug) => void forgotten.push(slug),
          },
        }),
      );
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const rig: ToolRig = {
    url,
    tenant,
    proxy,
    reports,
    logged,
    forgotten,
    renewals,
    stored,
    subject: "ada",
    signal: new AbortController().signal,
    async client(era, answerer) {
      const client = new Client(
        { name: "test", version: "1.0.0" },
        {
          versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" },
          capabilities: answerer === undefined ? {} : { elicitation: { form: {} } },
        },
      );
      if (answerer !== undefined) {
        client.setRequestHandler("elicitation/create", (request) => {
          const { action, confirm } = answerer(request.params.message);
          return action === "accept" ? { action, content: { confirm: confirm ?? true } } : { action };
        });
      }
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) {
        await client.close();
      }
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await transport.close();
      await proxy.stop();
      await tenant.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
  return rig;
}

/** The part of a configuration that the tools read, without the gate's. */
function configurationWith(tools: Partial<ToolConfiguration>, origin: string): Configuration {
  const part = {
    platform: { baseUrl: origin, dialect: dialects.documented, contentServer: { origin } },
    credentials: { slug: "platform", notebookSlug: "notebook-{workspace_short_id}" },
    limits: { maximumBodyBytes: 1 << 20 },
    tools: {
      toolsets: [],
      readOnly: false,
      confirmation: "required",
      maximumResultCharacters: 60_000,
      stateSecret: "a state secret of the tests, long enough",
      ...tools,
    },
  };
  return part as unknown as Configuration;
}
