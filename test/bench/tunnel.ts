import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Companion } from "../../src/api/companion/companion.ts";
import { ForwardedPort } from "../../src/api/companion/tunnel/forwarded-port.ts";
import { SharedTunnel } from "../../src/api/companion/tunnel/shared-tunnel.ts";
import { startProgram, tornadoApp } from "../kernels/tunnel/ports-rig.ts";
import { median } from "./statistics.ts";

/** A forwarded port, and the same app without it. */
interface Compared {
  readonly ours: number;
  readonly plain: number;
}

export interface TunnelFigures {
  /** MB/s of a response, and of a request's body. */
  readonly down: Compared;
  readonly up: Compared;
  /** Milliseconds of a small request on an open connection. */
  readonly request: Compared;
  /** Milliseconds until 50 new connections have their responses. */
  readonly connections: Compared;
  /** Share of the plain speed down. */
  readonly ratio: number;
}

const megabytes = 50;
const rounds = 3;
const requests = 40;
const connections = 50;

/** Measures a port that is forwarded through a companion next to a plain connection to the same app. */
export async function measureTunnel(companion: Companion, directory: string): Promise<TunnelFigures> {
  const app = await startProgram(tornadoApp, directory);
  const tunnel = new SharedTunnel(async () => companion);
  const forwarded = await ForwardedPort.listen({
    port: app.port,
    tunnel: (signal) => tunnel.get(signal),
    hosts: () => [],
    onChange: () => {},
    wordsOf: String,
  });
  try {
    const compared = async (measure: (port: number) => Promise<number>): Promise<Compared> => {
      const [ours, plain]: [number[], number[]] = [[], []];
      for (let nth = 0; nth < rounds; nth += 1) {
        ours.push(await measure(forwarded.localPort));
        plain.push(await measure(app.port));
      }
      return { ours: median(ours), plain: median(plain) };
    };
    const down = await compared((port) => speedOf(() => fetched(port, { path: `/big/${megabytes}` })));
    const body = Buffer.alloc(megabytes * 1024 * 1024, "y");
    const up = await compared((port) => speedOf(() => fetched(port, { method: "POST", body })));
    return {
      down,
      up,
      request: await compared(latencyOf),
      connections: await compared(async (port) =>
        milliseconds(() => Promise.all(Array.from({ length: connections }, () => fetched(port, {})))),
      ),
      ratio: down.ours / down.plain,
    };
  } finally {
    forwarded.dispose();
    tunnel.dispose();
    await app.stop();
  }
}

/** A response is read, and not kept. */
async function fetched(
  port: number,
  { path = "/", method = "GET", body, agent }: { path?: string; method?: string; body?: Buffer; agent?: Agent },
): Promise<void> {
  const sent = request({ host: "127.0.0.1", port, path, method, agent: agent ?? false });
  // Once the response is read, the end of the measurement may reset the connection. Before, `once` reports it.
  sent.on("error", () => {});
  sent.end(body);
  const [response]: IncomingMessage[] = (await once(sent, "response")) as IncomingMessage[];
  response?.resume();
  if (response?.statusCode !== 200) throw new Error(`the app responded with ${response?.statusCode}`);
  await once(response, "end");
}

async function latencyOf(port: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let nth = 0; nth < requests; nth += 1) times.push(await milliseconds(() => fetched(port, { agent })));
  agent.destroy();
  return median(times);
}

async function speedOf(work: () => Promise<void>): Promise<number> {
  return megabytes / ((await milliseconds(work)) / 1000);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
