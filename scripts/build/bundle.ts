import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin, transform } from "esbuild";
import { distributionDirectory, projectDirectory } from "../set-up/paths.ts";
import { withoutComments } from "./python-source.ts";
import { bundledFiles, noticesFile, noticesFor } from "./third-party-notices.ts";

const entry = { source: "src/extension.ts", output: "extension.cjs" };

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

/**
 * Leaves out the experimental HTTP parser of undici, as undici does in the build for Node. Only an environment variable
 * or an option turns it on, and it is 150 KB of WebAssembly, in two variants.
 */
const definitions = { esbuildDetection: "1" };

/**
 * Includes the parts of undici that send requests. Its index also has fetch, WebSockets, caches, and mocks, and makes
 * its own agent the one that Node's `fetch` uses, for everything that runs in the same process. Names that aren't listed
 * here fail the build.
 */
const undiciPartsPlugin: Plugin = {
  name: "undici-parts",
  setup(context) {
    const parts = {
      Agent: "dispatcher/agent",
      DecoratorHandler: "handler/decorator-handler",
      Pool: "dispatcher/pool",
      ProxyAgent: "dispatcher/proxy-agent",
    };
    const lines = [
      'import Dispatcher from "undici/lib/dispatcher/dispatcher.js";',
      'import methods from "undici/lib/api/index.js";',
      "Object.assign(Dispatcher.prototype, methods);",
      ...Object.entries(parts).map(([name, path]) => `export { default as ${name} } from "undici/lib/${path}.js";`),
    ];
    context.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: "undici-parts" }));
    context.onLoad({ filter: /.*/, namespace: "undici-parts" }, () => ({
      contents: lines.join("\n"),
      resolveDir: projectDirectory,
    }));
  },
};

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
    define: definitions,
  };
}

/**
 * Gives each module that a source imports dynamically a file of its own, which loads on first use. The file imports the
 * entry, too. All code that loads with the extension is therefore shared by the same files, and esbuild puts it into one
 * file. Otherwise, it would be in 65, which take 17 ms longer to load.
 */
const firstUsePlugin: Plugin = {
  name: "first-use",
  setup(context) {
    context.onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), namespace: "first-use" } : undefined,
    );
    context.onLoad({ filter: /.*/, namespace: "first-use" }, ({ path }) => ({
      contents: `import "./${entry.source}";\nexport * from ${JSON.stringify(path)};`,
      resolveDir: projectDirectory,
    }));
  },
};

/**
 * Reduces the declarations of commands to their ids, without the prefix that all of them have. The manifest has
 * everything else, and the extension itself needs nothing else at run time.
 */
const commandIdsPlugin: Plugin = {
  name: "command-ids",
  setup(context) {
    const prefix = "platformWorkbench.";
    context.onResolve({ filter: /^command-ids$/ }, ({ path }) => ({ path, namespace: "command-ids" }));
    context.onLoad({ filter: /.*/, namespace: "command-ids" }, () => ({
      contents: `export const idsOf = (names) =>
        Object.fromEntries(names.split(" ").map((name) => [${JSON.stringify(prefix)} + name, 0]));`,
    }));
    context.onLoad({ filter: /[\\/]declarations\.ts$/ }, async ({ path }) => {
      const declared: Readonly<Record<string, object>> = await import(pathToFileURL(path).href);
      const lines = Object.entries(declared).map(([name, commands]) => {
        const ids = Object.keys(commands);
        if (!ids.every((id) => id.startsWith(prefix)))
          throw new Error(`A command of ${path} doesn't begin with ${prefix}`);
        const names = ids.map((id) => id.slice(prefix.length)).join(" ");
        return `export const ${name} = ${names === "" ? "{}" : `idsOf(${JSON.stringify(names)})`};`;
      });
      return { contents: `import { idsOf } from "command-ids";\n${lines.join("\n")}`, loader: "js" };
    });
  },
};

/** Puts the sources of the companion's program, which it runs in a kernel, into the bundle as text. */
const companionSourcesPlugin: Plugin = {
  name: "companion-sources",
  setup(context) {
    context.onLoad({ filter: /[\\/]program-sources\.ts$/ }, async ({ path }) => {
      const { programSources }: { readonly programSources: Readonly<Record<string, string>> } = await import(
        pathToFileURL(path).href
      );
      const sources = Object.entries(programSources).map(([name, source]) => [name, withoutComments(source)]);
      const value = JSON.stringify(Object.fromEntries(sources));
      return { contents: `export const programSources = ${value};`, loader: "js" };
    });
  },
};

