import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame, Locator } from "playwright-core";
import { declaredCommands } from "../../scripts/documents/command-manifest.ts";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { codeEnginePackageEntries } from "../../src/programs/sample-tenant/seed/code-engine.ts";
import { people } from "../../src/programs/sample-tenant/seed/organization.ts";
import {
  plainWords,
  pseudoLanguage,
  pseudoLocalized,
  writePseudoLocalizedExtension,
} from "../harness/pseudo-localization.ts";
import { MarkdownPreview } from "../harness/workbench/markdown-preview.ts";
import type { View } from "../harness/workbench/side-bar.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { openedWebviewWith } from "../harness/workbench/webview.ts";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow, type TenantWindow } from "./tenant-window.ts";

/**
 * Words that are the same in all languages, in addition to those of the tenant's data. The made-up language has no time
 * formats, so months, days, and "ago" are English.
 */
const names = "jan feb mar apr may jun jul aug sep oct nov dec ago yesterday python javascript".split(" ");

/** Words of a workflow's definition: its steps, fields, and conditions, and the functions that it calls. */
const definitionWords =
  "over within limit read request service check gateway ask owner end exchange rates amount number comment text the".split(
    " ",
  );

/** Words of the names of code engine packages, and of the workspace's folder. */
const itemWords = "text cleaning exchange rates reports".split(" ");

/** Words of the notebook settings and of the names of data. */
const settingsWords = "everyone notebooks accounts sharing web sessions month".split(" ");

/** The headings of the list of operations are the first parts of their names. */
const families = [...new Set(catalogue.map(({ id }) => id.split(".")[0]))].join("|");

/** Texts that the editor adds to our parts, and names that are shown unchanged: operations, paths, and addresses. */
const notOurs = [
  /^(Cancel|Close|Close Dialog|Collapse All|Error|Info|Mark Done|Progress|Warning)$/,
  / Section$| actions$|: (Not )?[cC]ompleted$|^Actions for |^Views and More|^More Actions\.\.\.|, has actions|^\d+ Results$/,
  / \(Press 'Enter' to confirm or 'Escape' to cancel\)|^Image showing |^Inspect this in the accessible view .*/,
  /^(Control|Ctrl|Shift)\+\S+( (Control|Ctrl)\+\S+| \S)?$/,
  "Copy code block",
  new RegExp(`(^|, )(${families})$`),
  /Sample tenant|Platform Workbench/g,
  /\S+[./]\S+/g,
];

const translated = pseudoLocalized;
const commandTitle = (title: string): string => `${translated("Platform")}: ${translated(title)}`;

/** The texts of a part that a user reads and a screen reader says. */
async function textsOf(part: Locator): Promise<readonly string[]> {
  const texts = await part.evaluateAll((elements) =>
    elements
      .flatMap((root) => [root, ...root.querySelectorAll("*")])
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) && !element.matches("script, style, pre, pre *"),
      )
      .flatMap((element) => [
        ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name)),
        ...[...element.childNodes].map((node) => (node.nodeName === "#text" ? node.textContent : "")),
      ]),
  );
  return texts.map((text) => (text ?? "").trim());
}

/** Commands that reject the tenant of these tests, because it isn't in the settings, or its server has no kernels. */
const withoutQuestion = new Set([
  "Edit Tenant…",
  "Set Front Door Token…",
  "Remove Front Door Token…",
  "Forward Port…",
  "Show Kernels and Memory…",
]);

/** Titles of the commands that the palette shows without an open file, with all views, and that ask for input. */
async function commandsThatAsk(): Promise<readonly string[]> {
  return (await declaredCommands())
    .filter(
      ([, { inPalette, title }]) =>
        (inPalette === true || inPalette === "always" || /\.visible$/.test(String(inPalette))) && title.endsWith("…"),
    )
    .map(([, { title }]) => title)
    .filter((title) => !withoutQuestion.has(title));
}

