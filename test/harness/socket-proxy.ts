// A byte-level proxy in front of one port. It breaks connections, or lets them hang as if the network was lost.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SocketProxy {
  /** The same address as the target's, through the proxy. */
  url(target: string): string;
  /** Number of connections that were opened. */
  readonly opened: number;
  /** Number of WebSockets that are open. */
  readonly webSockets: number;
  /** Closes all connections immediately, on both sides. */
  cut(): void;
  /** Resets all connections, like a network device that lost its state. */
  reset(): void;
  /** Closes every WebSocket with the protocol's close frame, on both sides, and closes the other connections. */
  close(): void;
  /** Stops forwarding on the open connections, without notifying either side. */
  freeze(): void;
  /** Like `freeze`, but only for WebSockets. Closes the other connections, which would be idle meanwhile. */
  freezeSockets(): void;
  /** Makes the server close the frozen connections, still without notifying the client. */
  dropFrozenTargets(): void;
  /** Refuses new connections until `accept`. */
  refuse(): void;
  accept(): void;
  stop(): Promise<void>;
}

/** Starts the proxy on a free port of 127.0.0.1. */
export async function startSocketProxy(target: string): Promise<SocketProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  const webSockets = new Set<Socket>();
  /** Clients that are not notified when their server ends the connection. */
  const detached = new Set<Socket>();
  let isRefusing = false;
  let opened = 0;
  const server = createServer({ noDelay: true }, (client) => {
    client.on("error", () => {});
    if (isRefusing) {
      client.destroy();
      return;
    }
    opened += 1;
    const onward = connect({ port: Number(port), host: hostname, noDelay: true });
    const pair = [client, onward] as const;
    pairs.add(pair);
    onward.on("error", () => client.destroy());
    client.on("data", (part: Buffer) => {
      if (!webSockets.has(client) && /^upgrade: websocket\r$/im.test(part.toString("latin1"))) webSockets.add(client);
    });
    client.pipe(onward);
    onward.pipe(client);
    for (const side of pair) {
      side.on("close", () => {
        if (side === onward && detached.has(client)) return;
        for (const other of pair) other.destroy();
        pairs.delete(pair);
        webSockets.delete(client);
        detached.delete(client);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as AddressInfo).port;
  const frozen: Socket[] = [];
  const cut = (): void => {
    for (const pair of pairs) for (const side of pair) side.destroy();
  };
  const freezePair = ([client, onward]: readonly [Socket, Socket]): void => {
    client.unpipe(onward);
    onward.unpipe(client);
    // Discard received data, so that the sender doesn't notice.
    for (const side of [client, onward]) side.resume();
    frozen.push(client, onward);
  };
  return {
    get webSockets() {
      return webSockets.size;
    },
    get opened() {
      return opened;
    },
    url(address) {
      const url = new URL(address);
      url.port = String(own);
      return url.href;
    },
    cut,
    reset() {
      for (const pair of pairs) for (const side of pair) side.resetAndDestroy();
    },
    close() {
      for (const pair of pairs) {
        const [client, onward] = pair;
        freezePair(pair);
        if (webSockets.has(client)) {
          // "Going away" to the client; "normal closure" to the server, masked with zeros.
          client.end(Buffer.from([0x88, 2, 0x03, 0xe9]));
          onward.end(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]));
        } else {
          for (const side of pair) side.end();
        }
      }
    },
    freeze() {
      for (const pair of pairs) freezePair(pair);
    },
    freezeSockets() {
      for (const pair of pairs) {
        if (webSockets.has(pair[0])) freezePair(pair);
        else for (const side of pair) side.destroy();
      }
    },
    dropFrozenTargets() {
      for (const [client, onward] of pairs) {
        if (!frozen.includes(client)) continue;
        detached.add(client);
        onward.destroy();
      }
    },
    refuse() {
      isRefusing = true;
    },
    accept() {
      isRefusing = false;
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      for (const side of frozen) side.destroy();
      await closed;
    },
  };
}
