import assert from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";

/** Milliseconds without a response after which a request fails. It only ends what hangs. */
const patience = 120_000;

/** A content server under test. */
export interface ContentServer {
  /** With a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** The folder that it serves. */
  readonly root: string;
}

export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Authorization` header. The right token by default, none for null. */
  readonly authorization?: string | null;
}

/** An unchanged response: redirects are not followed, and the body is parsed only on request. */
export class Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  /** The body as a JSON object. */
  get json(): Record<string, unknown> {
    const value: unknown = JSON.parse(this.text);
    assert.ok(typeof value === "object" && value !== null, `not a JSON object: ${this.text}`);
    return { ...value };
  }

  /** The body's `content` as an array of objects. */
  get children(): readonly Record<string, unknown>[] {
    const { content } = this.json;
    assert.ok(Array.isArray(content), `no children in ${this.text}`);
    return content;
  }
}

/** Sends one request. The path is sent exactly as given, below the server's address. */
export function call(
  server: ContentServer,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const { hostname, port, pathname } = new URL(server.url);
  const text = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const authorization = options.authorization === undefined ? `token ${server.token}` : options.authorization;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: hostname,
        port,
        method,
        path: pathname + path,
        timeout: patience,
        headers: {
          ...options.headers,
          ...(authorization === null ? {} : { authorization }),
          ...(text === undefined ? {} : { "content-length": Buffer.byteLength(text) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve(new Response(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))),
        );
      },
    );
    outgoing.on("timeout", () =>
      outgoing.destroy(new Error(`no answer to ${method} ${path} within ${patience / 1000} s`)),
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

/** A content path as part of an address: each segment is encoded separately. */
export function contents(...segments: readonly string[]): string {
  const encoded = segments.flatMap((segment) => segment.split("/")).filter((segment) => segment !== "");
  return ["api/contents", ...encoded.map(encodeURIComponent)].join("/");
}

/** Checks the status and the two members of an error's body. */
export function assertError(
  response: Response,
  status: number,
  message: string | RegExp,
  reason: string | null = null,
): void {
  assert.equal(response.status, status, response.text);
  const { message: told, reason: why } = response.json;
  if (typeof message === "string") {
    assert.equal(told, message);
  } else {
    assert.match(String(told), message);
  }
  assert.equal(why, reason);
}