describe("the extension in another language", () => {
  let window: TenantWindow;
  let directory: string;
  let data: ReadonlySet<string>;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-language-"));
    await writePseudoLocalizedExtension(directory);
    window = await openTenantWindow({
      window: { extensionDevelopmentPath: directory, displayLanguage: pseudoLanguage },
      workspace: { name: "Sales forecasting" },
    });
    const state = await readFile(join(window.tenantDirectory, "state.json"), "utf8");
    // Without the names of members, and without constants, which are translated.
    const values = state.replace(/"\w+":/g, "").replace(/"[A-Z][A-Z_]+"/g, "");
    const packages = codeEnginePackageEntries().map(
      ({ name, description }) => `${String(name)} ${String(description)}`,
    );
    const known = [values, ...packages, ...people.map(({ name, role }) => `${name} ${role}`)];
    data = new Set([
      ...names,
      ...(known
        .join(" ")
        .toLowerCase()
        .match(/[a-z]{3,}/g) ?? []),
    ]);
    await window.workbench.sideBar.open(translated("Platform"));
  });
  reportFailures(() => window.workbench);
  after(async () => {
    await window?.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Texts of a part with English words that no message translated. `also` are further words of the tenant's data. */
  async function english(part: Locator, also: readonly string[] = []): Promise<readonly string[]> {
    const texts = new Set(await textsOf(part));
    assert.ok(
      [...texts].some((text) => text !== ""),
      "the part shows nothing",
    );
    return [...texts].filter((text) => {
      const ours = notOurs.reduce<string>((rest, pattern) => rest.replace(pattern, ""), text);
      return plainWords(ours, (word) => data.has(word) || also.includes(word)).length > 0;
    });
  }

  const view = (title: string): Promise<View> => window.workbench.sideBar.view(translated(title));

  const views = [
    { title: "Workspaces", row: "Sales forecasting" },
    { title: "App Designs", row: "Ticket planner" },
    { title: "Pages", row: "Marketing" },
    { title: "Sandbox", row: "Sales pages" },
    { title: "Workflows", row: "Invoice approval" },
    { title: "Code Engine", row: "Exchange rates" },
    { title: "App Studio", row: "Claims desk" },
  ];
  for (const { title, row: name } of views) {
    it(`shows ${title} with a row, its card, and its menu`, async () => {
      const { page } = window.workbench;
      const shown = await view(title);
      const row = await shown.tree.row(name);
      if ((await row.locator.getAttribute("aria-expanded")) === "false") {
        await row.expand();
        await waitFor(`rows below ${name}`, async () => (await shown.tree.rows()).some(({ level }) => level > 1));
      }
      const found = [...(await english(shown.pane))];
      await row.tooltip(name);
      found.push(...(await english(page.locator(".monaco-hover:not(.hidden):visible"))));
      const menu = await row.openContextMenu();
      found.push(...(await english(page.locator(".monaco-menu"))));
      await menu.dismiss();
      await window.workbench.sideBar.collapse(translated(title));
      assert.deepEqual(found, []);
    });
  }

  it("shows the inputs of commands", async () => {
    const { page, quickInput, dialog, notifications } = window.workbench;
    const widget = page.locator(".quick-input-widget");
    const modal = page.locator(".monaco-dialog-box");
    const isOurs = async (part: Locator): Promise<boolean> =>
      (await part.isVisible()) && (await part.innerText()).includes("\uFF3B");
    const isAsking = async (): Promise<boolean> =>
      `${await quickInput.title()}${await quickInput.placeholder()}`.includes("\uFF3B") &&
      (await widget.locator(".monaco-progress-container.active").count()) === 0;
    const found: (readonly [command: string, text: string])[] = [];
    for (const { title } of views) await view(title);
    for (const title of await commandsThatAsk()) {
      await window.workbench.runCommand(commandTitle(title));
      const shown = await waitFor(
        `what ${title} asks`,
        async () => {
          if ((await quickInput.isOpen()) && (await isAsking())) return widget;
          return (await isOurs(modal)) ? modal : undefined;
        },
        { describe: async () => JSON.stringify([await widget.innerText(), await notifications.texts()]) },
      );
      found.push(...(await english(shown, itemWords)).map((text) => [title, text] as const));
      if (shown === widget) await quickInput.cancel();
      if (shown === modal) await dialog.cancel();
    }
    await window.workbench.sideBar.collapse(...views.map(({ title }) => translated(title)));
    await notifications.dismissAll();
    assert.deepEqual(found, []);
  });

  it("draws the chart and the details of a workflow", async () => {
    const { page } = window.workbench;
    const row = await (await view("Workflows")).tree.row("Invoice approval");
    const whole = (frame: Frame): Locator => frame.locator("body");
    await row.clickInlineAction(translated("Show Workflow Metrics…"));
    const metrics = await openedWebviewWith(page, /Invoice approval/);
    await metrics.locator("tfoot").waitFor();
    assert.deepEqual(await english(whole(metrics)), []);
    await row.chooseFromContextMenu(translated("Show Details"));
    const details = await waitFor("the details", async () => {
      for (const frame of page.frames().filter((one) => one !== metrics)) {
        const heading = frame.locator("h1").filter({ hasText: "Invoice approval" });
        if ((await heading.count().catch(() => 0)) > 0 && (await heading.first().isVisible())) return frame;
      }
      return undefined;
    });
    assert.deepEqual(await english(whole(details)), []);
  });

  it("draws the diagram of a workflow", async () => {
    const { page, quickInput } = window.workbench;
    await window.workbench.runCommand("View: Close All Editors");
    const row = await (await view("Workflows")).tree.row("Invoice approval");
    await row.chooseFromContextMenu(translated("Show Workflow Definition…"));
    await quickInput.choose(/^v\d/);
    const diagram = await openedWebviewWith(page, /Invoice approval/);
    await diagram.locator("svg").first().waitFor();
    assert.deepEqual(await english(diagram.locator("body"), definitionWords), []);
  });

  it("writes its documents", async () => {
    const { page, quickInput } = window.workbench;
    const preview = new MarkdownPreview(page);
    const found: string[] = [];
    const read = async (text: string): Promise<void> => {
      const frame = await preview.frameWith(text);
      found.push(...(await english(frame.locator("body"), settingsWords)));
      await window.workbench.runCommand("View: Close All Editors");
    };
    for (const { title, row: name } of views) {
      if (title === "Workflows") continue;
      const shown = await view(title);
      await (await shown.tree.row(name)).chooseFromContextMenu(translated("Show Details"));
      await read(name);
      await window.workbench.sideBar.collapse(translated(title));
    }
    for (const title of ["Search Commit Requests…", "Search Promotions…"]) {
      await window.workbench.runCommand(commandTitle(title));
      await quickInput.choose(translated("Show Results"));
      await read("Sales pages");
    }
    await window.workbench.runCommand(commandTitle("Show Page Summary…"));
    await quickInput.submit("");
    await read("Marketing");
    await window.workbench.runCommand(commandTitle("Show Notebook Settings"));
    await read("GB");
    assert.deepEqual(found, []);
  });

  it("explains its settings", async () => {
    const { page } = window.workbench;
    await window.workbench.runCommand("Preferences: Open Settings (UI)");
    await page.locator(".settings-editor .suggest-input-container").click();
    await page.keyboard.type("platformWorkbench");
    const descriptions = page.locator(".settings-editor .setting-item-description");
    await waitFor(
      "our settings",
      async () => {
        const texts = await descriptions.allInnerTexts();
        return texts.length > 3 && texts.every((text) => text.includes("\uFF3B"));
      },
      { describe: async () => JSON.stringify(await descriptions.allInnerTexts()) },
    );
    assert.deepEqual(await english(descriptions), []);
  });

  it("shows the walkthrough", async () => {
    const { page, quickInput } = window.workbench;
    await window.workbench.runCommand("Welcome: Open Walkthrough...");
    await quickInput.choose(/^\uFF3BFiirst Steeps/);
    const steps = page.locator(".gettingStartedContainer .gettingStartedDetailsContent:visible");
    await steps.locator(".getting-started-step").first().waitFor();
    assert.deepEqual(await english(steps), []);
  });

  it("asks where to open a workspace, and shows its state and its kernel", async () => {
    const { page, explorer, editors, quickInput } = window.workbench;
    await window.workbench.sideBar.open(translated("Platform"));
    await (await (await view("Workspaces")).tree.row("Sales forecasting")).doubleClick();
    await waitFor("the places", async () =>
      (await quickInput.labels()).some((label) => label.includes("Thiis Wiindoow")),
    );
    assert.deepEqual(await english(quickInput.widget), []);
    await quickInput.cancel();
    await explorer.open();
    await explorer.openFile("forecast.ipynb");
    await editors.notebook("forecast.ipynb");
    const status = page.locator(".part.statusbar .statusbar-item[id^='platform-workbench']:visible");
    await waitFor("our status", async () => (await status.count()) > 0);
    assert.deepEqual(await english(status), []);
    await window.workbench.runCommand(commandTitle("Show Variables"));
    const variables = await window.workbench.panel.view(translated("Variables"));
    await variables.tree.row(translated("No kernel is running. Run a cell to start one."));
    assert.deepEqual(await english(variables.pane), []);
  });
});
