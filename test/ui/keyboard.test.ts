import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repeatUntil, waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { untilFolderIsOpen } from "./tenant-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const name = "forecast.ipynb";

describe("the main job with only the keyboard", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: { [name]: pythonNotebook(["amount = 6"], "Forecast") },
      terminals: true,
      // The text of a terminal that is drawn by the graphics processor can't be read.
      settings: { ...themeSettings, "terminal.integrated.gpuAcceleration": "off" },
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("opens a workspace from its row", async () => {
    const { page, quickInput } = window.workbench;
    // While a window starts, the editor shows a view before its rows can get the focus, as with any extension's view.
    await repeatUntil(
      "the focus in the Workspaces view",
      () => command("Platform: Focus on Workspaces View"),
      async () => /^Workspaces/.test(await focused()),
      { describe: focused },
    );
    await repeatUntil(
      "the row of the workspace",
      () => page.keyboard.press("Home"),
      async () => /^Workspaces Sales forecasting, running,/.test(await focused()),
      { describe: focused },
    );
    await page.keyboard.press("Enter");
    await quickInput.waitForStep("Open Sales forecasting as Folder");
    await waitForFocus(/ Open in This Window$/);
    await page.keyboard.press("Enter");
    await untilFolderIsOpen(window.workbench);
  });

  it("opens, edits, runs, and saves a notebook", async () => {
    const { editors, page, quickInput } = window.workbench;
    await command("Platform: Go to Remote File…");
    await quickInput.waitForStep("Go to Remote File");
    await page.keyboard.type(name);
    await waitForFocus(/ forecast\.ipynb$/);
    await page.keyboard.press("Enter");
    const editor = await editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await waitForFocus(/^Notebook.* markdown cell$/);
    await page.keyboard.press("ArrowDown");
    await waitForFocus(/^Notebook.* code cell$/);
    await page.keyboard.press("Enter");
    await waitForFocus(/^Editor content/);
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("print(amount * 7)");
    await editors.waitUntilDirty(name);
    await page.keyboard.press("Shift+Enter");
    await editor.waitForRendered("42");
    await editors.saveAfterRun(name);
    const saved = await readFile(join(window.root, name), "utf8");
    assert.match(saved, /print\(amount \* 7\)/);
    assert.match(saved, /42\\n/);
  });

  it("finds the kernel's actions by their names, and returns to the notebook from each question", async () => {
    const { dialog, page, quickInput } = window.workbench;
    await command("Platform: Show Kernel Actions…");
    await quickInput.waitForStep("Kernel");
    for (const label of ["Interrupt", "Restart…"]) {
      await waitFor(`only ${label} to be read`, async () => (await focused()).endsWith(` ${label}`), {
        describe: focused,
      });
      assert.doesNotMatch(await focused(), /debug/, "a screen reader would read the icon's name");
      if (label === "Interrupt") await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    await dialog.waitFor(`Restart the kernel of ${name}?`);
    await waitForFocus(/^Restart$/);
    await page.keyboard.press("Escape");
    await waitForFocus(/^(Notebook|Editor content)/);
  });

  it("goes from a first search to its results", async () => {
    const { editors, page, quickInput } = window.workbench;
    await command("Platform: Search in Workspace…");
    await quickInput.waitForStep("Search in Workspace");
    await page.keyboard.type("amount * 7");
    await page.keyboard.press("Enter");
    await waitForFocus(/^Search Results/);
    await window.workbench.panel.view("Search Results").then((view) => view.tree.row(name));
    await page.keyboard.press("ArrowDown");
    await waitForFocus(/^Search Results forecast\.ipynb, 1 result$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await editors.notebook(name);
    await waitForFocus(/^(Notebook|Editor content)/);
  });

  it("runs a command in a terminal of the workspace, and returns to the notebook", async () => {
    const { page } = window.workbench;
    await command("Platform: Open Terminal in Workspace");
    await waitForFocus(/^Terminal /);
    await page.keyboard.type("ls; echo sum $((6 * 7))");
    await page.keyboard.press("Enter");
    const rows = page.locator(".terminal .xterm-rows");
    await waitFor("the output", async () => /forecast\.ipynb[^$]*sum 42/.test(await rows.innerText()), {
      describe: () => rows.innerText(),
    });
    await screenshotInThemes(window, "terminal");
    await page.keyboard.type("exit");
    await page.keyboard.press("Enter");
    await waitFor("the terminal to close", async () => (await rows.count()) === 0);
    await waitForFocus(/^(Notebook|Editor content)/);
  });

  it("signs out", async () => {
    const { page, quickInput, sideBar } = window.workbench;
    await command("Platform: Focus on Workspaces View");
    await waitForFocus(/^Workspaces/);
    await command("Platform: Sign Out…");
    await waitFor("the tenant", async () => (await quickInput.labels()).includes("Sample tenant"));
    await waitForFocus(/ Sample tenant/);
    await page.keyboard.press("Enter");
    const view = await sideBar.view("Workspaces");
    assert.match(await view.welcomeText(), /Sign in/);
  });

  /** Runs a command through the palette. Repeats keys that the window did not receive. */
  async function command(title: string): Promise<void> {
    const { page, quickInput } = window.workbench;
    await repeatUntil(
      "the palette",
      () => page.keyboard.press("F1"),
      async () => (await quickInput.isOpen()) && (await quickInput.value()) === ">",
    );
    await page.keyboard.type(title);
    await waitFor(
      `the command ${title}`,
      async () => (await quickInput.labels())[0] === title && (await focused()).includes(` ${title}`),
      { describe: focused },
    );
    await page.keyboard.press("Enter");
  }

  async function waitForFocus(expected: RegExp): Promise<void> {
    await waitFor(`the focus on ${expected}`, async () => expected.test(await focused()), { describe: focused });
  }

  /** The text that a screen reader reads: the name of the focused element and of its active row. */
  async function focused(): Promise<string> {
    const names = await window.workbench.page.evaluate<readonly string[]>(
      "(() => {" +
        "const element = document.activeElement;" +
        "const active = document.getElementById(element?.getAttribute('aria-activedescendant') ?? '');" +
        "return [element, active].map((one) => one === null || one === document.body ? '' : " +
        "one.getAttribute('aria-label') ?? one.textContent ?? '')" +
        "})()",
    );
    return names
      .filter((one) => one !== "")
      .join(" ")
      .replaceAll(/\s+/g, " ");
  }
});
