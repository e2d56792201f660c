// Puts TLS in front of a server that speaks plain HTTP, for requests and WebSockets.
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import type { ServerCertificate } from "./certificates.ts";

export interface TlsFront {
  readonly port: number;
  /** `https://127.0.0.1:PORT`. The certificate is for other names. */
  readonly url: string;
  /** Number of TLS connections that were opened. */
  readonly opened: number;
  /** Closes all connections. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1. */
export async function startTlsFront(target: string, certificate: ServerCertificate): Promise<TlsFront> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer({ ...certificate }, (client) => {
    opened += 1;
    const onward = connect(Number(targetPort), hostname);
    for (const [side, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(side);
      side.on("error", () => other.destroy());
      side.on("close", () => {
        sockets.delete(side);
        other.destroy();
      });
    }
    client.pipe(onward).pipe(client);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    get opened() {
      return opened;
    },
    cut,
    async stop() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
