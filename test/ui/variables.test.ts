import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectedTitles, ownAmong } from "../harness/manifest-menus.ts";
import type { NotebookEditor } from "../harness/workbench/notebook-editor.ts";
import type { View } from "../harness/workbench/side-bar.ts";
import { repeatUntil, waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { assertRowEntries } from "./row-entries.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const name = "prices.ipynb";
const sources = [
  [
    "import pandas as pd",
    "frame = pd.DataFrame({'month': ['2026-01', '2026-02'], 'revenue': [1200.5, 980.0]})",
    "settings = {'region': 'north', 'limits': [1, 2, 3]}",
    "title = 'Prices of the north'",
    "class Broken:\n    def __repr__(self): raise ValueError('no connection')",
    "broken, total = Broken(), 42",
  ],
  [
    "import time",
    "from pathlib import Path",
    "steps = []",
    "while not Path('go').exists():",
    "    steps.append(len(steps))",
    "    time.sleep(0.05)",
  ],
].map((lines) => lines.join("\n"));

describe("the variables of a notebook", () => {
  let window: JupyterWindow;
  let editor: NotebookEditor;
  let view: View;
  const viewContext = { view: "platformWorkbench.variables" };

  before(async () => {
    window = await openJupyterWindow({
      files: { [name]: pythonNotebook(sources) },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
      window: { size: { width: 1280, height: 1100 } },
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  const descriptionOf = async (label: string, description: RegExp): Promise<void> => {
    const row = await view.tree.row(label);
    await waitFor(`${description} beside ${label}`, async () => description.test(await row.description()), {
      describe: () => row.description(),
    });
  };

  it("are shown after a cell, and expand", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile(name);
    editor = await workbench.editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await workbench.runCommand("Platform: Show Variables");
    view = await workbench.panel.view("Variables");
    await view.tree.row("No kernel is running. Run a cell to start one.");
    await screenshotInThemes(window, "variables-no-kernel");
    await editor.runCell(0);
    await editor.waitForSuccess(0);
    await descriptionOf("frame", /^DataFrame \(2, 2\) · month: \w+, revenue: float64$/);
    await descriptionOf("total", /^int · 42$/);
    await descriptionOf("broken", /^Broken · Can't show its value: ValueError: no connection$/);
    assert.deepEqual(await view.tree.labels(), ["broken", "frame", "settings", "title", "total"]);
    await view.tree.reveal("settings", "'limits'", "[1]");
    await view.tree.reveal("frame", "revenue");
    await screenshotInThemes(window, "variables");
    await (await view.tree.row("frame")).tooltip("frame: DataFrame (2, 2)");
    await workbench.screenshot("variables-card");
  });

  it("have exactly our entries in the title and in the menus of their rows", async () => {
    const icons = expectedTitles("view/title", viewContext, (group) => group === "navigation");
    assert.equal(icons.length, 3);
    assert.deepEqual(ownAmong(await view.titleActions()), icons);
    const rowEntries = async (label: string, viewItem: string): Promise<void> =>
      assertRowEntries(await view.tree.row(label), { ...viewContext, viewItem });
    await rowEntries("total", "variable;expression");
    await rowEntries("frame", "variable;frame;expression");
    await rowEntries("'region'", "variableMember;expression");
  });

  it("are shown while a cell runs, with the way to that cell", async () => {
    const { workbench } = window;
    await editor.runCell(1);
    await descriptionOf("steps", /^list \(\d+\) · .*\[0, 1, 2/);
    const row = await view.tree.row("steps");
    // While the cell runs, other rows are drawn again all the time.
    await (await view.tree.row("total")).chooseFromContextMenu("Delete Variable…");
    await workbench.dialog.waitFor("Delete the variable total?");
    await workbench.screenshot("variables-delete");
    await workbench.dialog.click("Delete");
    await workbench.notifications.waitFor(/Can't do that with total while a cell is running/);
    await workbench.notifications.dismissAll();
    await assertRowEntries(row, { ...viewContext, viewItem: "variable;expression;setter" });
    await editor.editCell(0);
    await row.clickInlineAction("Go to the Cell That Set It");
    const focused = workbench.page.locator(".notebookOverlay:visible .monaco-list-row.focused");
    await waitFor("the second cell", async () => (await focused.getAttribute("data-index")) === "1");
    await writeFile(join(window.root, "go"), "");
    await editor.waitForSuccess(1);
  });

  it("are filtered, deleted, and copied", async () => {
    const { workbench } = window;
    await view.clickTitleAction("Filter Variables");
    await workbench.quickInput.waitForStep("Filter Variables");
    await workbench.quickInput.submit("DATAFR");
    await view.waitForMessage('Variables whose name or type contains "DATAFR"');
    await view.tree.waitForNoRow("total");
    assert.equal((await view.tree.labels())[0], "frame");
    await view.clickTitleAction("Clear Variable Filter");
    await (await view.tree.row("total")).chooseFromContextMenu("Delete Variable…");
    await workbench.dialog.waitFor("Delete the variable total?");
    await workbench.dialog.click("Delete");
    await view.tree.waitForNoRow("total");
    await (await view.tree.row("title")).chooseFromContextMenu("Copy Value");
    await waitFor(
      "the value in the clipboard",
      async () => (await workbench.page.evaluate<string>("navigator.clipboard.readText()")) === "'Prices of the north'",
    );
  });

  it("are used with the keyboard alone", async () => {
    const { page } = window.workbench;
    await window.workbench.runCommand("Platform: Show Variables");
    const focused = view.pane.locator(".monaco-list-row.focused");
    const label = async (): Promise<string> =>
      ((await focused.count()) === 1 && (await focused.getAttribute("aria-label"))) || "";
    await repeatUntil(
      "the first row",
      () => page.keyboard.press("Home"),
      async () => (await label()).startsWith("broken, Broken"),
      { describe: label },
    );
    await page.keyboard.press("End");
    await waitFor("the last row", async () => (await label()).startsWith("title, str (19)"), { describe: label });
    const menu = page.locator(".monaco-menu", { hasText: "Copy Value" });
    await repeatUntil(
      "the menu",
      () => page.keyboard.press("Shift+F10"),
      async () => (await menu.count()) > 0,
    );
    await screenshotInThemes(window, "variables-keys-menu");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
    await waitFor("the first row again", async () => (await label()).startsWith("broken, Broken"), { describe: label });
    // Over the columns of the frame.
    for (let row = 0; row < 4; row += 1) await page.keyboard.press("ArrowDown");
    await waitFor("the settings", async () => (await label()).startsWith("settings, dict"), { describe: label });
    await page.keyboard.press("Control+c");
    await waitFor("the value in the clipboard", async () =>
      (await page.evaluate<string>("navigator.clipboard.readText()")).startsWith("{'region': 'north'"),
    );
    await page.keyboard.press("Home");
    await page.keyboard.press("Delete");
    const { dialog } = window.workbench;
    await dialog.waitFor("Delete the variable broken?");
    await screenshotInThemes(window, "variables-keys-delete");
    await page.keyboard.press("Enter");
    await view.tree.waitForNoRow("broken");
  });

  it("are shown again after a reload, and gone after a restart", async () => {
    const { workbench } = window;
    await workbench.reload();
    editor = await workbench.editors.notebook(name);
    view = await workbench.panel.view("Variables");
    await descriptionOf("title", /^str \(19\) · 'Prices of the north'$/);
    await workbench.runCommand("Platform: Restart Kernel…");
    await workbench.dialog.waitFor(/Restart/);
    await workbench.dialog.click(/Restart/);
    await view.tree.row("No variables yet");
  });
});
