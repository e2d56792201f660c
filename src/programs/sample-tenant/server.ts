import { randomUUID } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { errorMessage } from "../../api/error-message.ts";
import { type DialectId, dialects } from "../../api/http/dialects.ts";
import { lazy } from "../../api/lazy.ts";
import { type AddressOfServer, ContentRequests } from "./content-requests.ts";
import type { DescribedMode } from "./described/mode.ts";
import { type FaultOptions, Faults } from "./fault-injection.ts";
import { BodyTooLargeError, closeServer, type HttpExchange, incomingOf, listenOnLoopback, sendJson } from "./http.ts";
import { Hub, type HubVersion, respondWithPage } from "./hub.ts";
import { ErrorResponse } from "./platform/handler.ts";
import { PlatformRequests } from "./platform-requests.ts";
import { type ContentServerAddress, forwardUpgrade } from "./reverse-proxy.ts";
import { sampleApps } from "./seed/app-studio.ts";
import { recentStart, withCurrentDates } from "./seed/current-dates.ts";
import { sampleDesigns } from "./seed/designs.ts";
import { namespace } from "./seed/organization.ts";
import { samplePageMemberships } from "./seed/page-memberships.ts";
import { samplePages } from "./seed/pages.ts";
import { sampleSandbox } from "./seed/sandbox.ts";
import { sampleWorkflows } from "./seed/workflows.ts";
import { sampleWorkspaces } from "./seed/workspaces.ts";
import { StateFile, type TenantState } from "./state.ts";
import { Tokens } from "./tokens.ts";
import { shortIdOf, type WorkspaceStatus, Workspaces } from "./workspaces.ts";

/** The content server behind the workspaces: the tenant's own, or another one per workspace. */
type ContentServerChoice =
  | { readonly kind: "embedded" }
  | {
      readonly kind: "proxied";
      /** Undefined for a workspace on the tenant's own content server. */
      addressOf(workspaceId: string): Promise<ContentServerAddress | undefined>;
      /** Ends the workspace's server, and what runs on it, because its instance ended. The next address is of a new server. */
      end?(workspaceId: string): Promise<void>;
    };

export interface SampleTenantOptions {
  /** A free port by default. */
  readonly port?: number;
  /** The folder for the tenant's state and the workspaces' files. */
  readonly dataDirectory: string;
  readonly dialect?: DialectId;
  /** Serves only the API description; only for the dialect `documented` and the tenant's own content servers. */
  readonly described?: DescribedMode | undefined;
  /** Seconds from the start of an instance until it runs; 3 by default. */
  readonly bootSeconds?: number;
  readonly contentServer?: ContentServerChoice;
  /** The hub's version, which determines the responses for a workspace that does not run; 3.0.0 by default. */
  readonly hubVersion?: HubVersion;
  /** False for content servers that refuse to delete a directory that is not empty. */
  readonly deleteNonEmptyDirectories?: boolean;
  readonly faults?: FaultOptions;
  /** Called with one line for each request and each failure; no line contains a token. */
  readonly log?: (line: string) => void;
  /** A secret from which the tokens are derived, to keep the same tokens after a restart; random by default. */
  readonly seed?: string;
  /** The time that the sample data's times are relative to; the current time by default. */
  readonly now?: Date;
}

/** A workspace of the sample tenant for tests and demonstrations. */
export interface SampleTenantWorkspace {
  readonly id: string;
  readonly name: string;
  readonly shortId: string;
  readonly namespace: string;
  readonly status: WorkspaceStatus;
  /** Address of the content server, with a trailing slash. */
  readonly contentUrl: string;
}

/** The data that an editor needs to use the tenant. Contains secrets. */
interface TenantFile {
  readonly id: string;
  readonly label: string;
  readonly baseUrl: string;
  readonly dialect: DialectId;
  /** Set if the platform itself does not report where its content servers are. */
  readonly contentServer?: { readonly origin: string };
  readonly token: string;
  readonly notebookTokens: Readonly<Record<string, string>>;
}

