import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import JSZip from "jszip";
import { distributionDirectory, projectDirectory } from "../set-up/paths.ts";
import { lastLines, runProgram } from "../set-up/run-program.ts";
import { recompress } from "./recompress.ts";
import { noticesFile } from "./third-party-notices.ts";

/** Maximum size of the .vsix, in bytes. */
export const packageLimit = 2_200_000;

export interface PackagedExtension {
  readonly path: string;
  readonly bytes: number;
  /** Its files, from the repository's root. */
  readonly files: readonly string[];
}

/** Creates the .vsix from the files in `dist/`. */
export async function packageExtension(path?: string): Promise<PackagedExtension> {
  const target = path ?? join(projectDirectory, `${await nameAndVersion()}.vsix`);
  const vsce = join(projectDirectory, "node_modules", "@vscode", "vsce", "vsce");
  // The bundles include everything that they need from node_modules.
  const flags = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", target];
  return inTemporaryDirectory(async (cwd) => {
    await copyCandidates(cwd);
    const { code, output } = await runProgram(process.execPath, [vsce, "package", ...flags], { cwd });
    if (code !== 0) throw new Error(`vsce package failed:\n${lastLines(output)}`);
    await inTemporaryDirectory((empty) => recompress(target, empty));
    const files = await listFiles({ cwd, packageManager: PackageManager.None });
    return { path: target, bytes: (await stat(target)).size, files };
  });
}

/** What is in a .vsix from the files in `dist/`, which is deleted afterward. */
export async function packageContents(): Promise<{
  readonly bytes: number;
  /** The notices in it; undefined if it has none. */
  readonly notices: string | undefined;
}> {
  return inTemporaryDirectory(async (directory) => {
    const { path, bytes } = await packageExtension(join(directory, "extension.vsix"));
    const archive = await JSZip.loadAsync(await readFile(path));
    return { bytes, notices: await archive.file(`extension/${noticesFile}`)?.async("string") };
  });
}

/**
 * Copies the files of the project's root, the notices, and the directories that the package's allow-list names. vsce compares each
 * file in its directory with each pattern, which takes 15 s of CPU time for the installed packages.
 */
async function copyCandidates(directory: string): Promise<void> {
  const allowed = await readFile(join(projectDirectory, ".vscodeignore"), "utf8");
  const directories = new Set([...allowed.matchAll(/^!(\w+)\//gm)].map(([, name]) => name));
  for (const entry of await readdir(projectDirectory, { withFileTypes: true })) {
    if (entry.isFile() || directories.has(entry.name)) {
      await cp(join(projectDirectory, entry.name), join(directory, entry.name), { recursive: true });
    }
  }
  await cp(join(distributionDirectory, noticesFile), join(directory, noticesFile));
  await writeFile(join(directory, "package.json"), await shippedManifest());
}

/** package.json without what only development needs, and without spaces. */
async function shippedManifest(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8"));
  const members = Object.entries(manifest ?? {}).filter(([name]) => name !== "scripts" && name !== "devDependencies");
  return JSON.stringify(Object.fromEntries(members));
}

async function inTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-package-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function nameAndVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest) || !("version" in manifest)) {
    throw new Error("package.json has no name and version");
  }
  return `${String(manifest.name)}-${String(manifest.version)}`;
}
