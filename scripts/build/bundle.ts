import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin, transform } from "esbuild";
import { distributionDirectory, projectDirectory } from "../set-up/paths.ts";
import { bundledFiles, noticesFile, noticesFor } from "./third-party-notices.ts";

const entry = { source: "src/extension.ts", output: "extension.cjs" };

/** A feature's index.ts lists what the feature loads on first use. */
const featureIndex = /^src\/features\/[^/]+\/index\.ts$/;

/**
 * Declarations of features. The bundle contains only the ids of the commands, because everything else is in the
 * manifest.
 */
const featureDeclarations = /[\\/]src[\\/]features[\\/](?:[^\\/]+[\\/])+declarations\.ts$/;

/**
 * Modules that other parts load on first use, each in a separate file. Sources write `await import("./x.ts")`. A
 * dynamic import outside this list and the features' indexes is an error, because it would silently split off a file.
 * Code that several files need goes into shared files, so that a class is the same everywhere.
 */
const lazyModules: ReadonlySet<string> = new Set([
  "src/api/client/exchange-errors.ts",
  "src/api/client/wrong-fields.ts",
  "src/api/families/archive-unpacking.ts",
  "src/api/content-server/write-verification.ts",
  "src/api/families/running-check.ts",
  "src/api/families/schedule.ts",
  "src/api/http/json-layout.ts",
  "src/api/http/undici-dispatcher.ts",
  "src/composition/embedded-sample.ts",
  "src/composition/shared-sign-outs.ts",
  "src/composition/tenant-tabs.ts",
  "src/features/checkpoints/storing.ts",
  "src/features/transfers/folder-archive.ts",
  "src/features/workflows/panels/panels.ts",
  "src/file-system/editor-errors.ts",
  "src/file-system/merge/conflicts.ts",
  "src/file-system/provider/attachment-questions.ts",
  "src/file-system/provider/cross-workspace-copy.ts",
  "src/file-system/provider/failed-operations.ts",
  "src/file-system/provider/operation-errors.ts",
  "src/file-system/provider/undone-deletions.ts",
  "src/file-system/read/big-file-reader.ts",
  "src/file-system/read/notebook-messages.ts",
  "src/file-system/read/tree-reader.ts",
  "src/file-system/transfer/downloading.ts",
  "src/file-system/transfer/notebook-without-outputs.ts",
  "src/file-system/transfer/transfer-progress.ts",
  "src/file-system/transfer/uploading.ts",
  "src/file-system/versions/merge-base-storage.ts",
  "src/file-system/watch/window-watchers.ts",
  "src/file-system/write/big-file-writer.ts",
  "src/file-system/write/file-mover.ts",
  "src/file-system/write/file-writer.ts",
  "src/programs/sample-tenant/local-kernels.ts",
  "src/programs/sample-tenant/platform/design-archive.ts",
  "src/programs/sample-tenant/server.ts",
  "src/features/tenants/sign-in.ts",
  "src/tenants/editor-network.ts",
  "src/tenants/tenant-file.ts",
  "src/tenants/workspace-instances.ts",
  "src/ui/commands/failure.ts",
  "src/ui/details/details-documents.ts",
  "src/ui/tree/platform-tree.ts",
]);

/** Maximum size of the code that loads with the extension, in bytes. */
export const entryLimit = 250_000;

export interface BuildResult {
  /** Bytes of the code that loads on first use, by its name in `dist/`. */
  readonly firstUseBytes: Readonly<Record<string, number>>;
  /** Bytes of the code that loads with the extension: the entry and its static imports. */
  readonly entryBytes: number;
  /** esbuild's report about the code that loads with the extension. */
  readonly entryOutputs: readonly Metafile["outputs"][string][];
  /** The files of packages in the extension, from the repository's root. */
  readonly thirdPartyFiles: readonly string[];
}

