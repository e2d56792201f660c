import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const name = "orders.ipynb";
const source = ["import prices", "", "total = 0", "for count in (1, 2):", "    total += prices.of(count)", "total"];
const module = "prices.py";
const moduleSource = ["def of(count):", "    price = 10 * count", "    return price", ""];

describe("debugging a cell of a workspace's notebook", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: { [name]: pythonNotebook([source.join("\n")]), [module]: moduleSource.join("\n") },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
      debugger: true,
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("stops at a breakpoint in the cell, and steps into a module", async () => {
    const { workbench } = window;
    const { page } = workbench;
    await workbench.explorer.openFile(name);
    const editor = await workbench.editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await editor.editCell(0);
    // On the line of the call.
    await page.keyboard.press("Control+Home");
    for (let line = 0; line < 4; line += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F9");
    await waitFor("the breakpoint", async () => (await page.locator(".codicon-debug-breakpoint").count()) > 0);
    await workbench.runCommand("Platform: Debug Cell");
    const stopped = page.locator(".debug-call-stack .monaco-list-row", { hasText: "<module>" });
    await waitFor("the call stack", async () => (await stopped.count()) > 0);
    const variables = page.locator(".debug-variables");
    await variables.locator(".monaco-list-row", { hasText: "Locals" }).locator(".monaco-tl-twistie").click();
    await waitFor("a variable", async () => (await variables.getByText("total", { exact: false }).count()) > 0);
    await screenshotInThemes(window, "debug-cell");
    await workbench.runCommand("Debug: Step Into");
    await workbench.editors.waitForTab(module, { active: true });
    const inModule = page.locator(".debug-call-stack .monaco-list-row", { hasText: "prices.py" });
    await waitFor("the frame in the module", async () => (await inModule.count()) > 0);
    await screenshotInThemes(window, "debug-module");
    await workbench.runCommand("Debug: Stop");
    await waitFor("the end of debugging", async () => (await page.locator(".debug-toolbar:visible").count()) === 0);
  });
});
