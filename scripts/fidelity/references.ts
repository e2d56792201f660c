import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { settingDefinitions } from "../../src/programs/front-door/config/setting-definitions.ts";
import { toolsets } from "../../src/programs/front-door/config/settings.ts";
import { toolsFor } from "../../src/programs/front-door/mcp/all-tools.ts";
import { handlers } from "../../src/programs/sample-tenant/handlers.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { type ReferencePart, referenceParts, type Statement } from "./statement.ts";
import type { Test } from "./tests.ts";

const manifest = z.looseObject({
  activationEvents: z.array(z.string()),
  scripts: z.record(z.string(), z.string()),
  bin: z.record(z.string(), z.string()),
  contributes: z.looseObject({
    commands: z.array(z.looseObject({ command: z.string() })),
    views: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
    configuration: z.union([
      z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
      z.array(z.looseObject({ properties: z.record(z.string(), z.unknown()) })),
    ]),
    languageModelTools: z.array(z.looseObject({ name: z.string() })),
  }),
});

/** The target of a reference: a file of the project with a position, or undefined for targets without a file. */
export type Resolution =
  | { readonly found: true; readonly file: string | undefined; readonly text: string }
  | { readonly found: false; readonly reason: string };

const prefix = "platformWorkbench.";

/** Resolves the references of statements: in the manifest, the catalog, the sample tenant, and the files. */
export class References {
  readonly #names: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #operationFiles: ReadonlyMap<string, string>;
  readonly #caseFiles: ReadonlyMap<string, string>;
  readonly #contents = new Map<string, Promise<string | undefined>>();

  private constructor(
    names: ReadonlyMap<string, ReadonlySet<string>>,
    files: { readonly operations: ReadonlyMap<string, string>; readonly cases: ReadonlyMap<string, string> },
  ) {
    this.#names = names;
    this.#operationFiles = files.operations;
    this.#caseFiles = files.cases;
  }

  /** Reads the current project. */
  static async read(): Promise<References> {
    const text = await readFile(join(projectDirectory, "package.json"), "utf8");
    const { activationEvents, bin, contributes, scripts } = z.parse(manifest, JSON.parse(text));
    const { configuration } = contributes;
    const own = (ids: readonly string[]): ReadonlySet<string> => new Set(ids.map((id) => id.replace(prefix, "")));
    const sections = Array.isArray(configuration) ? configuration : [configuration];
    const names = new Map([
      ["command", own(contributes.commands.map(({ command }) => command))],
      ["view", own(Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id)))],
      ["setting", own(sections.flatMap(({ properties }) => Object.keys(properties)))],
      ["scheme", new Set(activationEvents.map((event) => event.replace("onFileSystem:", "")))],
      ["language-model", new Set(contributes.languageModelTools.map(({ name }) => name))],
      ["tool", new Set(toolsFor({ toolsets, readOnly: false }).map(({ listed }) => listed.name))],
      ["front-door", new Set(settingDefinitions.map(({ name }) => name))],
      ["program", new Set([...Object.keys(scripts), ...(Object.keys(bin).length > 0 ? ["command-line"] : [])])],
    ]);
    const operations = await filesByKey("src/api/catalogue/operations", (id) => `id: "${id}"`);
    const cases = await filesByKey("test/contract/cases", (id) => `"${id}": async`);
    return new References(names, { operations, cases });
  }

  /** Resolves a reference of this part. */
  async resolve(part: ReferencePart, reference: string): Promise<Resolution> {
    switch (part) {
      case "code":
        return this.#code(reference);
      case "reach":
        return this.#reach(reference);
      case "served":
        return this.#served(reference);
    }
  }

  /** The contract case of an operation. */
  caseOf(operation: string): Test | undefined {
    const file = this.#caseFiles.get(operation);
    return file === undefined ? undefined : { file, title: operation };
  }

  /**
   * The problems of a statement with these tests: a part that is missing without a reason, or that refers to something
   * that doesn't exist.
   */
  async problemsOf(statement: Statement, tests: readonly Test[]): Promise<readonly string[]> {
    const { operation, isProvenByCase, open } = statement;
    const hasCase = operation === undefined || this.caseOf(operation) !== undefined;
    const problems = await Promise.all([
      hasCase ? undefined : `no contract case of ${operation}`,
      tests.length === 0 && !isProvenByCase && open?.proof === undefined ? "no proof" : undefined,
      ...referenceParts.flatMap((part) => [
        ...(statement[part].length === 0 && open?.[part] === undefined ? [`no ${part}`] : []),
        ...statement[part].map(async (reference) => {
          const resolution = await this.resolve(part, reference);
          return resolution.found ? undefined : `${part} ${reference}: ${resolution.reason}`;
        }),
      ]),
    ]);
    return problems.filter((problem) => problem !== undefined);
  }

  async #code(reference: string): Promise<Resolution> {
    const id = after("operation:", reference);
    return id === undefined ? this.#symbol(reference) : named(this.#operationFiles.get(id), id, "no such operation");
  }

  async #reach(reference: string): Promise<Resolution> {
    const [kind = "", name = ""] = reference.split(/:(.*)/s);
    if (kind === "operation") {
      return named(this.#operationFiles.get(name), name, "no such operation");
    }
    const isKnown = this.#names.get(kind)?.has(name) === true;
    return isKnown ? { found: true, file: undefined, text: `${kind} ${name}` } : missing(`no such ${kind}`);
  }

  async #served(reference: string): Promise<Resolution> {
    const id = after("operation:", reference);
    if (id === undefined) {
      return this.#symbol(reference);
    }
    return Object.hasOwn(handlers, id)
      ? { found: true, file: undefined, text: id }
      : missing("the sample tenant has no handler of it");
  }

  async #symbol(reference: string): Promise<Resolution> {
    const [file = "", symbol = ""] = reference.split("#");
    const content = await this.#contentOf(file);
    if (content === undefined) {
      return missing("no such file");
    }
    return /^\w+$/.test(symbol) && declarationOf(symbol).test(content)
      ? { found: true, file, text: symbol }
      : missing("no such symbol in it");
  }

  #contentOf(file: string): Promise<string | undefined> {
    const known = this.#contents.get(file);
    const content = known ?? readFile(join(projectDirectory, file), "utf8").catch(() => undefined);
    this.#contents.set(file, content);
    return content;
  }
}

/** A pattern for the declaration of a symbol, or of a member of a class. */
function declarationOf(symbol: string): RegExp {
  const alone = String.raw`\b(?:function\*?|class|const|interface|type)\s+${symbol}\b`;
  const member = String.raw`^ +(?:(?:static|async|get) ){0,3}#?${symbol}(?:<|\()`;
  return new RegExp(`${alone}|${member}`, "m");
}

/** The files of a folder that contain an operation's key, by the operation's id. */
async function filesByKey(folder: string, keyOf: (id: string) => string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(join(projectDirectory, folder));
  const files = await Promise.all(
    names.map(
      async (name) => [`${folder}/${name}`, await readFile(join(projectDirectory, folder, name), "utf8")] as const,
    ),
  );
  return new Map(
    catalogue.flatMap(({ id }) => {
      const file = files.find(([, content]) => content.includes(keyOf(id)))?.[0];
      return file === undefined ? [] : [[id, file] as const];
    }),
  );
}

function after(start: string, reference: string): string | undefined {
  return reference.startsWith(start) ? reference.slice(start.length) : undefined;
}

function named(file: string | undefined, text: string, reason: string): Resolution {
  return file === undefined ? missing(reason) : { found: true, file, text };
}

function missing(reason: string): Resolution {
  return { found: false, reason };
}
