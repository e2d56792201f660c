// A platform that responds to every read with a short list, and counts the requests by credential.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type LocalServer, serveLocally } from "./local-server.ts";

interface PlatformRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** A response that replaces the platform's list. */
interface PlatformResponse {
  readonly status: number;
  /** A function gets the credential of the request. */
  readonly body: string | ((credential: string) => string);
  readonly headers?: Readonly<Record<string, string>>;
  readonly milliseconds?: number;
}

export interface CountingPlatform {
  readonly url: string;
  readonly requests: readonly PlatformRequest[];
  /** Number of open requests without a response. */
  readonly open: number;
  /** Accepted credentials; any other gets a 401. */
  readonly credentials: Set<string>;
  reset(): void;
  responseWith(replacement: PlatformResponse | undefined): void;
  /** Responds to requests for paths with this prefix with 200 and this body, for any credential. */
  responseAt(path: string, body: string | Uint8Array): void;
  /** Never responds to requests for paths with this prefix. */
  holdAt(path: string): void;
  stop(): Promise<void>;
}

const namespace = '{"name":"team"}';

/** Starts the platform on 127.0.0.1; it requires `Authorization: Bearer <credential>`. */
export async function startCountingPlatform(): Promise<CountingPlatform> {
  const requests: PlatformRequest[] = [];
  const credentials = new Set<string>();
  const bodies = new Map<string, string | Uint8Array>();
  const held: string[] = [];
  let replacement: PlatformResponse | undefined;
  let open = 0;
  const server: LocalServer = await serveLocally(
    createServer((request, response) => {
      const { method = "", url: target = "/", headers } = request;
      requests.push({ method, target, headers });
      open += 1;
      response.once("close", () => {
        open -= 1;
      });
      if (held.some((path) => target.startsWith(path))) return;
      for (const [path, body] of bodies) {
        if (target.startsWith(path)) {
          response.writeHead(200, { "content-type": "application/json" }).end(body);
          return;
        }
      }
      const given = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
      if (given === undefined || !credentials.has(given)) {
        response.writeHead(401, { "content-type": "application/json" }).end('{"message":"Unauthorized"}');
        return;
      }
      const usual = { status: 200, body: target.endsWith("/workspaces/user") ? namespace : "[]" };
      const { status, body, headers: more = {}, milliseconds = 0 }: PlatformResponse = replacement ?? usual;
      void delay(milliseconds, undefined, { ref: false }).then(() =>
        response
          .writeHead(status, { "content-type": "application/json", ...more })
          .end(typeof body === "string" ? body : body(given)),
      );
    }),
  );
  return {
    url: server.url,
    requests,
    get open() {
      return open;
    },
    credentials,
    reset() {
      requests.length = 0;
    },
    responseWith(next) {
      replacement = next;
    },
    responseAt: (path, body) => void bodies.set(path, body),
    holdAt: (path) => void held.push(path),
    stop: () => server.stop(),
  };
}
