import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { commandContributions, commandKey, declaredCommands } from "../../../scripts/documents/command-manifest.ts";
import { findFiles } from "../../../scripts/find-files.ts";
import { editorVersions } from "../../../scripts/set-up/editor-host.ts";
import { dialects } from "../../../src/api/http/dialects.ts";
import { schemaContributions } from "../../../src/features/api-explorer/operation-schemas.ts";
import {
  languageModelContributions,
  toolInputs,
  toolKey,
} from "../../../src/features/language-model/tool-declarations.ts";
import { filterViewValidation } from "../../../src/features/pages/schema-contribution.ts";
import { configurationValidation, dataflowValidation } from "../../../src/features/workspaces/schema-contribution.ts";
import { tenantSetting } from "../../../src/tenants/tenant.ts";
import { viewId, viewNames } from "../../../src/ui/tree/definition.ts";
import { rowKindsOf } from "../../harness/row-kinds.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const properties = z.record(z.string(), z.unknown());
/** Pictures for each kind of theme. */
const themedImage = z.strictObject({ dark: z.string(), light: z.string(), hc: z.string(), hcLight: z.string() });
const walkthroughStep = z.looseObject({
  id: z.string(),
  description: z.string(),
  completionEvents: z.array(z.string()),
  media: z.looseObject({ image: themedImage, altText: z.string() }),
});
const manifestShape = z.looseObject({
  engines: z.looseObject({ vscode: z.string() }),
  activationEvents: z.array(z.string()),
  capabilities: z.looseObject({
    virtualWorkspaces: z.boolean(),
    untrustedWorkspaces: z.looseObject({ supported: z.boolean(), restrictedConfigurations: z.array(z.string()) }),
  }),
  contributes: z.looseObject({
    commands: z.array(z.unknown()),
    jsonValidation: z.array(z.unknown()),
    languageModelTools: z.array(z.looseObject({ name: z.string(), modelDescription: z.string() })),
    mcpServerDefinitionProviders: z.array(z.looseObject({ id: z.string() })),
    menus: z.record(z.string(), z.unknown()),
    submenus: z.array(z.looseObject({ id: z.string() })),
    customEditors: z.array(
      z.looseObject({ viewType: z.string(), selector: z.array(z.looseObject({ filenamePattern: z.string() })) }),
    ),
    viewsWelcome: z.array(z.looseObject({ view: z.string(), when: z.optional(z.string()), contents: z.string() })),
    walkthroughs: z.array(z.looseObject({ id: z.string(), steps: z.array(walkthroughStep) })),
    keybindings: z.array(z.looseObject({ command: z.string() })),
    views: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
    configuration: z.looseObject({
      properties: z.record(z.string(), z.looseObject({ scope: z.optional(z.string()) })),
    }),
  }),
});
const tenantsShape = z.looseObject({ items: z.looseObject({ required: z.array(z.string()), properties }) });

const manifestText = await readFile(join(root, "package.json"), "utf8");
const manifest = z.parse(manifestShape, JSON.parse(manifestText));
const textOf = z.record(z.string(), z.string());
const words = z.parse(textOf, JSON.parse(await readFile(join(root, "package.nls.json"), "utf8")));
const declared = await declaredCommands();
const commands = new Map(declared);

