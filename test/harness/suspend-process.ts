import { readThreadFiles } from "./process-threads.ts";
import { until } from "./until.ts";

/**
 * Suspends a process that we started. On Linux, waits until all of its threads have stopped: one of them receives the
 * signal, and the others continue until that one gets processor time.
 */
export async function suspendProcess(processId: number): Promise<void> {
  process.kill(processId, "SIGSTOP");
  await until("all threads to stop", async () => (await readThreadFiles(processId, "stat")).every(isStopped));
}

function isStopped(threadStatus: string): boolean {
  // The state follows the name, which can contain spaces and parentheses.
  return threadStatus.slice(threadStatus.lastIndexOf(")")).startsWith(") T");
}
