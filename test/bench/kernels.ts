import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import { noJournal } from "../../src/api/kernels/executions/execution-journal.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { type HubProxy, startHubProxy } from "../harness/hub-proxy.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import { type FirstOutput, measureFirstOutput, notebookClient } from "./first-output.ts";
import { PlainLoop, type Run, runCell } from "./kernel-runs.ts";
import { median } from "./statistics.ts";

export interface KernelFigures {
  readonly firstOutput: { readonly direct: FirstOutput; readonly throughProxy: FirstOutput };
  /** 50 MB of stdout: medians, as a ratio to the plain loop. */
  readonly stdoutRatio: number;
  readonly stdoutSeconds: number;
  /** Minified bytes that the client adds to the package. */
  readonly clientBytes: number;
  /** Requests and sockets that connect a notebook to a running kernel. */
  readonly connectRequests: number;
  readonly connectSockets: number;
}

const stdoutRounds = 5;
const stdout = "for i in range(5000): print('x' * 9_999)";
const stdoutBytes = 50_000_000;

/**
 * Runs cells on a real kernel, alternating with a plain WebSocket loop on the same kernel. The server's rate limit is
 * off.
 */
export async function measureKernels(say: (line: string) => void): Promise<KernelFigures> {
  const root = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
  const server = await startJupyterServer({
    root,
    token: randomBytes(16).toString("hex"),
    extraArguments: ["--ZMQChannelsWebsocketConnection.limit_rate=False"],
  });
  const transport = createTransport();
  let [requests, sockets] = [0, 0];
  const client = notebookClient(server.url, server.token, {
    send: (request) => {
      requests += 1;
      return transport.send(request);
    },
    openSocket: async (request) => {
      sockets += 1;
      return await transport.openSocket?.(request);
    },
    close: () => transport.close(),
  });
  let connection: KernelConnection | undefined;
  let plain: PlainLoop | undefined;
  let proxy: HubProxy | undefined;
  try {
    say("kernels");
    const first = new KernelServer(async () => client);
    await first.openSession("bench.ipynb", { type: "new", specName: "python3" });
    [requests, sockets] = [0, 0];
    const kernels = new KernelServer(async () => client);
    await kernels.support();
    const { kernel } = await kernels.openSession("bench.ipynb", { type: "new", specName: "python3" });
    const kernelId = kernel?.id ?? "";
    connection = await openKernelConnection({
      client: async () => client,
      kernelId,
      journal: noJournal,
      recorder: "on",
    });
    await connection.ready();
    await runCell(connection, "print(1)");
    const [connectRequests, connectSockets] = [requests, sockets];
    const direct = await measureFirstOutput(server.url, server.token, kernelId);
    say("through configurable-http-proxy");
    proxy = await startHubProxy(server.url);
    const throughProxy = await measureFirstOutput(proxy.url, server.token, kernelId);
    plain = await PlainLoop.open(server.url, server.token, kernelId);
    say("50 MB of stdout");
    const long = { ours: [] as number[], plain: [] as number[] };
    for (let round = 0; round < stdoutRounds; round += 1) {
      // Both are connected, so each receives the other's output, too.
      long.ours.push(whole(await runCell(connection, stdout)));
      long.plain.push(whole(await plain.run(stdout)));
    }
    return {
      firstOutput: { direct, throughProxy },
      stdoutRatio: median(long.ours) / median(long.plain),
      stdoutSeconds: median(long.ours) / 1000,
      clientBytes: await clientBytes(),
      connectRequests,
      connectSockets,
    };
  } finally {
    connection?.dispose();
    plain?.close();
    await proxy?.end();
    await transport.close();
    await server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

function whole({ end, bytes }: Run): number {
  if (bytes !== stdoutBytes) throw new Error(`${bytes} bytes of stdout arrived, not ${stdoutBytes}.`);
  return end;
}

/** Minified bytes of the client's own files: everything else that it imports is shipped anyway. */
async function clientBytes(): Promise<number> {
  const { metafile } = await build({
    absWorkingDir: projectDirectory,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: "none",
    format: "cjs",
    platform: "node",
    target: "node22",
    mainFields: ["module", "main"],
    logLevel: "error",
    stdin: {
      contents: 'export * from "./connection/open-connection.ts"; export * from "./kernel-server.ts";',
      resolveDir: join(projectDirectory, "src/api/kernels"),
      loader: "ts",
    },
  });
  const own = /^src\/api\/(?:kernels\/|http\/web-socket)/;
  return Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .reduce((sum, [path, { bytesInOutput }]) => sum + (own.test(path) ? bytesInOutput : 0), 0);
}
