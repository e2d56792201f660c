import { readdir, readFile } from "node:fs/promises";
import { until } from "./until.ts";

/**
 * Suspends a process that we started, and waits until it does nothing any more: only one of its threads receives the
 * signal, and the others run on until the system has given that thread processor time.
 */
export async function suspendProcess(processId: number): Promise<void> {
  process.kill(processId, "SIGSTOP");
  await until("all threads to be suspended", async () =>
    (await threadStates(processId)).every((state) => state === "T"),
  );
}

/** The state of each thread, such as `S` for one that waits. None on systems other than Linux. */
async function threadStates(processId: number): Promise<readonly (string | undefined)[]> {
  const directory = `/proc/${processId}/task`;
  const threads = await readdir(directory).catch(() => []);
  const lines = await Promise.all(
    threads.map((thread) => readFile(`${directory}/${thread}/stat`, "utf8").catch(() => undefined)),
  );
  // The name before it can contain spaces and parentheses. A thread that has ended meanwhile has none.
  return lines.flatMap((line) => (line === undefined ? [] : [line.slice(line.lastIndexOf(")") + 2)[0]]));
}
