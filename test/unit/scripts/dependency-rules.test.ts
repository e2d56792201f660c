import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { cruise } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

/** Text of each file by its path from the root of a small project. */
type Tree = Readonly<Record<string, string>>;

const manifest = { dependencies: { shipped: "1.0.0" }, devDependencies: { "@types/vscode": "1.0.0", tool: "1.0.0" } };

/** A project that has the packages of its manifest, and one that its manifest does not list. */
const packages: Tree = {
  "package.json": JSON.stringify(manifest),
  ...packageFiles("shipped"),
  ...packageFiles("tool"),
  ...packageFiles("unlisted"),
  "node_modules/@types/vscode/package.json": JSON.stringify({ name: "@types/vscode", types: "index.d.ts" }),
  "node_modules/@types/vscode/index.d.ts": 'declare module "vscode" {}\n',
};

function packageFiles(name: string): Tree {
  const folder = `node_modules/${name}`;
  return {
    [`${folder}/package.json`]: JSON.stringify({ name, exports: "./index.js" }),
    [`${folder}/index.js`]: "export const thing = 1;\n",
  };
}

/** The text of a file that imports `thing` from a specifier. */
type Form = (specifier: string) => string;

const forms: Readonly<
  Record<"value" | "type" | "inline type" | "type expression" | "type re-export" | "dynamic", Form>
> = {
  value: (specifier) => `import { thing } from "${specifier}";\nexport const used = thing;\n`,
  type: (specifier) => `import type { thing } from "${specifier}";\nexport type Used = typeof thing;\n`,
  "inline type": (specifier) => `import { type thing } from "${specifier}";\nexport type Used = typeof thing;\n`,
  "type expression": (specifier) => `export type Used = Promise<typeof import("${specifier}")>;\n`,
  "type re-export": (specifier) => `export type { thing } from "${specifier}";\n`,
  dynamic: (specifier) => `export const load = () => import("${specifier}");\n`,
};

/** A tree in which the first file imports the second, a file of the tree or a package. */
function importing(from: string, to: string, form: Form): Tree {
  const isFile = to.includes(".");
  const path = isFile ? posix.relative(posix.dirname(from), to) : to;
  const specifier = isFile && !path.startsWith(".") ? `./${path}` : path;
  return { ...(isFile ? { [to]: "export const thing = 1;\n" } : {}), [from]: form(specifier) };
}