function common(production: boolean): BuildOptions {
  return {
    absWorkingDir: projectDirectory,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22",
    external: ["vscode"],
    minify: production,
    sourcemap: production ? false : "inline",
    // The notices of all packages are in a file of their own.
    legalComments: "none",
    logLevel: "warning",
    charset: "utf8",
    // Packages may have both a CommonJS and an ES module, and only the latter can be tree-shaken.
    mainFields: ["module", "main"],
    plugins: [lazyModulePlugin, commandIdsPlugin],
  };
}

const lazyModulePlugin: Plugin = {
  name: "lazy-modules",
  setup(context) {
    context.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir, importer }) => {
      if (kind !== "dynamic-import" || importer.includes(`${sep}node_modules${sep}`)) return undefined;
      const module = sourcePath(join(resolveDir, path));
      if (lazyModules.has(module) || featureIndex.test(sourcePath(importer))) return undefined;
      return {
        errors: [{ text: `${module} is imported dynamically but is not in lazyModules of scripts/build/bundle.ts` }],
      };
    });
  },
};

const commandIdsPlugin: Plugin = {
  name: "command-ids",
  setup(context) {
    context.onLoad({ filter: featureDeclarations }, async ({ path }) => {
      const module: Readonly<Record<string, object>> = await import(pathToFileURL(path).href);
      const contents = Object.entries(module).map(([name, commands]) => {
        // The common prefix of all ids is written once.
        const names = Object.keys(commands).map((id) => id.replace("platformWorkbench.", ""));
        const ids = `${JSON.stringify(names.join(" "))}.split(" ").filter(Boolean)`;
        return `export const ${name} = Object.fromEntries(${ids}.map((name) => ["platformWorkbench." + name, {}]));`;
      });
      return { contents: contents.join("\n"), loader: "js" };
    });
  },
};

/** A path from the repository's root, with slashes. */
function sourcePath(path: string): string {
  return relative(projectDirectory, path).split(sep).join("/");
}

/**
 * Builds the entry and the parts that load on first use. esbuild splits only ES modules, but the extension host loads
 * CommonJS. Therefore, the code is split first, and then each file is converted to CommonJS.
 */
export async function buildExtension(options: {
  readonly production: boolean;
  readonly print: boolean;
}): Promise<BuildResult> {
  if (!existsSync(join(projectDirectory, entry.source))) throw new Error(`${entry.source} doesn't exist`);
  const { plugins = [], ...settings } = common(options.production);
  const { outputFiles, metafile } = await build({
    ...settings,
    plugins: [...plugins, oneSharedFile(await loadedModules())],
    entryPoints: [entry.source],
    outdir: distributionDirectory,
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".cjs" },
    metafile: true,
    write: false,
  });
  await mkdir(distributionDirectory, { recursive: true });
  const bytes: Record<string, number> = {};
  for (const file of outputFiles) {
    const { code } = await transform(file.text, {
      format: "cjs",
      platform: "node",
      target: "node22",
      minify: options.production,
      charset: "utf8",
      sourcemap: options.production ? false : "inline",
      // Remaining runtime imports must become require().
      supported: { "dynamic-import": false },
    });
    await writeFile(file.path, code);
    bytes[basename(file.path)] = Buffer.byteLength(code);
  }
  for (const name of await readdir(distributionDirectory)) {
    if (/\.cjs(?:\.map)?$/.test(name) && bytes[name] === undefined) await rm(join(distributionDirectory, name));
  }
  const loaded = loadedWith(entry.output, metafile);
  const entryBytes = [...loaded.keys()].reduce((sum, name) => sum + (bytes[name] ?? 0), 0);
  if (options.print) {
    for (const [name, size] of Object.entries(bytes)) {
      const note = loaded.has(name) ? "loads with the extension" : "loads on first use";
      console.log(`dist/${name.padEnd(32)} ${(size / 1000).toFixed(1).padStart(8)} KB  ${note}`);
    }
  }
  const pages = await buildPages(options);
  if (options.print) {
    for (const [name, size] of Object.entries(pages.bytes)) {
      console.log(`dist/${name.padEnd(32)} ${(size / 1000).toFixed(1).padStart(8)} KB  in a webview, when it opens`);
    }
  }
  const rendererBuild = await buildRenderers(options);
  if (options.print) {
    for (const [name, size] of Object.entries(rendererBuild.bytes)) {
      console.log(
        `dist/${name.padEnd(32)} ${(size / 1000).toFixed(1).padStart(8)} KB  when a notebook shows such output`,
      );
    }
  }
  const thirdPartyFiles = [...bundledFiles(metafile), ...pages.thirdPartyFiles, ...rendererBuild.thirdPartyFiles];
  await writeNotices("Platform Workbench", thirdPartyFiles, distributionDirectory);
  const programs = {
    [commandLine.output]: await buildCommandLine({ production: options.production }),
    [frontDoor.output]: await buildFrontDoor({ production: options.production }),
  };
  for (const [output, size] of options.print ? Object.entries(programs) : []) {
    console.log(`dist/${output.padEnd(32)} ${(size / 1000).toFixed(1).padStart(8)} KB  a separate program`);
  }
  const firstUseBytes = Object.fromEntries(Object.entries(bytes).filter(([name]) => !loaded.has(name)));
  return { firstUseBytes, entryBytes, entryOutputs: [...loaded.values()], thirdPartyFiles };
}