/** A running sample tenant. */
export interface SampleTenant {
  readonly url: string;
  readonly platformToken: string;
  readonly workspaces: readonly SampleTenantWorkspace[];
  readonly faults: Faults;
  notebookToken(workspaceId: string): string;
  /** The folder of a workspace's files; exists after the workspace has been started. */
  contentRoot(workspaceId: string): string;
  /** Starts a workspace. By default, it is ready immediately. */
  startWorkspace(workspaceId: string, options?: { readonly running?: boolean }): Promise<void>;
  stopWorkspace(workspaceId: string): Promise<void>;
  crashWorkspace(workspaceId: string): Promise<void>;
  tenantFile(): TenantFile;
  stop(): Promise<void>;
}

/** Starts a small but complete platform on 127.0.0.1. */
export async function startSampleTenant(options: SampleTenantOptions): Promise<SampleTenant> {
  const { described } = options;
  if (described !== undefined && (options.dialect === "domo" || options.contentServer?.kind === "proxied")) {
    throw new Error("A described platform supports only the dialect documented and its own content servers.");
  }
  await mkdir(options.dataDirectory, { recursive: true });
  const dataDirectory = await realpath(options.dataDirectory);
  const log = options.log ?? (() => undefined);
  const { now = new Date() } = options;
  const file = await StateFile.open(dataDirectory, withCurrentDates(initialState(now), now));
  await restartInstances(file, now);
  const tokens = new Tokens(options.seed);
  const faults = new Faults(options.faults);
  const hub = new Hub(options.hubVersion ?? "3.0.0");
  const dialect = dialects[options.dialect ?? "documented"];
  const workspaces = new Workspaces(file, {
    dataDirectory,
    bootMilliseconds: (options.bootSeconds ?? 3) * 1000,
    deleteNonEmptyDirectories: options.deleteNonEmptyDirectories ?? true,
    now,
    onEnded: (workspaceId) => servers.end(workspaceId),
  });
  const servers = new ContentServers(options.contentServer, workspaces, log);
  const addressOf: AddressOfServer = (workspaceId) => servers.addressOf(workspaceId);
  for (const workspace of workspaces.all.filter(({ instance }) => instance !== null)) {
    await workspaces.prepare(workspace.id);
  }
  const server = createServer();
  const url = await listenOnLoopback(server, options.port ?? 0);
  const content = new ContentRequests({ workspaces, file, tokens, faults, hub, dialect, addressOf, described });
  const platform = new PlatformRequests({ workspaces, file, tokens, wire: { dialect, origin: url }, described });

  const handle = async (exchange: HttpExchange): Promise<void> => {
    if (await faults.inject(exchange)) {
      return;
    }
    if (exchange.path.startsWith("/user/")) {
      await content.handle(exchange);
    } else if (exchange.path.startsWith("/hub/user/")) {
      const workspace = content.workspaceOf(exchange.path.slice("/hub".length));
      hub.respondToHubPath(exchange, workspace === undefined ? undefined : tokens.notebook(workspace.id));
    } else if (!(await respondWithPage(exchange, workspaces, file))) {
      await platform.handle(exchange);
    }
  };

  server.on("request", (request, response) => {
    const exchange = { ...incomingOf(request), response };
    const started = performance.now();
    response.once("close", () => {
      const milliseconds = Math.round(performance.now() - started);
      log(
        `${request.method} ${exchange.path} ${response.headersSent ? response.statusCode : "cut"} ${milliseconds} ms`,
      );
    });
    handle(exchange).catch((error: unknown) => endAfterFailure(exchange, error, log));
  });
  server.on("upgrade", (request, socket: Duplex, head: Buffer) => {
    const incoming = incomingOf(request);
    const workspace = content.workspaceOf(incoming.path);
    if (workspace === undefined || workspaces.statusOf(workspace) !== "running") {
      socket.destroy();
      return;
    }
    const prefix = `/user/${namespace}/${shortIdOf(workspace.id)}/`;
    addressOf(workspace.id).then(
      (address) => {
        if (address === undefined) {
          socket.destroy();
          return;
        }
        const replacedToken = tokens.notebook(workspace.id);
        forwardUpgrade(incoming, { prefix, address, replacedToken }, socket, head);
      },
      () => socket.destroy(),
    );
  });

  return {
    url,
    platformToken: tokens.platform,
    get workspaces() {
      return workspaces.all.map((workspace) => ({
        id: workspace.id,
        name: String(workspace.configuration.name),
        shortId: shortIdOf(workspace.id),
        namespace,
        status: workspaces.statusOf(workspace),
        contentUrl: `${url}/user/${namespace}/${shortIdOf(workspace.id)}/`,
      }));
    },
    faults,
    notebookToken: (workspaceId) => tokens.notebook(workspaceId),
    contentRoot: (workspaceId) => workspaces.contentRoot(workspaceId),
    startWorkspace: async (workspaceId, { running = true } = {}) => {
      await workspaces.start(workspaceId, { running });
    },
    stopWorkspace: async (workspaceId) => await workspaces.stop(workspaceId),
    crashWorkspace: async (workspaceId) => await workspaces.crash(workspaceId),
    tenantFile: () => ({
      id: "sample",
      label: "Sample tenant",
      baseUrl: url,
      dialect: dialect.id,
      ...(described === undefined ? {} : { contentServer: { origin: url } }),
      token: tokens.platform,
      notebookTokens: Object.fromEntries(workspaces.all.map(({ id }) => [id, tokens.notebook(id)])),
    }),
    stop: async () => {
      await closeServer(server);
      await file.settled();
    },
  };
}

