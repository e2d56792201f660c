import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repeatUntil, waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const script = "main.py";
const module = "prices.py";
const notebook = "orders.ipynb";
const scriptText = ["import json", "from prices import price_of", "", 'face = "😀"; total = price_of(2)', ""].join(
  "\n",
);
const moduleText = [
  "def price_of(count: int) -> int:",
  '    """The price of an order."""',
  "    return 10 * count",
  "",
];

describe("Python in a workspace", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: {
        [script]: scriptText,
        [module]: moduleText.join("\n"),
        [notebook]: pythonNotebook(["%matplotlib inline\nfrom prices import price_of", "price_of(1)"]),
      },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("is completed with types and documentation", async () => {
    const { explorer, editors, page } = window.workbench;
    await explorer.openFile(script);
    const text = await editors.text(script);
    await text.append("json.du");
    const items = page.locator(".suggest-widget.visible .monaco-list-row");
    await repeatUntil(
      "the completion",
      () => page.keyboard.press("Control+Space"),
      async () => (await items.filter({ hasText: "dumps" }).count()) > 0,
    );
    const details = page.locator(".suggest-details:visible", { hasText: "Serialize" });
    await repeatUntil(
      "its documentation",
      () => page.keyboard.press("Control+Space"),
      async () => (await details.count()) > 0,
    );
    await screenshotInThemes(window, "language-completion");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  });

  it("leads to the source of a library, which can't be edited", async () => {
    const { editors, page } = window.workbench;
    const text = await editors.text(script);
    await text.focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.press("F12");
    await editors.waitForTab("__init__.py", { active: true });
    const source = await editors.text("__init__.py");
    await source.waitForText("JavaScript Object Notation");
    await source.append("changed");
    assert.equal(await editors.isDirty("__init__.py"), false);
    await editors.close("__init__.py");
  });

  it("is renamed in all files after a preview, also in unsaved text, and the notebook that uses the name is named", async () => {
    const { workbench } = window;
    const { editors, explorer, page, notifications } = workbench;
    await explorer.openFile(module);
    const unsaved = await editors.text(module);
    await unsaved.focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText("# The prices of this year.\n\n");
    await unsaved.append("price_of(3)\n");
    await editors.show(script);
    await (await editors.text(script)).focus();
    // In the call after a character of two UTF-16 units.
    await page.keyboard.press("Control+End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    for (let count = 0; count < 5; count += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("F2");
    const name = page.locator(".rename-box .rename-input, .rename-box input");
    await waitFor("the name", async () => (await name.count()) > 0 && (await name.inputValue()) === "price_of");
    await name.fill("cost_of");
    await page.keyboard.press("Enter");
    await notifications.waitFor(/^Notebooks that use price_of aren't changed: orders\.ipynb/);
    const apply = page.getByRole("button", { name: "Apply", exact: true });
    await waitFor("the preview", async () => (await apply.count()) > 0);
    const files = page.locator(".bulk-edit-panel .monaco-list-row", { hasText: module });
    await waitFor("the other file", async () => (await files.count()) > 0);
    await screenshotInThemes(window, "language-rename");
    await apply.click();
    await (await editors.text(script)).waitForText('face = "😀"; total = cost_of(2)');
    await workbench.runCommand("File: Save All Files");
    await waitFor("the saved module", async () =>
      (await readFile(join(window.root, module), "utf8")).startsWith("# The prices of this year.\n\ndef cost_of("),
    );
    assert.match(await readFile(join(window.root, module), "utf8"), /^cost_of\(3\)$/m);
    assert.match(await readFile(join(window.root, script), "utf8"), /^from prices import cost_of$/m);
  });
});
