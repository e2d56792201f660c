import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const name = "orders.ipynb";
const source = ["import prices", "", "total = 0", "for count in (1, 2):", "    total += prices.of(count)", "total"];
const module = "prices.py";
const moduleSource = ["def of(count):", "    price = 10 * count", "    return price", ""];
const script = "report.py";
const scriptSource = [
  "import textwrap",
  "import prices",
  "",
  "print('reading the prices')",
  "title = textwrap.dedent('  Orders')",
  "total = sum(prices.of(count) for count in (1, 2))",
  "print(title, total)",
  "",
];

describe("debugging in a workspace", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: {
        [name]: pythonNotebook([source.join("\n")]),
        [module]: moduleSource.join("\n"),
        [script]: scriptSource.join("\n"),
      },
      settings: { ...themeSettings, "platformWorkbench.debug.justMyCode": false },
      workspace: { name: "Sales forecasting" },
      debugger: true,
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  async function waitForFrame(text: string | RegExp): Promise<void> {
    const frames = window.workbench.page.locator(".debug-call-stack .monaco-list-row", { hasText: text });
    await waitFor(`the frame ${text}`, async () => (await frames.count()) > 0);
    await waitForPause();
  }

  /** The editor takes the keys of steps while its toolbar offers them. */
  async function waitForPause(): Promise<void> {
    const step = window.workbench.page.locator(".debug-toolbar .codicon-debug-step-out:not(.disabled)");
    await waitFor("the steps in the toolbar", async () => (await step.count()) > 0);
  }

  /** Waits until the selected line of the active editor is where the code is stopped. */
  async function waitForStop(line: number): Promise<void> {
    const frames = window.workbench.page.locator(".debug-call-stack .monaco-list-row .line-number");
    await waitFor(
      `a stop at line ${line}`,
      async () => new RegExp(`^${line}:`).test((await frames.first().textContent()) ?? ""),
      { describe: async () => (await frames.allTextContents()).join(", ") },
    );
    await waitForPause();
  }

  async function waitForEnd(): Promise<void> {
    const toolbar = window.workbench.page.locator(".debug-toolbar:visible");
    await waitFor("the end of debugging", async () => (await toolbar.count()) === 0);
  }

  async function waitForConsole(text: string): Promise<void> {
    const lines = window.workbench.page.locator(".repl .monaco-list-row");
    await waitFor(`${text} in the Debug Console`, async () =>
      (await lines.allTextContents()).join("\n").includes(text),
    );
  }

  /** Moves the cursor of the focused editor to a line, and sets a breakpoint there. */
  async function breakAt(line: number): Promise<void> {
    const { page } = window.workbench;
    const breakpoints = page.locator(".codicon-debug-breakpoint");
    const before = await breakpoints.count();
    await page.keyboard.press("Control+Home");
    for (let at = 1; at < line; at += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F9");
    await waitFor("the breakpoint", async () => (await breakpoints.count()) > before);
  }

  it("stops at a breakpoint in a cell with the keyboard alone, and steps into a module", async () => {
    const { workbench } = window;
    const { page } = workbench;
    await workbench.explorer.openFile(name);
    const editor = await workbench.editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await editor.editCell(0);
    // The line of the call.
    await breakAt(5);
    await page.keyboard.press("F5");
    await waitForFrame("<module>");
    const variables = page.locator(".debug-variables");
    await variables.locator(".monaco-list-row", { hasText: "Locals" }).locator(".monaco-tl-twistie").click();
    await waitFor("a variable", async () => (await variables.getByText("total", { exact: false }).count()) > 0);
    await screenshotInThemes(window, "debug-cell");
    await page.keyboard.press("F10");
    await waitForStop(4);
    await page.keyboard.press("F5");
    await waitForStop(5);
    await page.keyboard.press("F11");
    await workbench.editors.waitForTab(module, { active: true });
    await waitForFrame("prices.py");
    await screenshotInThemes(window, "debug-module");
    await page.keyboard.press("Shift+F5");
    await waitForEnd();
    await workbench.editors.show(name);
    await editor.waitForSuccess(0);
  });

  it("runs a cell by line", async () => {
    const { workbench } = window;
    const { page } = workbench;
    await workbench.editors.show(name);
    const editor = await workbench.editors.notebook(name);
    await editor.editCell(0);
    await workbench.runCommand("Platform: Run by Line");
    await waitForStop(1);
    await page.keyboard.press("F10");
    await waitForStop(3);
    const next = page.locator('[aria-label^="Run Next Line"]').first();
    await waitFor("the action for the next line", () => next.isVisible());
    await next.click();
    await waitForStop(4);
    await screenshotInThemes(window, "debug-by-line");
    await page.keyboard.press("F5");
    await waitForEnd();
    await editor.waitForSuccess(0);
  });

  it("debugs a Python file with the keyboard alone, and opens the source of a library", async () => {
    const { workbench } = window;
    const { page } = workbench;
    await workbench.explorer.openFile(script);
    await (await workbench.editors.text(script)).focus();
    await breakAt(5);
    await page.keyboard.press("F5");
    await waitForStop(5);
    await waitForConsole("reading the prices");
    await screenshotInThemes(window, "debug-file");
    await page.keyboard.press("F11");
    await workbench.editors.waitForTab("textwrap.py", { active: true });
    await waitForFrame(/dedent.*textwrap\.py/);
    await (await workbench.editors.text("textwrap.py")).waitForText("indent");
    await screenshotInThemes(window, "debug-library");
    await page.keyboard.press("Shift+F11");
    await workbench.editors.waitForTab(script, { active: true });
    await page.keyboard.press("F10");
    await waitForStop(6);
    await page.keyboard.press("F5");
    await waitForConsole("Orders 30");
    await waitForEnd();
  });

  it("offers to debug a Python file above it and in the Explorer", async () => {
    const { workbench } = window;
    await workbench.editors.show(script);
    await workbench.editors.clickTitleAction("Debug Python File in Workspace");
    await waitForStop(5);
    await workbench.runCommand("Debug: Stop");
    await waitForEnd();
    const row = await workbench.explorer.reveal(script);
    await row.chooseFromContextMenu("Debug Python File in Workspace");
    await waitForStop(5);
    await workbench.runCommand("Debug: Continue");
    await waitForEnd();
  });
});
