import type { ChildProcess } from "node:child_process";

/** Ends a process that we started, by its id: with a signal, then by force after `patience` milliseconds. */
export async function endProcess(child: ChildProcess, patience = 5000): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), patience);
  await gone;
  clearTimeout(force);
}
