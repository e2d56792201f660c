import { readdir, readFile } from "node:fs/promises";

/** What the system says about each thread of a process. Empty on systems other than Linux; without threads that have ended. */
export async function readOfThreads(processId: number, subject: "children" | "stat"): Promise<readonly string[]> {
  const directory = `/proc/${processId}/task`;
  const threads = await readdir(directory).catch(() => []);
  const texts = await Promise.all(
    threads.map((thread) => readFile(`${directory}/${thread}/${subject}`, "utf8").catch(() => undefined)),
  );
  return texts.filter((text) => text !== undefined);
}
