import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { npm, npmInstall } from "./run-program.ts";

/** VS Code as a server with its web workbench. */
export interface EditorHost {
  /** VS Code's entry point. Run it with `node`. */
  readonly serverMain: string;
  /** The required Node executable. */
  readonly node: string;
  /** VS Code's version, such as 1.139.1. */
  readonly version: string;
  /** False if Node's module hooks can't be added to it. */
  readonly takesModuleHooks: boolean;
}

interface Release {
  readonly id: string;
  /** The version of code-server, which determines VS Code's version: 4.139.1 is 1.139.1. */
  readonly packageVersion: string;
  /** The Node version that it runs on; ours by default. */
  readonly nodeVersion?: string;
  /** True by default. */
  readonly takesModuleHooks?: boolean;
  readonly duration: string;
  /** Changes the editor's own package.json before its modules are installed. */
  prepare?(editor: string): Promise<void>;
}

const packageName = "code-server";

/** The newest editor, and the oldest supported one: the version in package.json's `engines`. */
export const editorHost = editorRelease({
  id: "editor-host",
  packageVersion: "4.139.1",
  duration: "about 30 s and 600 MB, once",
});
export const oldestEditorHost = editorRelease({
  id: "editor-host-oldest",
  packageVersion: "4.105.1",
  // With Node 24, its extension host hangs in the first import() of an extension.
  nodeVersion: "22.23.3",
  // Its own hooks run in a worker that needs the main thread. With additional hooks, both can deadlock.
  takesModuleHooks: false,
  duration: "about 40 s and 700 MB, once",
  prepare: withWatcherFromRegistry,
});

const hosts: readonly { readonly version: string; readonly host: Part<EditorHost> }[] = [
  { version: "1.139", host: editorHost },
  { version: "1.105", host: oldestEditorHost },
];

/** The versions in which tests can run, newest first. */
export const editorVersions: readonly string[] = hosts.map(({ version }) => version);

/** The environment variable that names one of `editorVersions`; the newest by default. */
export const editorVariable = "PLATFORM_WORKBENCH_EDITOR";

/** The editor of this version. Defaults to the version in the environment variable, or the newest. */
export function editorHostOf(version: string = process.env[editorVariable] ?? ""): Part<EditorHost> {
  if (version === "") return editorHost;
  const found = hosts.find((one) => one.version === version);
  if (found === undefined)
    throw new Error(`Unknown editor version ${version}. Versions: ${editorVersions.join(", ")}.`);
  return found.host;
}

/**
 * A complete VS Code from the npm registry, for machines that can't download the desktop build. package.json does not
 * depend on it because its install script compiles native modules that are not needed here.
 */
function editorRelease({
  id,
  packageVersion,
  nodeVersion,
  takesModuleHooks = true,
  duration,
  prepare,
}: Release): Part<EditorHost> {
  const directory = join(partsDirectory, id);
  const stamp = [packageVersion, nodeVersion].filter((version) => version !== undefined).join(" on Node ");
  const nodeIn = (place: string): string =>
    nodeVersion === undefined
      ? process.execPath
      : join(place, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  return {
    id,
    name: `the editor host (VS Code's server, ${packageName} ${packageVersion})`,
    duration,
    remedy: "Check the connection to the npm registry and try again.",

    async find() {
      const installed = await readFile(join(directory, "installed-version"), "utf8").catch(() => "");
      if (installed.trim() !== stamp) return undefined;
      const editor = join(directory, "node_modules", packageName, "lib", "vscode");
      const serverMain = join(editor, "out", "server-main.js");
      const node = nodeIn(directory);
      try {
        await Promise.all([access(serverMain), access(node)]);
        const product: unknown = JSON.parse(await readFile(join(editor, "package.json"), "utf8"));
        return { serverMain, node, version: versionOf(product), takesModuleHooks };
      } catch {
        return undefined;
      }
    },

    async install(say) {
      const fresh = `${directory}.installing`;
      await rm(fresh, { recursive: true, force: true });
      await mkdir(fresh, { recursive: true });
      await writeFile(join(fresh, "package.json"), JSON.stringify({ private: true }));
      await npmInstall(fresh, ["--ignore-scripts", "--save-exact", `${packageName}@${packageVersion}`]);
      const editor = join(fresh, "node_modules", packageName, "lib", "vscode");
      await prepare?.(editor);
      say("the editor's own modules…");
      await npmInstall(editor, ["--ignore-scripts", "--omit=dev"]);
      await npmInstall(join(editor, "extensions"), ["--ignore-scripts", "--omit=dev"]);
      if (nodeVersion !== undefined) {
        say(`Node ${nodeVersion}…`);
        // The package's install script puts the binary in place.
        await npmInstall(fresh, ["--ignore-scripts", "--save-exact", `node@${nodeVersion}`]);
        await npm(fresh, ["rebuild", "node", "--ignore-scripts=false"]);
      }
      await writeFile(join(fresh, "installed-version"), stamp);
      await rm(directory, { recursive: true, force: true });
      await rename(fresh, directory);
    },
  };
}

/** Release 4.105.1 installs a module from a git server; the registry has the same version. */
async function withWatcherFromRegistry(editor: string): Promise<void> {
  const file = join(editor, "package.json");
  const manifest: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(file, "utf8"),
  );
  const dependencies = { ...manifest.dependencies, "@parcel/watcher": "2.5.1" };
  await writeFile(file, JSON.stringify({ ...manifest, dependencies }, undefined, 2));
  await rm(join(editor, "npm-shrinkwrap.json"), { force: true });
}

function versionOf(product: unknown): string {
  return typeof product === "object" && product !== null && "version" in product ? String(product.version) : "unknown";
}