/**
 * Imports of the editor's API. Converted by esbuild, each of these 40 would copy all names of the API, which takes 4 ms in
 * total.
 */
const editorImport = /\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*"vscode"/g;

/**
 * Builds the entry and the parts that load on first use. esbuild splits only ES modules, but the extension host loads
 * CommonJS. Therefore, the code is split first, and then each file is converted to CommonJS.
 */
export async function buildExtension(options: {
  readonly production: boolean;
  readonly print: boolean;
}): Promise<BuildResult> {
  if (!existsSync(join(projectDirectory, entry.source))) throw new Error(`${entry.source} doesn't exist`);
  const { outputFiles, metafile } = await build({
    ...common(options.production),
    plugins: [undiciPartsPlugin, firstUsePlugin, commandIdsPlugin, companionSourcesPlugin],
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
    const { code } = await transform(file.text.replace(editorImport, 'const $1 = require("vscode")'), {
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
  const pages = await buildPages(options);
  const rendererBuild = await buildRenderers(options);
  const thirdPartyFiles = [...bundledFiles(metafile), ...pages.thirdPartyFiles, ...rendererBuild.thirdPartyFiles];
  await writeNotices("Platform Workbench", thirdPartyFiles, distributionDirectory);
  const programs = {
    [commandLine.output]: await buildCommandLine({ production: options.production }),
    [frontDoor.output]: await buildFrontDoor({ production: options.production }),
  };
  if (options.print) {
    printSizes(bytes, (name) => (loaded.has(name) ? "loads with the extension" : "loads on first use"));
    printSizes(pages.bytes, () => "in a webview, when it opens");
    printSizes(rendererBuild.bytes, () => "when a notebook shows such output");
    printSizes(programs, () => "a separate program");
  }
  const firstUseBytes = Object.fromEntries(Object.entries(bytes).filter(([name]) => !loaded.has(name)));
  return { firstUseBytes, entryBytes, entryOutputs: [...loaded.values()], thirdPartyFiles };
}

function printSizes(bytes: Readonly<Record<string, number>>, noteOf: (name: string) => string): void {
  for (const [name, size] of Object.entries(bytes)) {
    console.log(`dist/${name.padEnd(32)} ${(size / 1000).toFixed(1).padStart(8)} KB  ${noteOf(name)}`);
  }
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
    entryPoints: webviewFiles,
    entryNames: "[name]",
    outdir,
    format: "iife",
    platform: "browser",
    target: "es2022",
    external: [],
    sourcemap: production ? false : "inline",
    metafile: true,
  });
  const from = join(projectDirectory, "node_modules/pdfjs-dist/wasm");
  await Promise.all(decoders.map((name) => copyFile(join(from, name), join(outdir, name))));
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

const viewersPages = "src/features/viewers/browser";

/** The scripts and style sheets of the webviews' pages. Their names match `WebviewPage.page`. */
const webviewFiles = [
  ...["definition", "metrics"].flatMap((page) => scriptAndStyle(`src/features/workflows/panels/browser/${page}`)),
  ...scriptAndStyle(`${viewersPages}/pdf`),
  `${viewersPages}/pdf-worker.ts`,
  ...scriptAndStyle("src/features/data-explorer/browser/data-explorer"),
];

function scriptAndStyle(page: string): readonly string[] {
  return [`${page}.ts`, `${page}.css`];
}

/** The decoders of images in PDF files that browsers can't show, with their licenses. pdf.js loads them by name. */
const decoders = [
  "openjpeg.wasm",
  "jbig2.wasm",
  ...["OPENJPEG", "PDFJS_OPENJPEG", "JBIG2", "PDFJS_JBIG2"].map((name) => `LICENSE_${name}`),
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
  const { metafile } = await build({
    ...common(options.production),
    metafile: true,
    entryPoints: [program.source],
    outfile,
    sourcemap: false,
    // With a single non-ASCII character, V8 stores the whole text with two bytes per character.
    charset: "ascii",
    plugins: [undiciPartsPlugin],
    define: { ...definitions, PLATFORM_WORKBENCH_VERSION: JSON.stringify(manifest.version) },
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
  await build({
    ...common(false),
    entryPoints: ["test/harness/editor-host/suite-index.ts"],
    outfile,
    external: ["vscode", "mocha", "playwright-core"],
    sourcemap: "inline",
    plugins: [collect],
    define: { ...definitions, "import.meta.dirname": JSON.stringify(join(projectDirectory, "dist", "test", "editor")) },
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
