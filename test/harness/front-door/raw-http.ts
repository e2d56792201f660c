// HTTP at the byte level: duplicate headers, broken framing, and other requests that no library sends.
import { connect } from "node:net";

export interface RawResponse {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  /** Lowercase names with all their values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
  /** The complete response, for searches. */
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** Sent in this order, unchanged; `host` is added if it is missing. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Text is sent as UTF-8. */
  readonly body?: string | Buffer;
  /** Omits the content length of the body. */
  readonly withoutLength?: boolean;
  readonly withoutHost?: boolean;
  /** The local address from which the request is sent. */
  readonly localAddress?: string;
}

/** Sends a request to an origin and reads to the end of the connection. */
export function sendRaw(origin: string, request: RawRequest): Promise<RawResponse> {
  const { host } = new URL(origin);
  const { method = "POST", target = "/mcp", headers = [], body = "", localAddress } = request;
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [`${method} ${target} HTTP/1.1`];
  if (!named.has("host") && request.withoutHost !== true) lines.push(`Host: ${host}`);
  lines.push(...headers.map(([name, value]) => `${name}: ${value}`));
  if (!named.has("content-length") && !named.has("transfer-encoding") && request.withoutLength !== true) {
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  }
  lines.push("Connection: close");
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  return sendBytes(origin, Buffer.concat([head, Buffer.from(body)]), localAddress);
}

/** Sends bytes to an origin and reads to the end of the connection, 60 seconds at most. */
export async function sendBytes(origin: string, bytes: string | Buffer, localAddress?: string): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  const parts: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect({
      port: Number(port),
      host: hostname,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    socket.setTimeout(60_000, () => socket.destroy(new Error("no answer within 60 seconds")));
    socket.on("data", (part: Buffer) => {
      parts.push(part);
      // Some responses leave the connection open even though it should close.
      if (isWholeInChunks(Buffer.concat(parts))) socket.end();
    });
    // A server that rejects a request may close the connection while we are still sending. Use what it sent before.
    socket.on("error", (error) => ("code" in error && error.code !== "ECONNREFUSED" ? resolve() : reject(error)));
    socket.on("close", () => resolve());
    socket.write(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  });
  return parsed(Buffer.concat(parts));
}

function isWholeInChunks(bytes: Buffer): boolean {
  const head = bytes.subarray(0, bytes.indexOf("\r\n\r\n")).toString("latin1");
  return /^transfer-encoding: chunked$/im.test(head) && bytes.subarray(-5).toString("latin1") === "0\r\n\r\n";
}

function parsed(bytes: Buffer): RawResponse {
  const text = bytes.toString("utf8");
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes
    .subarray(0, end === -1 ? bytes.length : end)
    .toString("latin1")
    .split("\r\n");
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const rest = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const chunked = headers.get("transfer-encoding")?.includes("chunked") === true;
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    body: (chunked ? joinedChunks(rest) : rest).toString("utf8"),
    text,
  };
}

function joinedChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (lineEnd === -1 || !(length > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
  return Buffer.concat(parts);
}
