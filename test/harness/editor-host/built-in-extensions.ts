import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
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
 * Others that no test needs, replaced by extensions of the same name and version that do nothing. That for Mermaid diagrams
 * loads a megabyte of code into each Markdown preview.
 */
const replaced: ReadonlySet<string> = new Set([
  ...["mermaid-markdown-features", "mermaid-chat-features", "emmet", "git-base", "merge-conflict", "npm"],
  ...["css-language-features", "html-language-features", "typescript-language-features"],
]);

/**
 * Makes a directory with links to the editor's own extensions, except for the unused and replaced ones.
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
    const [from, to] = [join(all, entry.name), join(directory, entry.name)];
    if (replaced.has(entry.name)) await writeReplacement(from, to);
    else await symlink(from, to, "junction");
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }) };
}

async function writeReplacement(from: string, to: string): Promise<void> {
  const manifest: Readonly<Record<string, unknown>> = JSON.parse(await readFile(join(from, "package.json"), "utf8"));
  const { name, publisher, version, engines } = manifest;
  await mkdir(to);
  const kind = { extensionKind: ["workspace"] };
  await writeFile(join(to, "package.json"), JSON.stringify({ name, publisher, version, engines, ...kind }));
}
