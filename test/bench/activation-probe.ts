// A separate Node process: loads the entry with a stand-in for the editor's API and prints the duration as JSON.

// The extension host has loaded this module before it loads an extension.
import "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { performance } from "node:perf_hooks";

const entry = process.argv[2];
if (entry === undefined) throw new Error("name the entry bundle");

/** Returns itself for every property, call, and `new`: the editor's API without an editor. */
function stand(known: Readonly<Record<string, unknown>> = {}): unknown {
  const target = class {};
  const proxy: unknown = new Proxy(target, {
    get(_target, name) {
      if (typeof name === "symbol") return name === Symbol.toPrimitive ? () => "" : Reflect.get(target, name);
      if (name === "then") return undefined;
      if (name === "prototype") return Reflect.get(target, name);
      return name in known ? known[name] : anything();
    },
    // The name of a class can't be changed, so a status bar item gets its own.
    set: () => true,
    apply: () => anything(),
    construct: () => Object(anything()),
  });
  return proxy;
}
let shared: unknown;
function anything(): unknown {
  shared ??= stand();
  return shared;
}

const settings = { get: (_key: string, fallback: unknown) => fallback, has: () => false, inspect: () => undefined };
const memory = { get: (_key: string, fallback: unknown) => fallback, keys: () => [], update: async () => {} };
// A bundle copies the API's own properties, so each exported name of the declarations must be one.
const declarations = readFileSync(new URL("../../node_modules/@types/vscode/index.d.ts", import.meta.url), "utf8");
const names = [
  ...declarations.matchAll(/^(?:\t| {4})export (?:abstract )?(?:class|enum|namespace|const|let|function) (\w+)/gm),
];
const api = {
  ...Object.fromEntries(names.map(([, name = ""]) => [name, anything()])),
  workspace: stand({
    getConfiguration: () => settings,
    workspaceFolders: undefined,
    textDocuments: [],
    isTrusted: true,
  }),
  window: stand({ visibleTextEditors: [], activeTextEditor: undefined }),
  FileSystemError: class extends Error {},
  Disposable: class {
    dispose(): void {}
    static from(): unknown {
      return new api.Disposable();
    }
  },
  TreeItem: class {},
};
const context = stand({
  subscriptions: [],
  globalState: memory,
  workspaceState: memory,
  secrets: { get: async () => undefined, store: async () => {}, delete: async () => {}, onDidChange: () => anything() },
  extensionPath: process.cwd(),
  globalStorageUri: stand({ fsPath: tmpdir() }),
  storageUri: stand({ fsPath: tmpdir() }),
  extension: stand({
    packageJSON: JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")),
  }),
});

Reflect.set(globalThis, "editorApiStandIn", api);
registerHooks({
  resolve: (specifier, details, next) =>
    specifier === "vscode"
      ? { url: "stand-in:vscode", format: "commonjs", shortCircuit: true }
      : next(specifier, details),
  load: (url, details, next) =>
    url === "stand-in:vscode"
      ? { format: "commonjs", source: "module.exports = globalThis.editorApiStandIn;", shortCircuit: true }
      : next(url, details),
});

const require = createRequire(import.meta.url);
const start = performance.now();
const extension: unknown = require(entry);
const loaded = performance.now();
await Reflect.get(Object(extension), "activate")(context);
const active = performance.now();
process.stdout.write(JSON.stringify({ load: loaded - start, activate: active - loaded }));
process.exit(0);
