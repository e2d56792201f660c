import type { ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { endProcess } from "../end-process.ts";
import { until } from "../until.ts";

/**
 * Waits until a program accepts connections on a port of 127.0.0.1. If it has ended, fails with what it said. Ends the
 * program after any failure.
 */
export async function untilItListens(
  name: string,
  port: number,
  child: ChildProcess,
  said: () => string,
): Promise<void> {
  const listens = (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said()}`);
    return new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  };
  try {
    await until(`${name} to listen`, listens, { seen: said });
  } catch (error) {
    await endProcess(child);
    throw error;
  }
}
