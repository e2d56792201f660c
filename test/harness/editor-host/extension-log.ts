import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Name of the log file of the extension's output channel. */
const logFile = "Platform Workbench.log";
/** Maximum number of lines that are shown. */
const maxLines = 200;

/**
 * The lines that the extension has logged since then, in all windows of an editor's data directory: the last 200.
 * None in an editor that takes no module hooks, because it writes no log files.
 */
export function extensionLogSince(since: Date, dataDirectory: string): string {
  let lines: readonly string[];
  try {
    const files = readdirSync(dataDirectory, { recursive: true }).map(String);
    lines = files
      .filter((file) => basename(file) === logFile)
      .flatMap((file) => readFileSync(join(dataDirectory, file), "utf8").split("\n"));
  } catch (error) {
    // The editor may remove files meanwhile. That must not end the tests after the failed one.
    return `It can't be read: ${String(error)}`;
  }
  // Each entry begins with its time. Further lines of an entry are left out.
  const own = lines.filter((line) => /^\d{4}-/.test(line) && line >= since.toISOString()).sort();
  return own.slice(-maxLines).join("\n");
}