/**
 * The modules of `src/` that load with the extension, and those that are imported dynamically, by their absolute paths.
 */
async function loadedModules(): Promise<{ readonly loaded: readonly string[]; readonly lazy: ReadonlySet<string> }> {
  const { metafile } = await build({
    ...common(false),
    sourcemap: false,
    entryPoints: [entry.source],
    outdir: distributionDirectory,
    format: "esm",
    splitting: true,
    metafile: true,
    write: false,
  });
  const found = new Set<string>();
  const follow = (path: string): void => {
    if (found.has(path) || !path.startsWith("src/")) return;
    found.add(path);
    for (const { path: next, kind } of metafile.inputs[path]?.imports ?? []) {
      if (kind === "import-statement") follow(next);
    }
  };
  follow(entry.source);
  const lazy = Object.entries(metafile.inputs)
    .filter(([path]) => path.startsWith("src/"))
    .flatMap(([, { imports }]) => imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path));
  const absolute = (path: string): string => join(projectDirectory, path);
  return { loaded: [...found].map(absolute), lazy: new Set(lazy.map(absolute)) };
}

/**
 * Puts the code that loads with the extension into one file next to the entry. esbuild creates a file for each set of
 * parts that share code, and each of these dozen files adds half a kilobyte. Therefore, every part declares that it
 * needs all the code that is loaded anyway.
 */
function oneSharedFile({ loaded, lazy }: Awaited<ReturnType<typeof loadedModules>>): Plugin {
  const shared = "loaded-with-the-extension";
  return {
    name: "one-shared-file",
    setup(context) {
      context.onResolve({ filter: new RegExp(`^${shared}$`) }, ({ path }) => ({ path, namespace: shared }));
      context.onLoad({ filter: /.*/, namespace: shared }, () => ({
        contents: loaded.map((path) => `import ${JSON.stringify(path)};`).join("\n"),
        resolveDir: projectDirectory,
      }));
      context.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!lazy.has(path)) return undefined;
        return { contents: `import "${shared}";\n${await readFile(path, "utf8")}`, loader: "ts" };
      });
    },
  };
}

/** Writes the notices of packages' files, with paths from the project's directory, to a file in this directory. */
async function writeNotices(product: string, thirdPartyFiles: readonly string[], directory: string): Promise<void> {
  await writeFile(join(directory, noticesFile), await noticesFor(product, thirdPartyFiles, projectDirectory));
}

