// A proxy in front of one origin that counts requests and breaks them on demand.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** What happened to one request. */
export interface RecordedRequest {
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the question mark; the value of a token parameter is replaced. */
  readonly query: string;
  /** Of the answer; 0 when none was given (cut, or the target did not answer). */
  readonly status: number;
  /** From the request's first line to the answer's end. */
  readonly milliseconds: number;
  /** Of the request's body and of the answer's body, as they went over the line. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** The request's headers, with secrets replaced by `(secret)`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the fault that was applied. */
  readonly fault?: string;
  /** Milliseconds since 1970 at which it arrived. */
  readonly at: number;
}

/** Which requests a fault is for: all that is given has to match. */
export interface FaultMatch {
  readonly method?: string | readonly string[];
  /** A text: the path starts with it. A pattern: tested against path and query. */
  readonly path?: string | RegExp;
  /** Only the nth request (from 1) that matches otherwise; a list for several. */
  readonly nth?: number | readonly number[];
  /** Applied this many times at most, then the rule is spent. */
  readonly times?: number;
}

/** What is done to a request. */
export type FaultAction =
  | { readonly kind: "latency"; readonly milliseconds: number }
  | {
      /** An answer of our own: the target never sees the request. */
      readonly kind: "answer";
      readonly status: number;
      readonly body?: string;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "redirect"; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** A page for people where JSON was asked for, as a login page or a gateway gives. */
  | { readonly kind: "html"; readonly status?: number }
  /** The target's answer with the second half of its body left out, and no sign of that in the framing. */
  | { readonly kind: "half-body" }
  /**
   * The connection breaks. `before`: the target never sees the request. `during`: after half of the answer's body. `after`:
   * the target did its work, the client hears nothing of it.
   */
  | { readonly kind: "cut"; readonly when: "before" | "during" | "after" }
  /** The request is kept and never answered. */
  | { readonly kind: "hang" };

export interface FaultRule {
  readonly name?: string;
  readonly match: FaultMatch;
  readonly action: FaultAction;
}

export interface FaultProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Every request since the start or the last reset, in order of arrival (those in flight are not among them yet). */
  readonly requests: readonly RecordedRequest[];
  count(match?: Omit<FaultMatch, "nth" | "times">): number;
  /** Forgets the recorded requests; faults stay. */
  reset(): void;
  /** Adds a rule; the first rule that matches is applied. Gives a function that takes the rule away. */
  addFault(rule: FaultRule): () => void;
  clearFaults(): void;
  /** Sends what follows to another origin. */
  retarget(origin: string): void;
  stop(): Promise<void>;
}

interface ActiveRule {
  readonly rule: FaultRule;
  seen: number;
  applied: number;
}

const hopByHop = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer"]);
const secretHeader = /^(authorization|cookie|set-cookie|proxy-authorization|x-.*token.*|x-api-key)$/i;

/** Starts the proxy on a free port of 127.0.0.1 in front of `target` (an origin such as `http://127.0.0.1:8888`). */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  let rules: ActiveRule[] = [];
  let origin = new URL(target);
  let generation = 0;

  const server = createServer((incoming, outgoing) => {
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
        ...{ method: incoming.method ?? "GET", path, query, status, milliseconds: Date.now() - at },
        ...{ sentBytes, receivedBytes, headers: withoutSecrets(incoming.headers), at },
        ...fault,
      });
    };
    const answer = (status: number, contentType: string, body: string, headers: Record<string, string> = {}): void => {
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
    if (action?.kind === "latency") await delay(action.milliseconds);
    if (action?.kind === "hang") return;
    if (action?.kind === "cut" && action.when === "before") return cut();
    if (action?.kind === "answer") {
      return answer(action.status, action.contentType ?? "application/json", action.body ?? "", { ...action.headers });
    }
    if (action?.kind === "html") {
      const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>";
      return answer(action.status ?? 200, "text/html; charset=utf-8", page);
    }
    if (action?.kind === "redirect") {
      return answer(action.status ?? 302, "text/html", "", { location: action.location });
    }

    const onward = request(
      new URL(incoming.url ?? "/", job.origin),
      { method: incoming.method, headers: { ...endToEnd(incoming.headers), host: job.origin.host }, agent: false },
      (response) => {
        const status = response.statusCode ?? 502;
        const mutilated = action?.kind === "half-body" || action?.kind === "cut";
        if (mutilated) {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            if (action.kind === "cut" && action.when === "after") return cut();
            const whole = Buffer.concat(chunks);
            const half = whole.subarray(0, Math.floor(whole.length / 2));
            receivedBytes = half.length;
            const length = action.kind === "cut" ? whole.length : half.length;
            outgoing.writeHead(status, { ...endToEnd(response.headers), "content-length": String(length) });
            if (action.kind === "half-body") outgoing.end(half);
            else outgoing.write(half, cut);
          });
          return;
        }
        outgoing.writeHead(status, response.statusMessage, endToEnd(response.headers));
        response.on("data", (chunk: Buffer) => {
          receivedBytes += chunk.length;
        });
        // Before the last byte leaves: a client that counts right after its answer must find the request here.
        response.on("end", () => record(status));
        response.on("error", cut);
        response.pipe(outgoing);
      },
    );
    onward.on("error", (error) => {
      if (outgoing.headersSent) return cut();
      answer(502, "text/plain", `the proxy cannot reach ${job.origin.host}: ${error.message}`);
    });
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

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
    });
    sockets.add(onward);
    onward.on("close", () => {
      sockets.delete(onward);
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
    retarget(next) {
      origin = new URL(next);
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function pick(rules: readonly ActiveRule[], incoming: IncomingMessage): FaultRule | undefined {
  const { path, query } = partsOf(incoming.url ?? "/");
  for (const active of rules) {
    const { match } = active.rule;
    if (!matches(match, incoming.method ?? "GET", path, query)) continue;
    active.seen += 1;
    if (match.nth !== undefined && ![match.nth].flat().includes(active.seen)) continue;
    if (match.times !== undefined && active.applied >= match.times) continue;
    active.applied += 1;
    return active.rule;
  }
  return undefined;
}

function matches(match: FaultMatch, method: string, path: string, query: string): boolean {
  if (match.method !== undefined && ![match.method].flat().includes(method)) return false;
  if (typeof match.path === "string") return path.startsWith(match.path);
  return match.path === undefined || match.path.test(query === "" ? path : `${path}?${query}`);
}

function partsOf(url: string): { path: string; query: string } {
  const [path = "/", ...rest] = url.split("?");
  return { path, query: rest.join("?").replace(/(\b[\w-]*token=)[^&]*/gi, "$1(secret)") };
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
