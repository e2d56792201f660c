import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The editor's own extensions that no test needs: Git, debuggers, task runners, and an AI assistant. All of them together
 * take a sixth of the processor time in which a window opens. Extensions that can also run in a browser aren't among
 * them: without the file here, the window would try to load them from elsewhere, and report that it can't.
 */
const unused: ReadonlySet<string> = new Set([
  ...["copilot", "git", "github", "microsoft-authentication"],
  ...["debug-auto-launch", "debug-server-ready", "ms-vscode.js-debug", "ms-vscode.js-debug-companion"],
  ...["grunt", "gulp", "jake", "php-language-features", "terminal-suggest", "tunnel-forwarding"],
]);

/**
 * Makes a directory with links to the editor's own extensions, except for the unused ones.
 *
 * @param serverMain The editor's entry point.
 */
export async function linkBuiltInExtensions(
  serverMain: string,
): Promise<{ readonly directory: string; remove(): Promise<void> }> {
  const all = join(dirname(serverMain), "..", "extensions");
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-extensions-"));
  for (const entry of await readdir(all, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === "node_modules" || unused.has(entry.name)) continue;
    await symlink(join(all, entry.name), join(directory, entry.name), "junction");
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }) };
}
