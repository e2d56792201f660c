import { Client } from "../../../src/api/client/client.ts";
import { NotebookToken, PlatformCredential } from "../../../src/api/http/credentials.ts";
import { type Dialect, dialects } from "../../../src/api/http/dialects.ts";
import type { DispatchRequest, DispatchResponse } from "../../../src/api/http/dispatch.ts";
import { PlatformError } from "../../../src/api/http/errors.ts";
import type { Log } from "../../../src/api/http/log.ts";
import { singleUserLimits } from "../../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../../src/api/http/transport.ts";

export const origin = "https://acme.example.com";
export const contentBase = new URL(`${origin}/user/alice/4f7c21aa/`);
export const secret = "s3cr3t-$&-Token_with.Marks+And/Slashes=";

/** The fake platform's answer to a request. A thrown error represents a broken connection. */
export type Responder = (request: DispatchRequest, nth: number) => DispatchResponse | Promise<DispatchResponse>;

export interface FakePlatform {
  readonly requests: DispatchRequest[];
  /** The pauses of the transport between two attempts, in milliseconds. */
  readonly waits: number[];
  readonly lines: string[];
  readonly transport: Transport;
  readonly platform: Client<"platform">;
  readonly content: Client<"notebook">;
}

/** Clients whose requests go to a function instead of the network. */
export function fakePlatform(respond: Responder, dialect: Dialect = dialects.documented): FakePlatform {
  const requests: DispatchRequest[] = [];
  const waits: number[] = [];
  const lines: string[] = [];
  const log = listLog(lines);
  const transport = createTransport({
    log,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
    createDispatcher: async () => ({
      dispatch: async (request) => {
        requests.push(request);
        return respond(request, requests.length);
      },
      close: async () => {},
    }),
  });
  const platformCredential = new PlatformCredential(origin, secret);
  const token = new NotebookToken(origin, secret);
  return {
    requests,
    waits,
    lines,
    transport,
    platform: new Client(
      { kind: "platform", base: new URL(origin), dialect, credential: platformCredential, limits: singleUserLimits },
      transport,
      log,
    ),
    content: new Client(
      { kind: "notebook", base: contentBase, dialect, credential: token, limits: singleUserLimits },
      transport,
      log,
    ),
  };
}

/** A log of every level that keeps its lines. */
export function listLog(lines: string[]): Log {
  const take = (level: string) => (line: string) => {
    lines.push(`${level} ${line}`);
  };
  return { info: take("info"), debug: take("debug"), trace: take("trace"), warn: take("warn"), error: take("error") };
}

/** An answer with a JSON body. A text is sent unchanged. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): DispatchResponse {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: { "content-type": "application/json", ...headers }, body: Buffer.from(text) };
}

export function html(status: number, headers: Readonly<Record<string, string>> = {}): DispatchResponse {
  const body = Buffer.from("<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>");
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body };
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): DispatchResponse {
  return { status, headers, body: new Uint8Array() };
}

/** The content path of a request. */
export function contentPathOf(request: DispatchRequest): string {
  const path = request.path.replace(/\?.*$/, "").slice(`${contentBase.pathname}api/contents`.length);
  return path.split("/").filter(Boolean).map(decodeURIComponent).join("/");
}

/** A request as `GET dir/a.py`. */
export function told(request: DispatchRequest): string {
  return `${request.method} ${contentPathOf(request)}`;
}

/** The requests that were sent, in order, each as `GET dir/a.py`. */
export function sent(fake: FakePlatform): string[] {
  return fake.requests.map(told);
}

export function bodyOf(request: DispatchRequest): Record<string, unknown> {
  const parsed: unknown = JSON.parse(String(request.body));
  if (typeof parsed !== "object" || parsed === null) {
    throw new Error("the request has no JSON object as its body");
  }
  return { ...parsed };
}

export function item(path: string, type = "file", content: unknown = null): Record<string, unknown> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const format = content === null ? null : type === "file" ? "text" : "json";
  return { name, path, type, content, format, last_modified: "2025-11-18T16:42:05.104233Z", size: 1, writable: true };
}

/** The PlatformError with which the work fails. Anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PlatformError) {
      return error;
    }
    throw new Error(`it failed with another error than a PlatformError: ${String(error)}`, { cause: error });
  }
  throw new Error("it did not fail");
}

/** A connection error as the HTTP library throws it. */
export function connectionError(code: string): Error {
  return Object.assign(new Error(`connection failed: ${code}`), { code });
}
