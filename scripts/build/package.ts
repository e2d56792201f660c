import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { listFiles } from "@vscode/vsce";
import { projectDirectory } from "../set-up/paths.ts";
import { lastLines, runProgram } from "../set-up/run-program.ts";

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
  // The bundles contain what they need of node_modules.
  const flags = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", target];
  const { code, output } = await runProgram(process.execPath, [vsce, "package", ...flags], { cwd: projectDirectory });
  if (code !== 0) throw new Error(`vsce package failed:\n${lastLines(output)}`);
  const options = { cwd: projectDirectory, dependencies: false };
  return { path: target, bytes: (await stat(target)).size, files: await listFiles(options) };
}

async function nameAndVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest) || !("version" in manifest)) {
    throw new Error("package.json has no name and version");
  }
  return `${String(manifest.name)}-${String(manifest.version)}`;
}