function initialState(now: Date): TenantState {
  const pages = samplePages("sample");
  return {
    version: 1,
    workspaces: sampleWorkspaces.map(({ id, configuration, running, handshakeDone }) => ({
      id,
      configuration,
      instance: running ? { id: randomUUID(), started: "2025-11-18T16:42:05Z", crashed: false } : null,
      handshakeDone,
    })),
    dataflows: {},
    designs: sampleDesigns(),
    apps: sampleApps(),
    sandbox: sampleSandbox(),
    pages,
    pageMemberships: samplePageMemberships(pages),
    workflows: sampleWorkflows("sample", now),
  };
}

/** No instance runs longer than its time limit, so the instances of a stored tenant are started again. */
async function restartInstances(file: StateFile, now: Date): Promise<void> {
  for (const { id, instance, configuration } of file.state.workspaces) {
    const hours = Number(configuration.timeoutHours);
    if (instance !== null && now.getTime() - Date.parse(instance.started) > hours * 3_600_000) {
      await file.changeWorkspace(id, { instance: { ...instance, started: recentStart(now) } });
    }
  }
}

/** The addresses of the workspaces' servers. Each is requested once for an instance, and again after a failure. */
class ContentServers {
  readonly #choice: ContentServerChoice | undefined;
  readonly #workspaces: Workspaces;
  readonly #log: (line: string) => void;
  readonly #addresses = new Map<string, () => Promise<ContentServerAddress | undefined>>();

  constructor(choice: ContentServerChoice | undefined, workspaces: Workspaces, log: (line: string) => void) {
    this.#choice = choice;
    this.#workspaces = workspaces;
    this.#log = log;
  }

  /** Undefined for a workspace on the tenant's own content server. */
  addressOf(workspaceId: string): Promise<ContentServerAddress | undefined> {
    const known = this.#addresses.get(workspaceId) ?? lazy(() => this.#requestAddress(workspaceId));
    this.#addresses.set(workspaceId, known);
    return known();
  }

  async end(workspaceId: string): Promise<void> {
    const end = this.#choice?.kind === "proxied" ? this.#choice.end : undefined;
    if (end !== undefined && this.#addresses.delete(workspaceId)) {
      await end(workspaceId);
    }
  }

  async #requestAddress(workspaceId: string): Promise<ContentServerAddress | undefined> {
    if (this.#choice?.kind !== "proxied") {
      return undefined;
    }
    try {
      await this.#workspaces.prepare(workspaceId);
      return await this.#choice.addressOf(workspaceId);
    } catch (error) {
      this.#log(`no content server for workspace ${workspaceId}: ${errorMessage(error)}`);
      throw error;
    }
  }
}

function endAfterFailure(exchange: HttpExchange, error: unknown, log: (line: string) => void): void {
  if (error instanceof BodyTooLargeError) {
    exchange.request.socket.end("HTTP/1.1 400 Bad Request\r\n\r\n", () => exchange.request.socket.destroy());
    return;
  }
  log(`${exchange.request.method} ${exchange.path} failed: ${errorMessage(error)}`);
  if (exchange.response.headersSent) {
    exchange.response.destroy();
  } else {
    sendJson(exchange, 500, JSON.stringify(new ErrorResponse(500, "Internal Server Error").body()));
  }
}
