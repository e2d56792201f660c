// A proxy in front of one origin that counts requests and injects faults on demand.
import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import {
  type ActiveRule,
  type FaultAction,
  type FaultMatch,
  type FaultRule,
  matches,
  partsOf,
  pick,
} from "./proxy-faults.ts";
import { until } from "./until.ts";

export type { FaultAction, FaultMatch, FaultRule } from "./proxy-faults.ts";

/** The record of one request. */
export interface RecordedRequest {
  readonly method: string;
  /** The original, percent-encoded path, without the query. */
  readonly path: string;
  /** The original query, without the question mark. The value of a token parameter is replaced. */
  readonly query: string;
  /** The response's status; 0 if there was none (cut, or the target did not respond). */
  readonly status: number;
  /** From the request's first line to the end of the response. */
  readonly milliseconds: number;
  /** Bytes of the request's body and of the response's body on the wire. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** The request's headers, with secrets replaced by `(secret)`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the fault that was applied. */
  readonly fault?: string;
  /** The time of its arrival, in milliseconds since 1970. */
  readonly at: number;
}

export interface FaultProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /**
   * Every completed request since the start or the last reset, in order of arrival. Requests in flight are not
   * included.
   */
  readonly requests: readonly RecordedRequest[];
  count(match?: Omit<FaultMatch, "nth" | "from" | "times">): number;
  /** Clears the recorded requests, but not the faults. */
  reset(): void;
  /** Adds a rule. The first matching rule is applied. Returns a function that removes the rule. */
  addFault(rule: FaultRule): () => void;
  clearFaults(): void;
  /** Bytes that clients have sent on upgraded connections. */
  webSocketBytes(): number;
  /** Breaks the open WebSockets, without notifying either side. */
  cutWebSockets(): void;
  /** Sends later requests to another origin. */
  retarget(origin: string): void;
  /** Waits until the target has responded to all received requests whose path starts with this one. */
  settled(path: string): Promise<void>;
  /** Waits until no request is in flight and none has arrived for this number of milliseconds. */
  quiet(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

const hopByHop = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer"]);
const secretHeader = /^(authorization|cookie|set-cookie|proxy-authorization|x-.*token.*|x-api-key)$/i;

/**
 * Milliseconds for which an idle connection stays open. Long, so that a connection isn't closed when a request arrives.
 */
const idleConnections = 600_000;

export interface FaultProxyOptions {
  /** Returns the path and query for the target. Faults and records use those that the client sent. */
  readonly rewrite?: (url: string) => string;
  /**
   * True if the target may finish a completely received request after the client has disconnected, so that `settled`
   * waits for it.
   */
  readonly finishes?: boolean;
}

/** Starts the proxy on a free port of 127.0.0.1 in front of `target` (an origin such as `http://127.0.0.1:8888`). */
export async function startFaultProxy(target: string, options: FaultProxyOptions = {}): Promise<FaultProxy> {
  const { rewrite = (url: string) => url, finishes = false } = options;
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const webSockets = new Set<Socket>();
  let webSocketBytes = 0;
  /** Paths of the requests that the target is handling, by request. */
  const working = new Map<ClientRequest, string>();
  let rules: ActiveRule[] = [];
  let origin = new URL(target);
  let generation = 0;
  let inFlight = 0;
  let lastChange = performance.now();

  const server = createServer((incoming, outgoing) => {
    inFlight += 1;
    lastChange = performance.now();
    outgoing.on("close", () => {
      inFlight -= 1;
      lastChange = performance.now();
    });
    void handle(incoming, outgoing, { origin, rule: pick(rules, incoming) }, generation);
  });

  async function handle(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    job: { origin: URL; rule: FaultRule | undefined },
    born: number,
  ): Promise<void> {
    const at = Date.now();
    let receivedBytes = 0;
    let sentBytes = 0;
    let recorded = false;
    const record = (status: number): void => {
      if (recorded || born !== generation) return;
      recorded = true;
      const { path, query } = partsOf(incoming.url ?? "/");
      const fault = job.rule === undefined ? {} : { fault: job.rule.name ?? job.rule.action.kind };
      requests.push({
        method: incoming.method ?? "GET",
        path,
        query,
        status,
        milliseconds: Date.now() - at,
        sentBytes,
        receivedBytes,
        headers: withoutSecrets(incoming.headers),
        at,
        ...fault,
      });
    };
    const respond = (status: number, contentType: string, body: string, headers: Record<string, string> = {}): void => {
      incoming.resume();
      outgoing.writeHead(status, { "content-type": contentType, ...headers });
      receivedBytes = Buffer.byteLength(body);
      record(status);
      outgoing.end(body);
    };
    const cut = (): void => {
      record(0);
      incoming.socket.destroy();
    };
    incoming.on("data", (chunk: Buffer) => {
      sentBytes += chunk.length;
    });
    incoming.pause();
    outgoing.on("close", () => record(outgoing.writableFinished ? outgoing.statusCode : 0));

    const action = job.rule?.action;
    if (action?.kind === "latency") await delay(action.milliseconds + Math.random() * (action.jitter ?? 0));
    if (action?.kind === "hold") await action.until;
    if (action?.kind === "hang" && action.when !== "during") return action.onHang?.(incoming.headers);
    if (action?.kind === "call" && action.when === "before") return action.call();
    if (action?.kind === "cut" && action.when === "before") return cut();
    if (action?.kind === "response") {
      return respond(action.status, action.contentType ?? "application/json", action.body ?? "", { ...action.headers });
    }
    if (action?.kind === "html") {
      const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>";
      return respond(action.status ?? 200, "text/html; charset=utf-8", page);
    }
    if (action?.kind === "redirect") {
      return respond(action.status ?? 302, "text/html", "", { location: action.location });
    }

    const isCutSending = (action?.kind === "cut" || action?.kind === "call") && action.when === "sending";
    const onward = request(
      new URL(rewrite(incoming.url ?? "/"), job.origin),
      { method: incoming.method, headers: { ...endToEnd(incoming.headers), host: job.origin.host }, agent: false },
      (response) => {
        const status = response.statusCode ?? 502;
        if (action !== undefined && changesResponse(action)) {
          void whole(response).then((body) => {
            if (action.kind === "cut" && action.when === "after") return cut();
            if (action.kind === "call") return action.call();
            const sent = sentOf(action, body);
            receivedBytes = sent.reduce((sum, part) => sum + part.length, 0);
            const headers = { ...endToEnd(response.headers), ...headersOf(action, body, receivedBytes) };
            outgoing.writeHead(status, status === 204 ? {} : headers);
            return sendParts(outgoing, sent, action, { cut, headers: incoming.headers });
          }, cut);
          return;
        }
        outgoing.writeHead(status, response.statusMessage, endToEnd(response.headers));
        response.on("data", (chunk: Buffer) => {
          receivedBytes += chunk.length;
        });
        // Record before the last byte is sent, because a client may read the records right after its response.
        response.on("end", () => record(status));
        response.on("error", cut);
        response.pipe(outgoing);
        // A response that isn't read would never end.
        outgoing.on("close", () => response.resume());
      },
    );
    working.set(onward, partsOf(incoming.url ?? "/").path);
    onward.on("close", () => working.delete(onward));
    onward.on("error", (error) => {
      if (outgoing.headersSent) return cut();
      respond(502, "text/plain", `the proxy can't reach ${job.origin.host}: ${error.message}`);
    });
    outgoing.on("close", () => {
      if (!finishes || !incoming.readableEnded) onward.destroy();
    });
    if (!isCutSending) {
      incoming.pipe(onward);
      return;
    }
    const body = await whole(incoming);
    onward.write(body.subarray(0, Math.floor(body.length / 2)), () => {
      onward.destroy();
      if (action.kind === "call") action.call();
      else cut();
    });
  }

  server.keepAliveTimeout = idleConnections;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const onward = connect(Number(origin.port) || 80, origin.hostname, () => {
      const lines = Object.entries({ ...incoming.headers, host: origin.host }).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value ?? ""]).map((one) => `${name}: ${one}`),
      );
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
      socket.on("data", (chunk: Buffer) => {
        webSocketBytes += chunk.length;
      });
    });
    sockets.add(onward);
    webSockets.add(onward);
    onward.on("close", () => {
      sockets.delete(onward);
      webSockets.delete(onward);
      socket.destroy();
    });
    socket.on("close", () => onward.destroy());
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    count: (match = {}) => requests.filter(({ method, path, query }) => matches(match, method, path, query)).length,
    reset() {
      generation += 1;
      requests.length = 0;
    },
    addFault(rule) {
      const active: ActiveRule = { rule, seen: 0, applied: 0 };
      rules.push(active);
      return () => {
        rules = rules.filter((other) => other !== active);
      };
    },
    clearFaults() {
      rules = [];
    },
    webSocketBytes: () => webSocketBytes,
    cutWebSockets() {
      for (const socket of webSockets) socket.destroy();
    },
    retarget(next) {
      origin = new URL(next);
    },
    async settled(path) {
      await until(`the responses below ${path}`, () => [...working.values()].every((one) => !one.startsWith(path)));
    },
    async quiet(milliseconds) {
      const isQuiet = (): boolean => inFlight === 0 && performance.now() - lastChange >= milliseconds;
      await until(`${milliseconds} ms without a request`, isQuiet);
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type ResponseChange = Extract<FaultAction, { kind: "half-body" | "cut" | "content-type" | "drip" | "hang" | "call" }>;

function changesResponse(action: FaultAction): action is ResponseChange {
  return ["half-body", "cut", "content-type", "drip", "hang", "call"].includes(action.kind);
}

async function whole(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** The parts of the target's response to send. */
function sentOf(action: ResponseChange, body: Buffer): readonly Buffer[] {
  if (action.kind === "drip") {
    const size = Math.max(1, Math.ceil(body.length / action.parts));
    return Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.subarray(at * size, (at + 1) * size));
  }
  return [action.kind === "content-type" ? body : body.subarray(0, Math.floor(body.length / 2))];
}

function headersOf(action: ResponseChange, body: Buffer, sentBytes: number): Record<string, string> {
  const isWholeAnnounced = action.kind === "cut" || action.kind === "hang";
  return {
    "content-length": String(isWholeAnnounced ? body.length : sentBytes),
    ...(action.kind === "content-type" ? { "content-type": action.contentType } : {}),
  };
}

async function sendParts(
  outgoing: ServerResponse,
  parts: readonly Buffer[],
  action: ResponseChange,
  { cut, headers }: { readonly cut: () => void; readonly headers: IncomingHttpHeaders },
): Promise<void> {
  for (const part of parts) {
    if (action.kind === "drip") await delay(action.milliseconds);
    // The client is gone.
    if (outgoing.destroyed) return;
    await new Promise((resolve) => outgoing.write(part, resolve));
  }
  if (action.kind === "cut") cut();
  else if (action.kind === "hang") action.onHang?.(headers);
  else outgoing.end();
}

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name)) kept[name] = value;
  }
  return kept;
}

function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeader.test(name) ? "(secret)" : [value ?? ""].flat().join(", "),
    ]),
  );
}
