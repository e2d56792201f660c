// Who may import whom: the rooms of src/ and the doors between them.
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { findFiles } from "./find-files.ts";
import { projectDirectory } from "./set-up/paths.ts";

/** A file of `src/` and what it imports, as written. */
export interface SourceFile {
  /** From the repository's root, with slashes: `src/files/provider.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Layers from the ground up: a layer imports lower layers and itself. */
const floors: Readonly<Record<string, number>> = {
  api: 0,
  tenants: 1,
  "file-system": 2,
  // Features still reach into composition/ and ui/ into features; dependency rules of their own follow.
  ui: 3,
  features: 3,
  composition: 3,
};

/** Programs of their own: they import `api` alone, and only composition and the scripts load them. */
const separatePrograms = new Set(["programs"]);

/** It and the other files directly in `src/` put the parts together: they import every room, and only it imports them. */
const compositionRoot = "src/extension.ts";

const leafModules: ReadonlySet<string> = new Set();

/** Rooms that know no editor. */
const withoutEditor = new Set(["api", ...separatePrograms]);

/** One sentence for each import that breaks a rule. */
export function importViolations(files: readonly SourceFile[]): string[] {
  const violations: string[] = [];
  for (const file of files) {
    const room = roomOf(file.path);
    if (room !== undefined && floors[room] === undefined && !separatePrograms.has(room)) {
      violations.push(`${file.path}: the room src/${room}/ is not known to scripts/check-imports.ts`);
    }
    for (const specifier of importsOf(file.text)) {
      const reason = specifier.startsWith(".")
        ? refusedTarget(file.path, resolveImport(file.path, specifier))
        : refusedPackage(file.path, specifier);
      if (reason !== undefined) violations.push(`${file.path} imports ${specifier}: ${reason}`);
    }
  }
  return violations;
}

function refusedTarget(from: string, target: string): string | undefined {
  if (!target.startsWith("src/")) return "the shipped source imports nothing from outside of src/";
  if (target === compositionRoot) return `nobody imports ${compositionRoot}`;
  const room = roomOf(from);
  const other = roomOf(target);
  const assembles = room === undefined && !leafModules.has(from);
  if (assembles && (from === compositionRoot || other !== undefined || leafModules.has(target))) return undefined;
  if (other === undefined) {
    if (!leafModules.has(target)) return `${target} belongs to ${compositionRoot} alone`;
    return room !== undefined && withoutEditor.has(room) ? `${room} knows no editor` : undefined;
  }
  if (room === undefined) return other === "api" ? undefined : "a leaf module imports api alone";
  if (room === other) return undefined;
  if (separatePrograms.has(other))
    return room === "composition" ? undefined : `only composition and the scripts load ${other}`;
  if (separatePrograms.has(room)) return other === "api" ? undefined : `${room} imports api alone`;
  return (floors[other] ?? 0) <= (floors[room] ?? 0) ? undefined : `${room} lies below ${other}`;
}

function refusedPackage(from: string, specifier: string): string | undefined {
  const room = roomOf(from);
  return specifier === "vscode" && room !== undefined && withoutEditor.has(room)
    ? `${room} knows no editor`
    : undefined;
}

function roomOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

function resolveImport(from: string, specifier: string): string {
  return join(dirname(from), specifier).split(sep).join("/");
}

/** The specifiers of static imports, re-exports and dynamic imports, types included. */
export function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const forms = [
    /(?:^|[\s;}])(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']/g,
    /(?:^|[\s;}])import\s*["']([^"']+)["']/g,
    /\b(?:import|require)\s*\(\s*["']([^"']+)["']/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ""));
}

/** Reads `src/` and gives one sentence for each import that breaks a rule. */
export async function checkImports(root: string = projectDirectory): Promise<string[]> {
  const paths = await findFiles(join(root, "src"), ".ts");
  const files = await Promise.all(
    paths.map(async (path) => ({
      path: relative(root, path).split(sep).join("/"),
      text: await readFile(path, "utf8"),
    })),
  );
  return importViolations(files);
}
