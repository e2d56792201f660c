// An HTTP proxy as companies run it: it tunnels with CONNECT, forwards plain HTTP, and may require a login.
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";

interface ConnectProxyOptions {
  /** `user:password`. Without it, everybody may use the proxy. */
  readonly login?: string;
  /** Where the proxy really connects to, by hostname. Other hosts don't exist. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** A request that the proxy received. `credentials`: what the client sent to sign in, decoded. */
interface ProxiedRequest {
  readonly method: string;
  /** `host:port` of a tunnel, or the address of a forwarded request. */
  readonly target: string;
  readonly status: number;
  readonly credentials?: string;
}

export interface ConnectProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ProxiedRequest[];
  /** Number of bytes that clients sent through tunnels. */
  readonly sentBytes: number;
  /** Clears the list of requests and the number of bytes. */
  reset(): void;
  /** The status of every response from now on, such as 403 or 503; undefined to work again. */
  refuseWith(status: number | undefined): void;
  stop(): Promise<void>;
}

/** Starts the proxy on a free port of 127.0.0.1. */
export async function startConnectProxy({ login, hosts }: ConnectProxyOptions): Promise<ConnectProxy> {
  const sockets = new Set<Duplex>();
  let requests: ProxiedRequest[] = [];
  let sentBytes = 0;
  let refusal: number | undefined;

  /** The status for a request, and the address to connect to if it is 200. */
  const decide = ({ headers }: IncomingMessage, host: string): { status: number; address?: string } => {
    if (refusal !== undefined) return { status: refusal };
    if (login !== undefined && credentialsOf(headers["proxy-authorization"]) !== login) return { status: 407 };
    const address = hosts[host];
    return address === undefined ? { status: 502 } : { status: 200, address };
  };
  const note = (incoming: IncomingMessage, target: string, status: number): void => {
    const credentials = credentialsOf(incoming.headers["proxy-authorization"]);
    requests.push({
      method: incoming.method ?? "",
      target,
      status,
      ...(credentials === undefined ? {} : { credentials }),
    });
  };

  const server = createServer((incoming, response) => {
    const target = incoming.url ?? "";
    const { hostname, pathname, search } = URL.canParse(target) ? new URL(target) : new URL("http://invalid/");
    const { status, address } = decide(incoming, hostname);
    note(incoming, target, status);
    if (address === undefined) {
      response.writeHead(status, challenge(status)).end();
      return;
    }
    const onward = request(new URL(pathname + search, address), { method: incoming.method, headers: incoming.headers });
    onward.on("response", (responded) => {
      response.writeHead(responded.statusCode ?? 502, responded.headers);
      responded.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = incoming.url ?? "";
    const { status, address } = decide(incoming, target.replace(/:\d+$/, ""));
    note(incoming, target, status);
    client.on("error", () => {});
    if (address === undefined) {
      const lines = Object.entries(challenge(status)).map(([name, value]) => `${name}: ${value}\r\n`);
      client.end(`HTTP/1.1 ${status} Refused\r\n${lines.join("")}Content-Length: 0\r\n\r\n`);
      return;
    }
    const { port } = new URL(address);
    const onward = connect(Number(port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.write(head);
      client.on("data", (part: Buffer) => {
        sentBytes += part.length;
      });
      client.pipe(onward).pipe(client);
    });
    sockets.add(onward);
    onward.on("error", () => client.destroy());
    onward.on("close", () => {
      sockets.delete(onward);
      client.destroy();
    });
    client.on("close", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get requests() {
      return requests;
    },
    get sentBytes() {
      return sentBytes;
    },
    reset() {
      requests = [];
      sentBytes = 0;
    },
    refuseWith(status) {
      refusal = status;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function challenge(status: number): Readonly<Record<string, string>> {
  return status === 407 ? { "Proxy-Authenticate": 'Basic realm="company network"' } : {};
}

function credentialsOf(header: string | undefined): string | undefined {
  const encoded = /^Basic (.+)$/i.exec(header ?? "")?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString();
}
