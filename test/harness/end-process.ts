import type { ChildProcess } from "node:child_process";
import { readThreadFiles } from "./process-threads.ts";

/** Ends a process that we started, by its id: with a signal, then by force after `patience` milliseconds. */
export async function endProcess(child: ChildProcess, patience = 5000): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), patience);
  await gone;
  clearTimeout(force);
}

/**
 * Kills a process that we started, and its descendants. A Jupyter Server and its kernels would spend a third of their
 * processor time on ending, to free memory that the system frees anyway.
 */
export async function killWithDescendants(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const descendants = await descendantsOf(child.pid);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  for (const id of descendants) {
    try {
      process.kill(id, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  await gone;
}

/** Process IDs. None on systems other than Linux, where kernels end by themselves a second after their server. */
async function descendantsOf(processId: number): Promise<number[]> {
  const lists = await readThreadFiles(processId, "children");
  const children = lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}
