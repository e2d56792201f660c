import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { Client } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import { noJournal } from "../../src/api/kernels/executions/execution-journal.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { binaryProtocol, encodeMessage } from "../../src/api/kernels/wire/message-codec.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import { median } from "./statistics.ts";

export interface KernelFigures {
  /**
   * Time from sending a cell to its first output on a warm kernel: the ratio of medians to a plain WebSocket loop, and
   * the difference.
   */
  readonly firstOutputRatio: number;
  readonly firstOutputExtraMilliseconds: number;
  /** 50 MB of stdout: medians, as a ratio to the plain loop. */
  readonly stdoutRatio: number;
  readonly stdoutSeconds: number;
  /** Minified bytes that the client adds to the package. */
  readonly clientBytes: number;
  /** Requests and sockets that connect a notebook to a running kernel. */
  readonly connectRequests: number;
  readonly connectSockets: number;
}

const firstOutputRounds = 41;
const stdoutRounds = 5;
const firstOutput = "print(1)";
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
  const base = new URL(`${server.url}/`);
  const client = new Client(
    {
      kind: "notebook",
      base,
      dialect: dialects.documented,
      limits: singleUserLimits,
      credential: new NotebookToken(base.origin, server.token),
    },
    {
      send: (request) => {
        requests += 1;
        return transport.send(request);
      },
      openSocket: async (request) => {
        sockets += 1;
        return await transport.openSocket?.(request);
      },
      close: () => transport.close(),
    },
  );
  let connection: KernelConnection | undefined;
  let plain: PlainLoop | undefined;
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
    await ours(connection, firstOutput);
    const [connectRequests, connectSockets] = [requests, sockets];
    plain = await PlainLoop.open(server.url, server.token, kernelId);
    const times = { ours: [] as number[], plain: [] as number[] };
    for (let round = 0; round < firstOutputRounds; round += 1) {
      times.ours.push((await ours(connection, firstOutput)).first);
      times.plain.push((await plain.run(firstOutput)).first);
    }
    say("50 MB of stdout");
    const long = { ours: [] as number[], plain: [] as number[] };
    for (let round = 0; round < stdoutRounds; round += 1) {
      // Both are connected, so each receives the other's output, too.
      long.ours.push(whole(await ours(connection, stdout)));
      long.plain.push(whole(await plain.run(stdout)));
    }
    return {
      firstOutputRatio: median(times.ours) / median(times.plain),
      firstOutputExtraMilliseconds: median(times.ours) - median(times.plain),
      stdoutRatio: median(long.ours) / median(long.plain),
      stdoutSeconds: median(long.ours) / 1000,
      clientBytes: await clientBytes(),
      connectRequests,
      connectSockets,
    };
  } finally {
    connection?.dispose();
    plain?.close();
    await transport.close();
    await server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** Milliseconds from sending a cell to its first output and to its end, and the bytes of its stdout. */
interface Run {
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
}

function whole({ end, bytes }: Run): number {
  if (bytes !== stdoutBytes) throw new Error(`${bytes} bytes of stdout arrived, not ${stdoutBytes}.`);
  return end;
}

async function ours(connection: KernelConnection, code: string): Promise<Run> {
  const started = performance.now();
  let [first, bytes] = [0, 0];
  const sink = {
    onEvents: (events: readonly { readonly type: string; readonly text?: string }[]) => {
      for (const { type, text = "" } of events) {
        if (type === "stream") {
          first ||= performance.now() - started;
          bytes += text.length;
        }
      }
    },
  };
  const [execution] = await connection.execute([{ code, cellId: undefined, cellIndex: 0, sink }]);
  await execution?.ended;
  await connection.deleteExecutions([execution?.entry.messageId ?? ""]);
  return { first, end: performance.now() - started, bytes };
}

/** The minimum that a client does: one WebSocket, each message parsed, nothing stored. */
class PlainLoop {
  readonly #socket: WebSocket;
  readonly #session: string;

  private constructor(socket: WebSocket, session: string) {
    this.#socket = socket;
    this.#session = session;
  }

  static async open(url: string, token: string, kernelId: string): Promise<PlainLoop> {
    const session = randomUUID();
    const address = `${url.replace("http", "ws")}/api/kernels/${kernelId}/channels?session_id=${session}`;
    const socket = new WebSocket(address, {
      protocols: [binaryProtocol],
      headers: { authorization: `token ${token}` },
    });
    socket.binaryType = "arraybuffer";
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    return new PlainLoop(socket, session);
  }

  run(code: string): Promise<Run> {
    const started = performance.now();
    const id = randomUUID();
    let [first, bytes, replied, idle] = [0, 0, false, false];
    return new Promise((resolve) => {
      const take = ({ data }: { readonly data: ArrayBuffer }): void => {
        const view = Buffer.from(data);
        const count = Number(view.readBigUInt64LE(0));
        const offsets = Array.from({ length: count }, (_, at) => Number(view.readBigUInt64LE(8 * (at + 1))));
        const [header, parent, , content] = [1, 2, 3, 4].map((part) =>
          JSON.parse(view.toString("utf8", offsets[part], offsets[part + 1])),
        );
        if (parent.msg_id !== id) return;
        if (header.msg_type === "stream") {
          first ||= performance.now() - started;
          bytes += content.text.length;
        }
        replied ||= header.msg_type === "execute_reply";
        idle ||= header.msg_type === "status" && content.execution_state === "idle";
        if (replied && idle) {
          this.#socket.removeEventListener("message", take);
          resolve({ first, end: performance.now() - started, bytes });
        }
      };
      this.#socket.addEventListener("message", take);
      const header = { msg_id: id, msg_type: "execute_request", session: this.#session, username: "", version: "5.4" };
      const flags = { silent: false, store_history: true, user_expressions: {}, allow_stdin: false };
      this.#socket.send(
        new Uint8Array(
          Buffer.from(encodeMessage({ channel: "shell", header, content: { code, ...flags } }, binaryProtocol)),
        ),
      );
    });
  }

  close(): void {
    this.#socket.close();
  }
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
