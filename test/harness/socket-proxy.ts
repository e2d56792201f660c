// A proxy of bytes in front of one port: it cuts connections, or lets them hang as a network does that went away.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SocketProxy {
  /** The same address as the target's, through the proxy. */
  url(target: string): string;
  /** Connections that were opened so far. */
  readonly opened: number;
  /** Ends every connection at once, for both sides. */
  cut(): void;
  /** Nothing passes any more on the connections that are open, and neither side is told. */
  freeze(): void;
  /** New connections are refused until `accept`. */
  refuse(): void;
  accept(): void;
  stop(): Promise<void>;
}

/** Starts the proxy on a free port of 127.0.0.1. */
export async function startSocketProxy(target: string): Promise<SocketProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isRefusing = false;
  let opened = 0;
  const server = createServer((client) => {
    client.on("error", () => {});
    if (isRefusing) {
      client.destroy();
      return;
    }
    opened += 1;
    const onward = connect(Number(port), hostname);
    const pair = [client, onward] as const;
    pairs.add(pair);
    onward.on("error", () => client.destroy());
    client.pipe(onward);
    onward.pipe(client);
    for (const side of pair) {
      side.on("close", () => {
        for (const other of pair) other.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as AddressInfo).port;
  const frozen: Socket[] = [];
  const cut = (): void => {
    for (const pair of pairs) for (const side of pair) side.destroy();
  };
  return {
    get opened() {
      return opened;
    },
    url(address) {
      const url = new URL(address);
      url.port = String(own);
      return url.href;
    },
    cut,
    freeze() {
      for (const [client, onward] of pairs) {
        client.unpipe(onward);
        onward.unpipe(client);
        // What arrives is taken and thrown away: the sender sees nothing of it.
        for (const side of [client, onward]) side.resume();
        frozen.push(client, onward);
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
