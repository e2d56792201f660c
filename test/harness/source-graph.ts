import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { findFiles } from "../../scripts/find-files.ts";
import { projectDirectory } from "../../scripts/set-up/paths.ts";

/** A top-level declaration of a file: `src/api/families/designs.ts#designVersions`. */
export type Declaration = `${string}#${string}`;

interface Module {
  /** Source text of each top-level declaration by name. The key of the text before the first one is `""`. */
  readonly declared: ReadonlyMap<string, string>;
  /** The origin of each imported name. */
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

/** The declarations and references of every file in `src/`, from its text. Sufficient to follow dependencies. */
export async function readSourceGraph(): Promise<SourceGraph> {
  const modules = new Map<string, Module>();
  for (const file of await findFiles(join(projectDirectory, "src"), ".ts")) {
    const path = relative(projectDirectory, file).split(sep).join("/");
    modules.set(path, moduleOf(path, await readFile(file, "utf8")));
  }
  return new SourceGraph(modules);
}

export class SourceGraph {
  readonly #modules: ReadonlyMap<string, Module>;
  /** The dependencies of each declaration, cached. */
  readonly #known = new Map<Declaration, readonly Declaration[]>();

  constructor(modules: ReadonlyMap<string, Module>) {
    this.#modules = modules;
  }

  /**
   * Every declaration that a file's declarations need, directly or indirectly. `stopAt` are files and folders (ending
   * in a slash) that are not followed.
   */
  reachedFrom(path: string, stopAt: readonly string[]): ReadonlySet<Declaration> {
    const reached = new Set<Declaration>();
    const waiting = this.#all(path);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [file = "", name = ""] = next.split("#");
      if (reached.has(next) || stopAt.some((stop) => file === stop || (stop.endsWith("/") && file.startsWith(stop))))
        continue;
      reached.add(next);
      const needed = this.#known.get(next) ?? this.#needs(file, name);
      this.#known.set(next, needed);
      waiting.push(...needed);
    }
    return reached;
  }

  #all(path: string): Declaration[] {
    return [...(this.#modules.get(path)?.declared.keys() ?? [])].map((name): Declaration => `${path}#${name}`);
  }

  #needs(path: string, name: string): Declaration[] {
    const module = this.#modules.get(path);
    const text = module?.declared.get(name) ?? "";
    const needed: Declaration[] = [`${path}#`];
    for (const [, word = "", member] of text.matchAll(/([A-Za-z_$][\w$]*)(?:\.(\w+))?/g)) {
      const from = module?.imported.get(word);
      if (from?.name === "*") needed.push(`${from.path}#${member ?? ""}`);
      else if (from !== undefined) needed.push(`${from.path}#${from.name}`);
      else if (module?.declared.has(word) === true) needed.push(`${path}#${word}`);
    }
    for (const [, specifier = ""] of text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g)) {
      needed.push(...this.#all(resolved(path, specifier)));
    }
    return needed;
  }
}

function moduleOf(path: string, source: string): Module {
  const imported = new Map<string, { readonly path: string; readonly name: string }>();
  const withoutImports = source.replace(
    /^(?:import|export)\s+([^;"]*?)\s*from\s+"(\.[^"]+)";$/gm,
    (_, names: string, specifier: string) => {
      const from = resolved(path, specifier);
      const whole = /\*\s+as\s+(\w+)/.exec(names)?.[1];
      if (whole !== undefined) imported.set(whole, { path: from, name: "*" });
      for (const one of (/\{([\s\S]*)\}/.exec(names)?.[1] ?? "").split(",")) {
        const [name = "", local = name] = one
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+/);
        if (name !== "") imported.set(local, { path: from, name });
      }
      return "";
    },
  );
  const starts = [
    ...withoutImports.matchAll(
      /^(?:export )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) ([\w$]+)/gm,
    ),
  ];
  const declared = new Map([["", withoutImports.slice(0, starts[0]?.index)]]);
  for (const [index, { index: start, 1: name = "" }] of starts.entries()) {
    const text = withoutImports.slice(start, starts[index + 1]?.index);
    // The signatures of an overload share a name.
    declared.set(name, `${declared.get(name) ?? ""}${text}`);
  }
  return { declared, imported };
}

function resolved(path: string, specifier: string): string {
  return join(dirname(path), specifier).split(sep).join("/");
}