/** Builds the pages of the webviews, each with everything that it needs. They load when their panel opens. */
async function buildPages({ production }: { readonly production: boolean }): Promise<{
  /** By the path in `dist/`. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly thirdPartyFiles: readonly string[];
}> {
  const outdir = join(distributionDirectory, "webviews");
  const { metafile } = await build({
    ...common(production),
    entryPoints: webviewPages.flatMap((page) => [`${page}.ts`, `${page}.css`]),
    entryNames: "[name]",
    outdir,
    format: "iife",
    platform: "browser",
    target: "es2022",
    external: [],
    sourcemap: production ? false : "inline",
    metafile: true,
  });
  const files = await readdir(outdir);
  const bytes = Object.fromEntries(
    await Promise.all(files.map(async (name) => [`webviews/${name}`, (await stat(join(outdir, name))).size] as const)),
  );
  return { bytes, thirdPartyFiles: bundledFiles(metafile) };
}

const widgetsDirectory = join(projectDirectory, "src/features/kernels/widgets/browser");
/** The notebook renderers, by their file names in `dist/renderers/`. */
const renderers = {
  text: join(projectDirectory, "src/features/kernels/output/browser/text-outputs.ts"),
  widgets: join(widgetsDirectory, "widgets.ts"),
};

/** Builds each renderer as one ES module that contains its style sheet, as the editor requires. */
async function buildRenderers({ production }: { readonly production: boolean }): Promise<{
  readonly bytes: Readonly<Record<string, number>>;
  readonly thirdPartyFiles: readonly string[];
}> {
  const outdir = join(distributionDirectory, "renderers");
  const styleFiles: string[] = [];
  const { metafile } = await build({
    ...common(production),
    entryPoints: renderers,
    outdir,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: [],
    sourcemap: production ? false : "inline",
    // The browser sanitizes HTML itself, because the package for it includes an HTML parser and a CSS parser.
    alias: { "sanitize-html": join(widgetsDirectory, "sanitize.ts") },
    plugins: [styleTextPlugin(production, styleFiles)],
    metafile: true,
  });
  const files = Object.keys(renderers).map((name) => `${name}.js`);
  const bytes = Object.fromEntries(
    await Promise.all(files.map(async (name) => [`renderers/${name}`, (await stat(join(outdir, name))).size] as const)),
  );
  return { bytes, thirdPartyFiles: [...bundledFiles(metafile), ...styleFiles] };
}

/**
 * Imports of style sheets return their text, including what they import.
 *
 * @param thirdPartyFiles receives the packages' files in it
 */
function styleTextPlugin(minify: boolean, thirdPartyFiles: string[]): Plugin {
  return {
    name: "style-text",
    setup(context) {
      context.onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const { outputFiles, metafile } = await build({
          absWorkingDir: projectDirectory,
          entryPoints: [path],
          bundle: true,
          minify,
          legalComments: "none",
          metafile: true,
          write: false,
        });
        thirdPartyFiles.push(...bundledFiles(metafile));
        return { contents: outputFiles[0]?.text ?? "", loader: "text" };
      });
    },
  };
}

/** The pages of webviews, each with a script and a style sheet. Their names match `PanelDefinition.page`. */
const webviewPages = [
  "src/features/workflows/panels/browser/definition",
  "src/features/workflows/panels/browser/metrics",
];

/** The output of the program behind `npx platform-workbench`, outside the extension's files. */
const commandLine = { source: "src/programs/command-line/main.ts", output: "command-line/platform-workbench.cjs" };

/** The output of the front door, a server that the extension does not need. */
const frontDoor = { source: "src/programs/front-door/main.ts", output: "front-door/front-door.cjs" };

interface ProgramOptions {
  readonly production: boolean;
  readonly outfile?: string;
}

/**
 * Builds the command line as one file that runs with Node 22 or newer, and the notices of its packages next to it.
 * Returns the program's bytes.
 */
export function buildCommandLine(options: ProgramOptions): Promise<number> {
  return buildProgram(commandLine, "platform-workbench", options);
}

/**
 * Builds the front door as one file that runs with Node 22 or newer and needs no other files, and the notices of its
 * packages next to it. Returns the program's bytes.
 */
