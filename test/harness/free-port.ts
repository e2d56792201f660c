import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** A port of 127.0.0.1 that was free a moment ago: for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
