import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import * as z from "zod/mini";
import { findFiles } from "../../../scripts/find-files.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import { viewId, viewNames } from "../../../src/ui/tree/definition.ts";
import { rowKindsOf } from "../../harness/row-kinds.ts";

const entries = z.array(z.looseObject({ id: z.string() }));
const manifest = z.parse(
  z.looseObject({
    activationEvents: z.array(z.string()),
    contributes: z.looseObject({
      authentication: entries,
      customEditors: z.array(z.looseObject({ viewType: z.string() })),
      mcpServerDefinitionProviders: entries,
      languageModelTools: z.array(z.looseObject({ name: z.string() })),
      menus: z.record(z.string(), z.array(z.looseObject({ when: z.optional(z.string()) }))),
      resourceLabelFormatters: z.array(z.looseObject({ scheme: z.string() })),
      views: z.record(z.string(), entries),
      viewsContainers: z.looseObject({ activitybar: entries, panel: entries }),
    }),
  }),
  JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8")),
);
const { contributes } = manifest;

const files = await findFiles(join(projectDirectory, "src"), ".ts");
const sources = new Map(
  await Promise.all(
    files.map(
      async (file) => [relative(projectDirectory, file).split(sep).join("/"), await readFile(file, "utf8")] as const,
    ),
  ),
);
const constants = new Map(
  [...sources.values()].flatMap((text) =>
    [...text.matchAll(/const (\w+)(?:: string)? = "([^"]+)";/g)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    ),
  ),
);

/** The first arguments of the calls of one of the editor's functions, with constants resolved. */
function registeredWith(name: string): readonly string[] {
  const calls = [...sources.values()].flatMap((text) =>
    [...text.matchAll(new RegExp(`\\.${name}(?:<[^>]*>)?\\(\\s*(?:"([^"]+)"|(\\w+)\\b(?!\\())`, "g"))].map(
      ([, literal, constant = ""]) => literal ?? constants.get(constant) ?? constant,
    ),
  );
  assert.ok(calls.length > 0, `nothing calls ${name}`);
  return calls;
}

/** The values with which the conditions of all menus compare a key. */
function comparedWith(key: string): ReadonlySet<string> {
  const conditions = Object.values(contributes.menus).flatMap((items) => items.map(({ when = "" }) => when));
  const values = conditions.flatMap((when) =>
    [...when.matchAll(new RegExp(`\\b${key} == (\\S+)`, "g"))].map(([, value = ""]) => value),
  );
  assert.ok(values.length > 0, `no condition asks for ${key}`);
  return new Set(values);
}

