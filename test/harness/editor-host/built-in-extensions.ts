import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The editor's own extensions that windows of tests show or use. All of them together take more than a sixth of the processor time in
 * which a window opens, and the one for Mermaid diagrams loads a megabyte of code into each Markdown preview.
 */
const needed: ReadonlySet<string> = new Set([
  ...["configuration-editing", "css", "diff", "html", "ini", "ipynb", "javascript", "json", "json-language-features"],
  ...["log", "markdown-basics", "markdown-language-features", "markdown-math", "media-preview", "notebook-renderers"],
  ...["python", "references-view", "search-result", "shellscript", "simple-browser", "sql", "theme-defaults"],
  ...["theme-modern-icons", "theme-seti", "typescript-basics", "xml", "yaml"],
]);

/**
 * Makes a directory with links to the needed ones of the editor's own extensions. The others are replaced by extensions of
 * the same name and version that do nothing: if they were missing, the window would try to load those that can also run in
 * a browser from elsewhere, and report that it can't.
 *
 * @param serverMain The editor's entry point.
 */
export async function linkBuiltInExtensions(
  serverMain: string,
): Promise<{ readonly directory: string; remove(): Promise<void> }> {
  const all = join(dirname(serverMain), "..", "extensions");
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-extensions-"));
  for (const entry of await readdir(all, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === "node_modules") continue;
    const [from, to] = [join(all, entry.name), join(directory, entry.name)];
    if (needed.has(entry.name)) await symlink(from, to, "junction");
    else await writeReplacement(from, to);
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