describe("the manifest", () => {
  it("has the declared commands, menus, and keys (else run: node scripts/generate-manifest.ts)", () => {
    const { commands: contributed, menus, submenus, keybindings } = manifest.contributes;
    // As JSON: without undefined members.
    const wanted: unknown = JSON.parse(JSON.stringify(commandContributions(declared).contributes));
    assert.deepEqual({ commands: contributed, menus, submenus, keybindings }, wanted);
  });

  it("has the texts of each command, each once in package.nls.json (else run the same)", () => {
    const { texts } = commandContributions(declared);
    const generated = { ...texts, ...languageModelContributions().texts };
    const ofCommands = Object.entries(words).filter(([key]) => key.startsWith(commandKey) || key.startsWith(toolKey));
    assert.deepEqual(Object.fromEntries(ofCommands), generated);
    const named = new Set([...manifestText.matchAll(/"%([^%"]+)%"/g)].map(([, key = ""]) => key));
    assert.deepEqual([...named].toSorted(), Object.keys(words).toSorted());
  });

  it("has no texts for users outside of package.nls.json", () => {
    // The members of a language-model tool are described for models.
    const forPeople = JSON.stringify(
      { ...manifest, contributes: { ...manifest.contributes, languageModelTools: [] } },
      undefined,
      2,
    );
    const plain = [
      ...forPeople.matchAll(
        /"(?:title|contents|description|markdownDescription|contextualTitle|altText|patternErrorMessage)": "([^%"][^"]*)"/g,
      ),
    ];
    assert.deepEqual(
      plain.map(([line]) => line),
      [],
    );
  });

  it("has welcome content in each view for users without a tenant, signed out, or with an empty list", () => {
    const wanted = viewNames.flatMap((name) =>
      ["noTenant", "signedOut", "empty"].map((state) => `${viewId(name)}: ${viewId(name)}State == ${state}`),
    );
    const inExplorer = "platformWorkbench.signedOut: platformWorkbench.signedOut";
    const runs = "platformWorkbench.runs: virtualWorkspace == platform-contents";
    // Its other states are rows.
    const variables = "platformWorkbench.variables: undefined";
    const there = manifest.contributes.viewsWelcome.map(({ view, when }) => `${view}: ${when}`);
    assert.deepEqual(there.toSorted(), [...wanted, inExplorer, runs, variables].toSorted());
  });

  it("has its own editors only for files of workspaces", () => {
    const patterns = manifest.contributes.customEditors.flatMap(({ selector }) => selector);
    assert.ok(patterns.length > 0);
    for (const { filenamePattern } of patterns) assert.match(filenamePattern, /^platform-contents:\/\*\*\/\*\.\w+$/);
  });

  it("has a walkthrough whose steps have pictures, alternative texts, and completion events", async () => {
    const [firstSteps] = manifest.contributes.walkthroughs;
    assert.ok(firstSteps !== undefined && firstSteps.steps.length === 6);
    for (const { id, media, completionEvents } of firstSteps.steps) {
      for (const path of Object.values(media.image)) {
        const picture = await readFile(join(root, path));
        assert.equal(picture.subarray(8, 12).toString(), "WEBP", path);
        assert.ok(picture.length < 40_000, path);
      }
      assert.ok((words[media.altText.replaceAll("%", "")] ?? "").length > 20, id);
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) {
        const command = /^onCommand:(platformWorkbench\..*)$/.exec(event)?.[1];
        assert.ok(command === undefined || commands.has(command), event);
      }
    }
  });

  it("links only to commands that work while the walkthrough is the active editor", () => {
    const steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    const focusCommands = viewNames.map((name) => `${viewId(name)}.focus`);
    for (const { id, description } of steps) {
      const links = [...(words[description.replaceAll("%", "")] ?? "").matchAll(/\]\(command:([^)]+)\)/g)];
      assert.ok(links.length > 0, id);
      for (const [, command = ""] of links) {
        const { inPalette } = commands.get(command) ?? {};
        const isOfNoEditor = inPalette === "always" || inPalette === true || focusCommands.includes(command);
        assert.ok(isOfNoEditor, `${id}: ${command}`);
      }
    }
  });

  it("has a schema for configurations and for each operation's body (else run: node scripts/generate-manifest.ts)", () => {
    assert.deepEqual(manifest.contributes.jsonValidation, [
      ...schemaContributions(),
      ...[configurationValidation, dataflowValidation, filterViewValidation],
    ]);
  });

  it("has the declared language-model tools (else run: node scripts/generate-manifest.ts)", () => {
    const { languageModelTools } = manifest.contributes;
    assert.deepEqual(languageModelTools, JSON.parse(JSON.stringify(languageModelContributions().tools)));
    assert.deepEqual(
      languageModelTools.map(({ name }) => name),
      Object.keys(toolInputs),
    );
  });

  it("requires the oldest editor in which tests run", () => {
    assert.equal(manifest.engines.vscode, `^${editorVersions.at(-1)}.0`);
  });

  it("activates the extension for folders, documents, and panels that an earlier window left open, and for links", () => {
    assert.deepEqual(manifest.activationEvents, [
      "onFileSystem:platform-contents",
      "onFileSystem:platform-documents",
      "onUri",
      "onWebviewPanel:platformWorkbench.dataExplorer",
      "onWebviewPanel:platformWorkbench.workflowDefinition",
      "onWebviewPanel:platformWorkbench.workflowMetrics",
    ]);
  });

  // The editor never turns off an extension under development, so no test with a window would notice.
  it("stays on in virtual workspaces and in Restricted Mode", () => {
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, true);
  });

  it("restricts the setting with server addresses to user settings", () => {
    const setting = "platformWorkbench.tenants";
    assert.equal(manifest.contributes.configuration.properties[setting]?.scope, "application");
    assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(setting));
  });

  it("describes a tenant's entry like the extension's schema", () => {
    const { items } = z.parse(tenantsShape, manifest.contributes.configuration.properties["platformWorkbench.tenants"]);
    const read = z.toJSONSchema(tenantSetting);
    assert.deepEqual(Object.keys(items.properties).toSorted(), Object.keys(read.properties ?? {}).toSorted());
    assert.deepEqual(items.required.toSorted(), [...(read.required ?? [])].toSorted());
    assert.deepEqual(
      z.parse(z.looseObject({ enum: z.array(z.string()) }), items.properties.dialect).enum,
      Object.keys(dialects),
    );
  });

  it("references only declared commands in welcome content, keys, and rows", async () => {
    const texts = [
      ...Object.values(words),
      ...manifest.contributes.keybindings.map(({ command }) => command),
      ...(await sources()),
    ];
    const named = texts.flatMap((text) => text.match(/platformWorkbench\.[a-z]+[A-Z]\w*/g) ?? []);
    const views = Object.values(manifest.contributes.views).flatMap((all) => all.map(({ id }) => id));
    const contextKeys = new Set([
      "platformWorkbench.cellsByLine",
      "platformWorkbench.changedOnServer",
      "platformWorkbench.forwardsPorts",
      "platformWorkbench.inBrowser",
      "platformWorkbench.itemsReplaced",
      // A setting.
      "platformWorkbench.languageFeatures",
      // A panel that isn't restored.
      "platformWorkbench.notebookPreview",
      "platformWorkbench.showsPackages",
      "platformWorkbench.unresolvedConflicts",
      ...["Known", "Filtered", "All"].map((name) => `platformWorkbench.variables${name}`),
      ...viewNames.flatMap((name) => [`${viewId(name)}Filtered`, `${viewId(name)}State`]),
    ]);
    const panels = manifest.activationEvents.map((event) => event.replace("onWebviewPanel:", ""));
    const screens = manifest.contributes.customEditors.map(({ viewType }) => viewType);
    const submenus = manifest.contributes.submenus.map(({ id }) => id);
    const servers = manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id);
    const others = new Set([...contextKeys, ...views, ...panels, ...screens, ...submenus, ...servers]);
    const unknown = named.filter((id) => !commands.has(id) && !others.has(id));
    assert.deepEqual(unknown, []);
    assert.ok(named.length > 20);
  });
});

