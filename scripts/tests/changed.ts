// Uses imports to find the tests that a change can affect, for quick local runs. CI runs everything.
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { findFiles } from "../find-files.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { runProgram } from "../set-up/run-program.ts";

/** The imports of each file of the project, by paths from its root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Reads all imports of the sources, scripts, and tests: static and dynamic ones, of values and types. */
export async function readImportGraph(): Promise<ImportGraph> {
  const folders = ["src", "scripts", "test"];
  const files = (await Promise.all(folders.map((folder) => findFiles(join(projectDirectory, folder), ".ts")))).flat();
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const path = relative(projectDirectory, file).split(sep).join("/");
        return [path, importsOf(path, await readFile(file, "utf8"))] as const;
      }),
    ),
  );
}

/** Paths that a file imports or starts as a program: every quoted path of a project file. */
export function importsOf(path: string, text: string): readonly string[] {
  const named = [...text.matchAll(/"([^"\s]+\.ts)"/g)].map(([, specifier = ""]) => specifier);
  return [...new Set(named.map((specifier) => join(dirname(path), specifier).split(sep).join("/")))];
}

/** The files that depend on any of these files, directly or indirectly, and the files themselves. */
export function affectedBy(changed: readonly string[], graph: ImportGraph): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const [path, imports] of graph) {
    for (const used of imports) users.set(used, [...(users.get(used) ?? []), path]);
  }
  const affected = new Set<string>();
  const waiting = [...changed];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (affected.has(path)) continue;
    affected.add(path);
    waiting.push(...(users.get(path) ?? []));
  }
  return affected;
}

/**
 * Files that differ from the branch that this one is based on, committed or not, and new files; on the main branch,
 * since the last commit.
 */
export async function changedFiles(): Promise<readonly string[]> {
  const git = async (...args: readonly string[]): Promise<readonly string[] | undefined> => {
    const { code, output } = await runProgram("git", ["-c", "core.quotePath=false", ...args], {
      cwd: projectDirectory,
    });
    return code === 0 ? output.split("\n").filter((line) => line !== "") : undefined;
  };
  let base = "HEAD";
  for (const branch of ["origin/main", "main"]) {
    const [found] = (await git("merge-base", "HEAD", branch)) ?? [];
    if (found === undefined) continue;
    base = found;
    break;
  }
  const differing = await git("diff", "--name-only", base);
  const untracked = await git("ls-files", "--others", "--exclude-standard");
  if (differing === undefined || untracked === undefined) throw new Error("git can't determine the changed files.");
  return [...new Set([...differing, ...untracked])];
}

/** The tests to run after a change. */
export interface Selection {
  /** Test files by their layer. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Window layers that the change reaches through the extension and that are not in `files`. */
  readonly windows: readonly string[];
}

const windowLayers: ReadonlySet<string> = new Set(["editor", "ui"]);

/**
 * The tests of a change. A file that nothing imports, such as the manifest or a document, may be read by any unit test,
 * so all of them are selected. Tests in a window run the entire extension, so only those that changed themselves are
 * selected.
 */
export function selectionFor(changed: readonly string[], graph: ImportGraph): Selection {
  const affected = affectedBy(changed, graph);
  const isRead = changed.some((path) => !path.endsWith(".ts") || path.startsWith("scripts/generate-"));
  const files = new Map<string, string[]>();
  for (const path of [...graph.keys()].toSorted()) {
    const [, layer] = /^test\/([^/]+)\/.*\.test\.ts$/.exec(path) ?? [];
    if (layer === undefined || layer === "bench") continue;
    if (affected.has(path) || (layer === "unit" && isRead)) files.set(layer, [...(files.get(layer) ?? []), path]);
  }
  const isExtension = affected.has("src/extension.ts") || changed.includes("package.json");
  return { files, windows: isExtension ? [...windowLayers].filter((layer) => !files.has(layer)) : [] };
}
