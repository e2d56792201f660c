// Which file may import which, checked by dependency-cruiser. Type imports count like any other import.
//
// To see type imports, dependency-cruiser needs the JavaScript API of TypeScript, which TypeScript 7 does not have.
// package.json therefore installs TypeScript 6 under the name `typescript`, for this tool and the check of regular
// expressions, and TypeScript 7 as `@typescript/native`, the one whose `tsc` checks the types. Without TypeScript 6 this
// tool finds no module at all.

/** Each layer of `src/`, with the layers below it that it may import. */
const layers = {
  api: [],
  tenants: ["api"],
  "file-system": ["tenants", "api"],
  ui: ["tenants", "api"],
  features: ["ui", "file-system", "tenants", "api"],
  programs: ["api"],
  composition: ["features", "ui", "file-system", "tenants", "api", "programs"],
};

const fileSystemOwner = "^src/file-system/provider/platform-file-system\\.ts$";
const widgetRenderer = "^src/features/kernels/widgets/browser/";
const editor = "^vscode$|node_modules/@types/vscode/";

function rule(name, comment, from, to) {
  return { name, comment, severity: "error", from, to };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(layers).map(([layer, below]) =>
      rule(
        `${layer}-imports-lower-layers`,
        `src/${layer} imports only ${["itself", ...below.map((other) => `src/${other}`)].join(", ")}, and packages.`,
        { path: `^src/${layer}/` },
        { path: "^src/[^/]+/", pathNot: `^src/(?:${[layer, ...below].join("|")})/` },
      ),
    ),
    rule(
      "known-layers",
      "Every folder of src is one of the layers above.",
      { path: "^src/[^/]+/", pathNot: `^src/(?:${Object.keys(layers).join("|")})/` },
      {},
    ),
    rule(
      "features-stay-apart",
      "A feature never imports another feature.",
      { path: "^src/features/([^/]+)/" },
      { path: "^src/features/", pathNot: "^src/features/$1/" },
    ),
    rule(
      "programs-stay-apart",
      "A program never imports another program.",
      { path: "^src/programs/([^/]+)/" },
      { path: "^src/programs/", pathNot: "^src/programs/$1/" },
    ),
    rule(
      "feature-index-for-composition",
      "Only src/composition imports the index.ts of a feature, not even the feature itself.",
      { path: "^src/", pathNot: "^src/composition/" },
      { path: "^src/features/[^/]+/index\\.ts$" },
    ),
    rule(
      "composition-imports-feature-index",
      "src/composition imports nothing of a feature but its index.ts.",
      { path: "^src/composition/" },
      { path: "^src/features/", pathNot: "^src/features/[^/]+/index\\.ts$" },
    ),
    rule(
      "entry-imports-no-leaf",
      "Only src/composition loads features and programs. The entry, src/extension.ts, asks it for them.",
      { path: "^src/[^/]+$" },
      { path: "^src/(?:features|programs)/" },
    ),
    rule("nobody-imports-entry", "No file imports src/extension.ts.", {}, { path: "^src/extension\\.ts$" }),
    rule(
      "http-below-api-folders",
      "src/api/http imports no other folder of src/api. It may import files that are directly in src/api.",
      { path: "^src/api/http/" },
      { path: "^src/api/[^/]+/", pathNot: "^src/api/http/" },
    ),
    rule(
      "kernels-beside-api-folders",
      "src/api/kernels imports src/api/http, src/api/client, the catalogue, and content paths, not the families.",
      { path: "^src/api/kernels/" },
      { path: "^src/api/[^/]+/", pathNot: "^src/api/(?:kernels|http|client|catalogue|content-server)/" },
    ),
    rule(
      "kernel-protocol-without-input-and-output",
      "src/api/kernels/protocol decides, and its driver acts: no network, clock, or module of Node.",
      { path: "^src/api/kernels/protocol/" },
      { path: "^src/api/(?:http/|client/|clock\\.ts|kernels/driver/)|^(?:node:)?[a-z_]+(?:/promises)?$" },
    ),
    rule(
      "terminals-beside-api-folders",
      "src/api/terminals imports src/api/http, src/api/client, and the catalogue, and no other folder imports it.",
      { path: "^src/api/terminals/" },
      { path: "^src/api/[^/]+/", pathNot: "^src/api/(?:terminals|http|client|catalogue)/" },
    ),
    rule(
      "terminal-protocol-without-input-and-output",
      "src/api/terminals/terminal-protocol.ts decides, and its connection acts: no network, clock, or module of Node.",
      { path: "^src/api/terminals/(?:terminal-protocol|terminal-interface|output-|retained-output)" },
      { path: "^src/api/(?:http/|client/|clock\\.ts|terminals/terminal-connection)|^(?:node:)?[a-z_]+(?:/promises)?$" },
    ),
    rule(
      "kernels-for-features",
      "No other folder of src/api but companion and runs imports src/api/kernels: they load on first use.",
      { path: "^src/api/", pathNot: "^src/api/(?:kernels|companion|debugging|runs)/" },
      { path: "^src/api/kernels/" },
    ),
    rule(
      "companion-beside-api-folders",
      "src/api/companion imports src/api/kernels, src/api/client, src/api/resources, and the catalogue.",
      { path: "^src/api/companion/" },
      { path: "^src/api/[^/]+/", pathNot: "^src/api/(?:companion|kernels|resources|http|client|catalogue)/" },
    ),
    rule(
      "companion-for-features",
      "No other folder of src/api but runs, whose program is beside the companion's, imports src/api/companion.",
      { path: "^src/api/", pathNot: "^src/api/(?:companion|runs)/" },
      { path: "^src/api/companion/" },
    ),
    rule(
      "file-system-parts-without-owner",
      "No part of the file system imports the provider that owns it.",
      { path: "^src/file-system/", pathNot: fileSystemOwner },
      { path: fileSystemOwner },
    ),
    rule(
      "no-editor",
      "src/api and the programs run without the editor: they never import vscode.",
      { path: "^src/(?:api|programs)/" },
      { path: editor },
    ),
    rule(
      "source-stays-in-src",
      "The shipped source imports no file outside of src.",
      { path: "^src/" },
      { dependencyTypes: ["local"], pathNot: "^src/" },
    ),
    rule(
      "shipped-packages",
      "The shipped source imports only vscode and packages that package.json lists in its dependencies.",
      { path: "^src/", pathNot: widgetRenderer },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"], pathNot: editor },
    ),
    rule(
      "packages-of-renderer",
      "The renderer of widgets holds all that it needs in one file: its packages are among the devDependencies.",
      { path: widgetRenderer },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"], pathNot: "\\.css$" },
    ),
    rule("no-cycles", "No import cycle of any length.", {}, { circular: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
    parser: "tsc",
    tsPreCompilationDeps: true,
  },
};
