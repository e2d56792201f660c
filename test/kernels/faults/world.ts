import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ContentClient } from "../../../src/api/client/client.ts";
import { NotebookToken } from "../../../src/api/http/credentials.ts";
import { dialects } from "../../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../../src/api/http/transport.ts";
import { openKernelConnection } from "../../../src/api/kernels/connection/open-connection.ts";
import { KernelServer } from "../../../src/api/kernels/kernel-server.ts";
import { freePort } from "../../harness/free-port.ts";
import { type HubProxy, startHubProxy } from "../../harness/hub-proxy.ts";
import { type JupyterServer, startJupyterServer } from "../../harness/jupyter-server.ts";
import { MemoryJournal, run } from "../rig.ts";
import { type Moment, moments } from "./moments.ts";

/**
 * A Jupyter Server that can be restarted at the same address, a hub's proxy in front of it, and a kernel for each
 * moment.
 */
export interface FaultWorld {
  readonly root: string;
  readonly token: string;
  readonly url: string;
  readonly hubProxy: HubProxy;
  /** Like JupyterLab: without any proxy. */
  readonly direct: ContentClient;
  readonly server: KernelServer;
  clientAt(url: string, token: string): ContentClient;
  /** The kernel of a moment, which already keeps output. */
  kernelOf(moment: Moment): string;
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultWorld(): Promise<FaultWorld> {
  const root = await mkdtemp(join(tmpdir(), "platform-workbench-kernel-faults-"));
  const token = randomBytes(16).toString("hex");
  const port = await freePort();
  const transports: Transport[] = [];
  let jupyter: JupyterServer = await startJupyterServer({ root, token, port });
  const { url } = jupyter;
  const hubProxy = await startHubProxy(url);
  const clients = new Map<string, ContentClient>();
  const clientAt = (address: string, secret: string): ContentClient => {
    const key = `${address} ${secret}`;
    const client = clients.get(key) ?? created(address, secret);
    clients.set(key, client);
    return client;
  };
  const created = (address: string, secret: string): ContentClient => {
    const transport = createTransport({ sleep: async () => {} });
    transports.push(transport);
    const base = new URL(address);
    const credential = new NotebookToken(base.origin, secret);
    return new Client(
      { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
      transport,
    );
  };
  const direct = clientAt(url, token);
  const server = new KernelServer(async () => direct);
  const stop = async (): Promise<void> => {
    await Promise.all(transports.map((transport) => transport.close()));
    await hubProxy.end();
    await jupyter.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  const kernels = new Map<Moment, string>();
  try {
    await Promise.all(
      moments.map(async (moment, index) => {
        const session = await server.openSession(`notebook-${index}.ipynb`, { type: "new", specName: "python3" });
        if (session.kernel === undefined) throw new Error("The session has no kernel.");
        kernels.set(moment, session.kernel.id);
        await haveRecorder(direct, session.kernel.id);
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    root,
    token,
    url,
    hubProxy,
    direct,
    server,
    clientAt,
    stop,
    kernelOf: (moment) => kernels.get(moment) ?? "",
    stopServer: () => jupyter.stop(),
    async startServer() {
      jupyter = await startJupyterServer({ root, token, port });
    },
  };
}

/** Waits until the kernel has the recorder. On a slow machine, the first cells may run before that. */
async function haveRecorder(client: ContentClient, kernelId: string): Promise<void> {
  const connection = await openKernelConnection({
    client: async () => client,
    kernelId,
    journal: new MemoryJournal(),
    recorder: "on",
  });
  const code = "import sys\nprint(any('workbench_recorder' in name for name in sys.modules))";
  try {
    while ((await run(connection, code)).text() !== "True\n");
  } finally {
    connection.dispose();
  }
}