describe("what the extension registers", () => {
  it("matches the manifest's contributions: views", () => {
    const { activitybar, panel } = contributes.viewsContainers;
    const containers = [...activitybar, ...panel].map(({ id }) => id);
    assert.deepEqual(Object.keys(contributes.views), [...containers, "explorer"]);
    const contributed = Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id));
    // The other trees are created from their definitions, one for each name.
    const search = sources.get("src/features/remote-search/search-results.ts") ?? "";
    assert.match(search, /viewId = "platformWorkbench\.searchResults"/);
    const ports = sources.get("src/features/ports/ports-view.ts") ?? "";
    assert.match(ports, /createTreeView\("platformWorkbench\.ports"/);
    const packages = sources.get("src/features/packages/packages-view.ts") ?? "";
    assert.match(packages, /viewId = "platformWorkbench\.packages"/);
    const signedOut = sources.get("src/features/tenants/signed-out-folders.ts") ?? "";
    assert.match(signedOut, /signedOutView = "platformWorkbench\.signedOut"/);
    const variables = sources.get("src/features/variables/variables-view.ts") ?? "";
    assert.match(variables, /viewId = "platformWorkbench\.variables"/);
    const runs = sources.get("src/features/runs/index.ts") ?? "";
    assert.match(runs, /createTreeView<RunElement>\("platformWorkbench\.runs"/);
    const others = ["packages", "ports", "runs", "searchResults", "signedOut", "variables"].map(
      (name) => `platformWorkbench.${name}`,
    );
    const registered = [...viewNames.map(viewId), ...others];
    assert.deepEqual(contributed.toSorted(), registered.toSorted());
    const ofEditor = ["workbench.view.search"];
    for (const view of comparedWith("view")) assert.ok([...contributed, ...ofEditor].includes(view), view);
  });

  it("matches the manifest's contributions: editors", () => {
    const viewers = sources.get("src/features/viewers/index.ts") ?? "";
    assert.match(viewers, /registerCustomEditorProvider\(\s*"platformWorkbench\.pdf"/);
    const explorer = sources.get("src/features/data-explorer/index.ts") ?? "";
    assert.match(explorer, /\["csv", "parquet"\]|\["parquet", "csv"\]/);
    assert.deepEqual(
      contributes.customEditors.map(({ viewType }) => viewType).toSorted(),
      ["csv", "parquet", "pdf"].map((kind) => `platformWorkbench.${kind}`),
    );
  });

  it("matches the manifest's contributions: accounts, and the MCP server provider", () => {
    const accounts = contributes.authentication.map(({ id }) => id);
    assert.deepEqual(registeredWith("registerAuthenticationProvider"), accounts);
    const providers = contributes.mcpServerDefinitionProviders.map(({ id }) => id);
    assert.deepEqual(registeredWith("registerMcpServerDefinitionProvider"), providers);
  });

  it("matches the conditions of menus: source control and the schemes of documents", () => {
    assert.deepEqual([...comparedWith("scmProvider")], registeredWith("createSourceControl"));
    const schemes = new Set(
      registeredWith("registerFileSystemProvider").map((scheme) => constants.get(scheme) ?? scheme),
    );
    // The editor's scheme of documents that aren't saved yet.
    schemes.add("untitled");
    for (const scheme of comparedWith("resourceScheme")) assert.ok(schemes.has(scheme), scheme);
    for (const { scheme } of contributes.resourceLabelFormatters) assert.ok(schemes.has(scheme), scheme);
  });

  it("has an activation event that restores it: panels", async () => {
    const text = sources.get("src/features/workflows/panels/lazy-panels.ts") ?? "";
    const kinds = [...(/= \[([^\]]+)\]\.map\(\(kind\)/.exec(text)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(
      ([, kind]) => kind,
    );
    const events = manifest.activationEvents.filter((event) => event.startsWith("onWebviewPanel:"));
    assert.ok(kinds.length > 0);
    const explorer = sources.get("src/features/data-explorer/index.ts") ?? "";
    assert.match(explorer, /registerWebviewPanelSerializer\("platformWorkbench\.dataExplorer"/);
    assert.deepEqual(
      events,
      ["dataExplorer", ...kinds].map((kind) => `onWebviewPanel:platformWorkbench.${kind}`),
    );
    const panelFiles = [...sources].filter(([path]) => /\/panels\/[\w-]+\.ts$/.test(path));
    for (const kind of kinds) {
      const others = panelFiles.filter(
        ([path, source]) => !path.endsWith("lazy-panels.ts") && source.includes(`"${kind}"`),
      );
      assert.ok(others.length > 0, `no panel is of the kind ${kind}`);
    }
  });

  it("has the rows in the conditions of menus: workspaces, designs, pages, repositories, and workflows", () => {
    const kinds = rowKindsOf(contributes.menus["view/item/context"] ?? []);
    const heads = new Set([...kinds].map((kind) => kind.split(".")[0] ?? ""));
    for (const head of ["workspace", "design", "page", "repository", "workflow"]) assert.ok(heads.has(head), head);
    const all = [...sources]
      .filter(([path]) => path.startsWith("src/features/") || path.startsWith("src/ui/tree/"))
      .map(([, text]) => text)
      .filter((text) => !text.includes("viewItem"));
    for (const kind of kinds) {
      const [head = "", state] = kind.split(".");
      // A row's type, or the beginning of its context value: `workspace.${state}`.
      const isMade = all.some((text) => new RegExp(`["\`]${head}(?:["\`.])`).test(text));
      assert.ok(isMade, `no row is of the kind ${head}`);
      const isState =
        state === undefined || state === "any" || all.some((text) => new RegExp(`["\`.]${state}["\`]`).test(text));
      assert.ok(isState, `no row is of the kind ${kind}`);
    }
  });
});