describe("commands", () => {
  it("have titles in title case, with the verb first and an ellipsis as one character", () => {
    const small = new Set(["as", "in", "the", "of", "a", "on", "to", "for", "with", "from", "and", "or", "by", "curl"]);
    for (const [id, { title }] of declared) {
      const words = title.replace(/…$/, "").split(" ");
      assert.ok(
        words.every((word, index) => (index > 0 && small.has(word)) || /^[A-Z]/.test(word)),
        `${id}: ${title}`,
      );
      assert.doesNotMatch(title, /\.\.\.|^Platform/, id);
    }
  });

  it("show at most three actions on a row of one kind", () => {
    const inline = declared.flatMap(([, { menus = [] }]) => menus.filter(({ group }) => group.startsWith("inline")));
    const items = declared.flatMap(([, { menus = [] }]) => menus.filter(({ menu }) => menu === "view/item/context"));
    const kinds = rowKindsOf(items);
    const known = ["design", "page", "repository.own", "workflow", "workspace.stopped", "tenant.signedIn", "error"];
    for (const kind of known) assert.ok(kinds.has(kind), kind);
    assert.ok(inline.length > 20, `${inline.length} icons on rows`);
    for (const kind of kinds) {
      const icons = inline.filter(({ when }) => isFor(when, kind));
      assert.ok(icons.length <= 3, `${kind}: ${icons.length} icons`);
    }
  });

  it("are in the context menu of each row that has them as an icon, because the keyboard can't reach icons", () => {
    // It appears twice: for this window, and for a new one.
    const others: Readonly<Record<string, string>> = {
      "platformWorkbench.openWorkspace": "platformWorkbench.openWorkspaceHere",
    };
    const onlyIcons = declared.flatMap(([id, { menus = [] }]) => {
      const [, { menus: inMenu = [] }] = declared.find(([other]) => other === (others[id] ?? id)) ?? [
        id,
        { menus: [] },
      ];
      const plain = inMenu.filter(({ menu, group }) => menu === "view/item/context" && !group.startsWith("inline"));
      return menus
        .filter(({ menu, group }) => menu === "view/item/context" && group.startsWith("inline"))
        .filter(({ when }) => !plain.some((entry) => entry.when === when || isFor(entry.when, kindOf(when))))
        .map(({ when }) => `${id}: ${when}`);
    });
    assert.deepEqual(onlyIcons, []);
  });

  it("are reachable in the palette, in a menu, by a key, or from a row", async () => {
    const fromElsewhere = [
      "platformWorkbench.loadMore",
      "platformWorkbench.clickRow",
      "platformWorkbench.openSearchResult",
      "platformWorkbench.dropPages",
      "platformWorkbench.acceptChange",
      "platformWorkbench.loadMoreVariables",
      "platformWorkbench.startKernelForVariables",
    ];
    const lost = declared.filter(
      ([id, { inPalette, menus, keys }]) =>
        inPalette === false && menus === undefined && keys === undefined && !fromElsewhere.includes(id),
    );
    assert.deepEqual(lost, []);
    const texts = await sources((file) => !file.endsWith("declarations.ts") && !file.endsWith("handlers.ts"));
    for (const id of fromElsewhere) {
      assert.ok(commands.has(id), id);
      const callers = texts.filter((text) => text.includes(`"${id}"`));
      assert.ok(callers.length > 0, `nothing runs ${id}`);
    }
  });
});

/** A row's `contextValue` that matches the condition of one kind of row. */
function kindOf(when: string): string {
  const pattern = /viewItem =~ \/\^(.*?)(?:\\b)?\/$/.exec(when)?.[1] ?? "";
  return pattern.replaceAll("\\.", ".").replace(/\.$/, ".any");
}

function isFor(when: string, kind: string): boolean {
  const pattern = /viewItem =~ \/(.*)\/$/.exec(when)?.[1];
  const exact = /viewItem == (\S+)/.exec(when)?.[1];
  return pattern === undefined ? exact === kind : new RegExp(pattern).test(kind);
}

async function sources(isWanted: (file: string) => boolean = () => true): Promise<readonly string[]> {
  const files = await findFiles(join(root, "src"), ".ts");
  assert.ok(files.length > 300, `only ${files.length} files`);
  return Promise.all(files.filter(isWanted).map((file) => readFile(file, "utf8")));
}
