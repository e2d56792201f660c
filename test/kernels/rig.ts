import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ContentClient } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import type { KernelConnection, KernelConnectionOptions } from "../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import type {
  ExecutionJournal,
  JournalEntry,
  KernelJournal,
} from "../../src/api/kernels/executions/execution-journal.ts";
import type { ExecutionEvent, ExecutionRequest, ExecutionSink } from "../../src/api/kernels/executions/executions.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { type JupyterServerOptions, startJupyterServer } from "../harness/jupyter-server.ts";
import { type SocketProxy, startSocketProxy } from "../harness/socket-proxy.ts";

/** A real Jupyter Server behind a proxy that breaks connections, with a client of the API layer. */
export interface KernelRig {
  readonly root: string;
  readonly proxy: SocketProxy;
  readonly server: KernelServer;
  /** Like JupyterLab: without the proxy. */
  readonly direct: ContentClient;
  readonly url: string;
  readonly token: string;
  /** Process ID of the server. */
  readonly pid: number;
  /** The server's home. */
  readonly homeDirectory: string;
  client(token?: string, transport?: Transport): ContentClient;
  /** A client of another server, until the rig stops. */
  clientAt(url: string, token: string): ContentClient;
  /** Starts a kernel for its own notebook. */
  startKernel(specName?: string): Promise<string>;
  connect(kernelId: string, options?: Partial<KernelConnectionOptions>): Promise<KernelConnection>;
  stop(): Promise<void>;
}

export async function startRig(
  extraArguments: readonly string[] = [],
  options: Pick<
    JupyterServerOptions,
    "terminals" | "release" | "debugger" | "scheduler" | "kernelTransport" | "environment"
  > = {},
): Promise<KernelRig> {
  const root = await mkdtemp(join(tmpdir(), "platform-workbench-kernels-"));
  const token = randomBytes(16).toString("hex");
  const jupyter = await startJupyterServer({ root, token, extraArguments, ...options });
  const proxy = await startSocketProxy(jupyter.url);
  const transports: Transport[] = [];
  const connections: KernelConnection[] = [];
  const clientAt = (
    url: string,
    secret = token,
    transport = createTransport({ sleep: async () => {} }),
  ): ContentClient => {
    transports.push(transport);
    const base = new URL(url);
    const credential = new NotebookToken(base.origin, secret);
    return new Client(
      { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
      transport,
    );
  };
  const proxied = clientAt(proxy.url(jupyter.url));
  const server = new KernelServer(async () => proxied);
  let notebooks = 0;
  return {
    root,
    proxy,
    server,
    token,
    url: jupyter.url,
    pid: jupyter.pid,
    direct: clientAt(jupyter.url),
    homeDirectory: jupyter.homeDirectory,
    clientAt,
    client: (secret, transport) => clientAt(proxy.url(jupyter.url), secret, transport),
    async startKernel(specName = "python3") {
      notebooks += 1;
      const session = await server.openSession(`notebook-${notebooks}.ipynb`, { type: "new", specName });
      if (session.kernel === undefined) throw new Error("The session has no kernel.");
      return session.kernel.id;
    },
    async connect(kernelId, options = {}) {
      const connection = await openKernelConnection({
        client: async () => proxied,
        kernelId,
        journal: new MemoryJournal(),
        recorder: "on" as const,
        times: { ping: 5000, firstPauseMs: 20, maxPauseMs: 200, handshake: 30_000, check: 500 },
        ...options,
      });
      connections.push(connection);
      return connection;
    },
    async stop() {
      for (const connection of connections) connection.dispose();
      await Promise.all(transports.map((transport) => transport.close()));
      await proxy.stop();
      await jupyter.kill();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A journal that outlives connections, as the editor's storage outlives windows. */
export class MemoryJournal implements ExecutionJournal {
  readonly stored = new Map<string, KernelJournal>();

  async read(kernelId: string): Promise<KernelJournal | undefined> {
    return this.stored.get(kernelId);
  }

  async replace(kernelId: string, journal: KernelJournal): Promise<void> {
    this.stored.set(kernelId, structuredClone(journal));
  }

  async append(kernelId: string, changed: readonly JournalEntry[], deliveredId: string | undefined): Promise<void> {
    const journal = this.stored.get(kernelId);
    if (journal === undefined) throw new Error("There is no journal.");
    const entries = new Map([...journal.entries, ...changed].map((entry) => [entry.messageId, entry]));
    await this.replace(kernelId, {
      sessionId: journal.sessionId,
      entries: [...entries.values()],
      deliveredId: deliveredId ?? journal.deliveredId,
    });
  }

  async remove(kernelId: string): Promise<void> {
    this.stored.delete(kernelId);
  }
}

/** A cell that records its events. */
export class Cell implements ExecutionSink {
  readonly code: string;
  events: ExecutionEvent[] = [];

  constructor(code = "") {
    this.code = code;
  }

  onEvents(events: readonly ExecutionEvent[]): void {
    for (const event of events) {
      if (event.type === "replay") this.events = [];
      this.events.push(event);
    }
  }

  request(cellIndex = 0): ExecutionRequest {
    return { code: this.code, cellId: `cell-${cellIndex}`, cellIndex, sink: this };
  }

  /** The texts of its streams, joined. */
  text(name: "stdout" | "stderr" = "stdout"): string {
    return this.events
      .flatMap((event) => (event.type === "stream" && event.name === name ? [event.text] : []))
      .join("");
  }

  types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  of<Type extends ExecutionEvent["type"]>(type: Type): readonly Extract<ExecutionEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<ExecutionEvent, { type: Type }> => event.type === type);
  }
}

/** Runs one cell and waits for its end. */
export async function run(connection: KernelConnection, code: string): Promise<Cell> {
  const cell = new Cell(code);
  const [execution] = await connection.execute([cell.request()]);
  await execution?.ended;
  return cell;
}
