import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Below the ephemeral range, whose ports the system constantly assigns to connections and servers. */
const range = [20_000, 32_000] as const;
const maxTries = 50;
/** Above that range, for programs that get the same few ports in each process. */
const recurringRange = [32_000, 32_100] as const;
/** Ports on which a process will soon listen, because several test processes choose ports concurrently. */
const reservations = join(tmpdir(), "platform-workbench-ports");
/** Milliseconds after which the reservation of a killed process expires. */
const reservedFor = 600_000;

const own: string[] = [];
process.on("exit", () => {
  for (const file of own) rmSync(file, { force: true });
});

/**
 * A free port of 127.0.0.1 for programs that can't choose one themselves. Some of them start listening only seconds
 * later. No other test uses the port until this process ends.
 */
export async function freePort(): Promise<number> {
  await mkdir(reservations, { recursive: true });
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const port = randomInt(...range);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`none of ${maxTries} ports between ${range.join(" and ")} is free`);
}

/** The same, but the first free one of a few ports, so that a later process gets it again. */
export async function recurringPort(): Promise<number> {
  await mkdir(reservations, { recursive: true });
  for (let port = recurringRange[0]; port < recurringRange[1]; port += 1) {
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`no port between ${recurringRange.join(" and ")} is free`);
}

async function reserve(port: number): Promise<boolean> {
  const file = join(reservations, String(port));
  try {
    await writeFile(file, "", { flag: "wx" });
  } catch {
    const since = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (since < reservedFor) return false;
    await utimes(file, new Date(), new Date());
  }
  own.push(file);
  return true;
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
