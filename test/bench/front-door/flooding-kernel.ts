// A content server whose only kernel sends output without end as soon as it gets code.
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { serveLocally } from "../../harness/front-door/local-server.ts";
import { type KernelRequest, readerOf, textFrame } from "../../unit/api/kernels/fake-kernel.ts";

interface FloodingKernel {
  /** The address of the content server. */
  readonly url: string;
  stop(): Promise<void>;
}

const prefix = "/user/a/k/";
const outputs = ["x", "x".repeat(60_000)];
const pings = Buffer.alloc(65_536).map((_, at) => (at % 2 === 0 ? 0x89 : 0));
const picture = Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64");
const bundle = { data: { "image/png": picture }, metadata: {}, transient: { display_id: "all" } };

export async function startFloodingKernel(): Promise<FloodingKernel> {
  const kernel = { id: "k-1", name: "python3", execution_state: "idle" };
  const session = { id: "s-1", path: "a.ipynb", name: "a.ipynb", type: "notebook", kernel };
  const specs = { default: "python3", kernelspecs: { python3: { name: "python3", spec: { language: "python" } } } };
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    request.resume();
    const target = (request.url ?? "").slice(prefix.length);
    const [status, body] =
      request.method === "DELETE"
        ? [204, undefined]
        : target.startsWith("api/kernelspecs")
          ? [200, specs]
          : [201, session];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(target === "api/kernels/k-1" ? kernel : body));
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    socket.on(
      "data",
      readerOf((one) => serve(socket, one)),
    );
  });
  const { url, stop } = await serveLocally(server);
  return {
    url: `${url}${prefix}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await stop();
    },
  };
}

/** The code says what floods: `outputs`, `pings` of the WebSocket, or `updates` of a hundred outputs each. */
function serve(socket: Duplex, { channel, header, content }: KernelRequest): void {
  const send = (on: string, type: string, content: object): boolean => {
    const own = { msg_id: randomUUID(), msg_type: type, session: "the kernel's", date: "2026-01-01T00:00:00Z" };
    return socket.write(
      textFrame(JSON.stringify({ channel: on, header: own, parent_header: header, metadata: {}, content })),
    );
  };
  if (header.msg_type === "execute_request") {
    send("iopub", "status", { execution_state: "busy" });
    let sent = 0;
    for (let nth = 0; nth < 100 && content.code === "updates"; nth += 1) send("iopub", "display_data", bundle);
    const sendNext = (): boolean => {
      switch (content.code) {
        case "pings":
          return socket.write(pings);
        case "updates":
          return send("iopub", "update_display_data", bundle);
        default:
          // Many small messages, and then a long one.
          return send("iopub", "stream", { name: "stdout", text: outputs[sent % 50 === 0 ? 1 : 0] });
      }
    };
    const flood = (): void => {
      let goesOn = !socket.destroyed;
      while (goesOn) {
        sent += 1;
        goesOn = sendNext();
      }
    };
    socket.on("drain", flood);
    flood();
    return;
  }
  send(channel, header.msg_type.replace("_request", "_reply"), {
    status: "ok",
    implementation: "fake",
    language_info: { name: "fake" },
  });
  send("iopub", "status", { execution_state: "idle" });
}
