import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ready } from "../../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../../scripts/set-up/python-environment.ts";
import { type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { ForwardedPort } from "../../../src/api/companion/tunnel/forwarded-port.ts";
import { SharedTunnel } from "../../../src/api/companion/tunnel/shared-tunnel.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import type { JupyterServerOptions } from "../../harness/jupyter-server.ts";
import { type KernelRig, startRig } from "../rig.ts";

/** A Python program that listens on a port of this computer and prints it. */
export interface ListeningProgram {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startProgram(source: string, directory: string): Promise<ListeningProgram> {
  const { python } = await ready(pythonEnvironment);
  const child: ChildProcess = spawn(python, ["-u", "-c", source], {
    cwd: directory,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("The program has no output.");
  const [line] = await once(createInterface(child.stdout), "line");
  return {
    port: Number(line),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A plain HTTP server over the files of its directory. */
export const fileServer = `
import http.server, socketserver
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments): pass
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
`;

/** A page, a WebSocket that echoes, and responses of any length. Tornado is in every environment of Jupyter. */
export const tornadoApp = `
import asyncio, tornado.web, tornado.websocket
class Page(tornado.web.RequestHandler):
    def get(self): self.write("hello from " + self.request.host)
    def post(self): self.write({"length": len(self.request.body), "sum": sum(self.request.body)})
class Big(tornado.web.RequestHandler):
    async def get(self, megabytes):
        piece = b"x" * (1024 * 1024)
        self.set_header("Content-Length", str(int(megabytes) * len(piece)))
        for _ in range(int(megabytes)):
            self.write(piece)
            await self.flush()
class Echo(tornado.websocket.WebSocketHandler):
    def on_message(self, message): self.write_message(message, binary=isinstance(message, bytes))
async def main():
    app = tornado.web.Application([("/", Page), (r"/big/(\\d+)", Big), ("/echo", Echo)])
    server = app.listen(0, "127.0.0.1", max_buffer_size=200 * 1024 * 1024)
    print(list(server._sockets.values())[0].getsockname()[1])
    await asyncio.Event().wait()
asyncio.run(main())
`;

/** A real Jupyter Server with a companion, and the ports that are forwarded through it. */
export interface TunnelRig {
  readonly rig: KernelRig;
  readonly started: StartedCompanion;
  readonly tunnel: SharedTunnel;
  forward(port: number): Promise<ForwardedPort>;
  stop(): Promise<void>;
}

export async function startTunnelRig(
  owner: string,
  options: Pick<JupyterServerOptions, "kernelTransport"> = {},
): Promise<TunnelRig> {
  const rig = await startRig([], options);
  const client = rig.client();
  const { signal } = new AbortController();
  const times = { ping: 5000, firstPauseMs: 20, maxPauseMs: 200, handshake: 30_000, check: 500 };
  const started = await startCompanion({ client: async () => client, owner, signal, log: silentLog, times });
  const tunnel = new SharedTunnel(async () => started.companion);
  const forwarded: ForwardedPort[] = [];
  return {
    rig,
    started,
    tunnel,
    async forward(port) {
      const one = await ForwardedPort.listen({
        port,
        tunnel: (aborted) => tunnel.get(aborted),
        hosts: () => [],
        onChange: () => {},
        wordsOf: String,
      });
      forwarded.push(one);
      return one;
    },
    async stop() {
      for (const one of forwarded) one.dispose();
      tunnel.dispose();
      started.companion.dispose();
      await rig.stop();
    },
  };
}