export function buildFrontDoor(options: ProgramOptions): Promise<number> {
  return buildProgram(frontDoor, "The front door", options);
}

async function buildProgram(
  program: { readonly source: string; readonly output: string },
  name: string,
  options: ProgramOptions,
): Promise<number> {
  const manifest: { readonly version: string } = JSON.parse(
    await readFile(join(projectDirectory, "package.json"), "utf8"),
  );
  const outfile = options.outfile ?? join(distributionDirectory, program.output);
  const { plugins: _, ...rest } = common(options.production);
  const { metafile } = await build({
    ...rest,
    metafile: true,
    entryPoints: [program.source],
    outfile,
    sourcemap: false,
    // With a single non-ASCII character, V8 stores the whole text with two bytes per character.
    charset: "ascii",
    define: { PLATFORM_WORKBENCH_VERSION: JSON.stringify(manifest.version) },
    banner: {
      js: [
        "#!/usr/bin/env node",
        'if (Number(process.versions.node.split(".")[0]) < 22) {',
        `  console.error("${name} needs Node 22 or newer; this is " + process.versions.node + ".");`,
        "  process.exit(2);",
        "}",
      ].join("\n"),
    },
  });
  await chmod(outfile, 0o755);
  await writeNotices(name, bundledFiles(metafile), dirname(outfile));
  return (await stat(outfile)).size;
}

/** The output with this name and all its static imports, by their names in `dist/`. */
function loadedWith(name: string, metafile: Metafile): Map<string, Metafile["outputs"][string]> {
  const byName = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const loaded = new Map<string, Metafile["outputs"][string]>();
  const follow = (current: string): void => {
    const output = byName.get(current);
    if (output === undefined || loaded.has(current)) return;
    loaded.set(current, output);
    for (const { kind, path, external } of output.imports) {
      if (kind === "import-statement" && external !== true) follow(basename(path));
    }
  };
  follow(name);
  return loaded;
}

/**
 * Bundles the given tests into one file that runs inside the extension host. The name distinguishes concurrent runs.
 * Returns its path.
 */
export async function buildEditorSuite(testFiles: readonly string[], name: string): Promise<string> {
  const outfile = join(distributionDirectory, "test", "editor", `${name}.cjs`);
  const loader = testFiles
    .map((file) => `  if (wanted(${JSON.stringify(file)})) require(${JSON.stringify(join(projectDirectory, file))});`)
    .join("\n");
  const collect: Plugin = {
    name: "editor-tests",
    setup(context) {
      context.onResolve({ filter: /^editor-tests$/ }, ({ path }) => ({ path, namespace: "editor-tests" }));
      context.onLoad({ filter: /.*/, namespace: "editor-tests" }, () => ({
        contents: `exports.loadTests = (wanted) => {\n${loader}\n};`,
        resolveDir: projectDirectory,
      }));
    },
  };
  const { plugins: _, minify: __, ...rest } = common(false);
  await build({
    ...rest,
    entryPoints: ["test/harness/editor-host/suite-index.ts"],
    outfile,
    external: ["vscode", "mocha", "playwright-core"],
    sourcemap: "inline",
    plugins: [collect],
    define: { "import.meta.dirname": JSON.stringify(join(projectDirectory, "dist", "test", "editor")) },
  });
  return outfile;
}

/** The modules in these outputs by size, largest first. */
export function modulesBySize(
  outputs: readonly Metafile["outputs"][string][],
  count: number,
): readonly { name: string; bytes: number }[] {
  const byPackage = new Map<string, number>();
  for (const [path, { bytesInOutput }] of outputs.flatMap((output) => Object.entries(output.inputs))) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? `src/${path.split("/")[1] ?? basename(path)}`;
    byPackage.set(name, (byPackage.get(name) ?? 0) + bytesInOutput);
  }
  return [...byPackage]
    .map(([name, bytes]) => ({ name, bytes }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, count);
}
