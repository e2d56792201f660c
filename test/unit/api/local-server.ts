import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client } from "../../../src/api/client/client.ts";
import { PlatformCredential } from "../../../src/api/http/credentials.ts";
import { type DialectId, dialects } from "../../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../../src/api/http/response-limits.ts";
import { createTransport } from "../../../src/api/http/transport.ts";
import { listLog } from "./fake-platform.ts";

/** A small server on 127.0.0.1, and a client that accesses it over real HTTP. */
export interface LocalServer {
  readonly url: string;
  readonly client: Client<"platform">;
  readonly requests: { readonly method: string; readonly url: URL; readonly accept: string; readonly body: string }[];
  readonly lines: string[];
  stop(): Promise<void>;
}

export type LocalResponse = (
  request: { readonly method: string; readonly url: URL; readonly body: string },
  response: ServerResponse,
  nth: number,
) => void;

export async function localServer(respond: LocalResponse, dialect: DialectId = "documented"): Promise<LocalServer> {
  const requests: LocalServer["requests"] = [];
  const lines: string[] = [];
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => {
        const method = request.method ?? "";
        const url = new URL(request.url ?? "/", "http://localhost");
        requests.push({ method, url, accept: request.headers.accept ?? "", body });
        respond({ method, url, body }, response, requests.length);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("the server has no port");
  }
  const base = new URL(`http://127.0.0.1:${address.port}`);
  const log = listLog(lines);
  const transport = createTransport({ log, sleep: async () => {} });
  const credential = new PlatformCredential(base.origin, "a-token-of-the-test");
  return {
    url: base.origin,
    client: new Client(
      { kind: "platform", base, dialect: dialects[dialect], credential, limits: singleUserLimits },
      transport,
      log,
    ),
    requests,
    lines,
    stop: async () => {
      await transport.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Bytes of the heap that are in use after a collection. */
export function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

/** Returns the bytes of the heap and of array buffers that are in use after garbage was collected. */
export async function heldBytes(): Promise<() => number> {
  usedHeap();
  const collect: () => void = runInNewContext("gc");
  return () => {
    // The first collection leaves freed buffers to a background thread, which a busy machine delays. The second one
    // waits for it.
    collect();
    collect();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    return arrayBuffers + heapUsed;
  };
}
