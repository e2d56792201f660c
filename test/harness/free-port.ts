import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below what systems take for connections and for servers that choose a port themselves: those come and go all the time. */
const range = [20_000, 32_000] as const;
const mostTries = 50;

/**
 * A port of 127.0.0.1 that was free a moment ago: for programs that cannot choose one themselves. Some of them listen only
 * seconds later; nothing but another of these takes it until then.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const port = randomInt(...range);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${mostTries} ports between ${range.join(" and ")} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}