describe("dependency rules", () => {
  const fileSystemOwner = "src/file-system/provider/platform-file-system.ts";
  let root = "";
  let trees = 0;

  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "platform-workbench-rules-")));
  });

  after(() => rm(root, { recursive: true, force: true }));

  /** The names of the rules that a tree breaks. */
  async function brokenRules(tree: Tree): Promise<string[]> {
    trees += 1;
    const baseDir = join(root, String(trees));
    for (const [path, text] of Object.entries({ ...packages, ...tree })) {
      await mkdir(dirname(join(baseDir, path)), { recursive: true });
      await writeFile(join(baseDir, path), text);
    }
    const options = await extractOptions(join(projectDirectory, ".dependency-cruiser.mjs"));
    const { output } = await cruise(["src"], { ...options, baseDir });
    if (typeof output === "string") throw new Error(output);
    return [...new Set(output.summary.violations.map((violation) => violation.rule.name))].sort();
  }

  const refused: readonly (readonly [rule: string, from: string, to: string])[] = [
    ["api-imports-lower-layers", "src/api/client/client.ts", "src/tenants/tenant.ts"],
    ["tenants-imports-lower-layers", "src/tenants/tenant.ts", "src/file-system/read/reading.ts"],
    ["file-system-imports-lower-layers", fileSystemOwner, "src/ui/tree/tree.ts"],
    ["ui-imports-lower-layers", "src/ui/tree/tree.ts", "src/file-system/read/reading.ts"],
    ["ui-imports-lower-layers", "src/ui/tree/tree.ts", "src/features/pages/tree.ts"],
    ["ui-imports-lower-layers", "src/ui/tree/tree.ts", "src/composition/trees.ts"],
    ["features-imports-lower-layers", "src/features/pages/tree.ts", "src/composition/trees.ts"],
    ["features-imports-lower-layers", "src/features/pages/tree.ts", "src/programs/sample-tenant/server.ts"],
    ["programs-imports-lower-layers", "src/programs/front-door/main.ts", "src/tenants/tenant.ts"],
    ["known-layers", "src/surprise/thing.ts", "src/api/client.ts"],
    ["features-stay-apart", "src/features/pages/tree.ts", "src/features/designs/tree.ts"],
    ["programs-stay-apart", "src/programs/front-door/main.ts", "src/programs/sample-tenant/server.ts"],
    ["feature-index-for-composition", "src/features/pages/tree.ts", "src/features/pages/index.ts"],
    ["composition-imports-feature-index", "src/composition/features.ts", "src/features/pages/tree.ts"],
    ["entry-imports-no-leaf", "src/extension.ts", "src/features/pages/tree.ts"],
    ["entry-imports-no-leaf", "src/extension.ts", "src/programs/sample-tenant/server.ts"],
    ["nobody-imports-entry", "src/composition/trees.ts", "src/extension.ts"],
    ["http-below-api-folders", "src/api/http/transport.ts", "src/api/catalogue/operation.ts"],
    ["file-system-parts-without-owner", "src/file-system/read/reading.ts", fileSystemOwner],
    ["no-editor", "src/api/client/client.ts", "vscode"],
    ["no-editor", "src/programs/front-door/main.ts", "vscode"],
    ["source-stays-in-src", "src/features/pages/tree.ts", "test/harness/proxy.ts"],
    ["source-stays-in-src", "src/composition/trees.ts", "scripts/localization.ts"],
    ["shipped-packages", "src/ui/tree/tree.ts", "tool"],
    ["shipped-packages", "src/ui/tree/tree.ts", "unlisted"],
    ["shipped-packages", "src/ui/tree/tree.ts", "missing"],
  ];
  for (const [rule, from, to] of refused) {
    for (const form of ["value", "type"] as const) {
      it(`${rule}: ${from} does not import ${to} (${form})`, async () => {
        assert.deepEqual(await brokenRules(importing(from, to, forms[form])), [rule]);
      });
    }
  }

  for (const [name, form] of Object.entries(forms)) {
    it(`detects an import in the form: ${name}`, async () => {
      const tree = importing("src/features/pages/tree.ts", "src/features/designs/tree.ts", form);
      assert.deepEqual(await brokenRules(tree), ["features-stay-apart"]);
    });

    it(`detects cycles of two and of four files in the form: ${name}`, async () => {
      for (const length of [2, 4]) {
        const paths = Array.from({ length }, (_, index) => `src/api/file-${index}.ts`);
        const files = paths.map((path, index) => [path, form(`./file-${(index + 1) % length}.ts`)]);
        assert.deepEqual(await brokenRules(Object.fromEntries(files)), ["no-cycles"]);
      }
    });
  }

  const allowed: readonly (readonly [from: string, to: string])[] = [
    ["src/extension.ts", "src/composition/registration.ts"],
    ["src/composition/features.ts", "src/features/pages/index.ts"],
    ["src/composition/embedded-sample.ts", "src/programs/sample-tenant/server.ts"],
    ["src/features/pages/index.ts", "src/features/pages/tree.ts"],
    ["src/features/pages/tree.ts", "src/ui/tree/tree.ts"],
    ["src/features/conflicts/handlers.ts", fileSystemOwner],
    ["src/file-system/read/reading.ts", "src/tenants/tenant.ts"],
    [fileSystemOwner, "src/file-system/read/reading.ts"],
    ["src/file-system/read/reading.ts", "vscode"],
    ["src/ui/tree/tree.ts", "src/tenants/tenant.ts"],
    ["src/tenants/tenant.ts", "src/api/client/client.ts"],
    ["src/api/families/pages/pages.ts", "src/api/http/transport.ts"],
    ["src/api/http/transport.ts", "src/api/lazy.ts"],
    ["src/api/http/transport.ts", "shipped"],
    ["src/programs/front-door/http/server.ts", "src/programs/front-door/config/settings.ts"],
    ["src/programs/front-door/main.ts", "src/api/client/client.ts"],
  ];
  for (const [from, to] of allowed) {
    it(`allows ${from} to import ${to}`, async () => {
      assert.deepEqual(await brokenRules(importing(from, to, forms.value)), []);
    });
  }
});
