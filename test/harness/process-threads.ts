import { readdir, readFile } from "node:fs/promises";

/** The texts of a file that Linux has for each thread of a process, without threads that have ended. Empty on other systems. */
export async function readThreadFiles(processId: number, name: "children" | "stat"): Promise<readonly string[]> {
  const directory = `/proc/${processId}/task`;
  const threads = await readdir(directory).catch(() => []);
  const texts = await Promise.all(
    threads.map((thread) => readFile(`${directory}/${thread}/${name}`, "utf8").catch(() => undefined)),
  );
  return texts.filter((text) => text !== undefined);
}
