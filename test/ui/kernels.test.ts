import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { runProgram } from "../../scripts/set-up/run-program.ts";
import { salesFiles } from "../../src/programs/sample-tenant/seed/sales-files.ts";
import type { NotebookEditor } from "../harness/workbench/notebook-editor.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { widgetViolations } from "./accessibility.ts";
import { waitForBackup, waitForNoBackup } from "./backups.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { ShownWidgets, widgetsCell } from "./shown-widgets.ts";
import { inThemes, screenshotInThemes, themeSettings } from "./themes.ts";

const name = "forecast.ipynb";
const sources = [
  ["import pandas as pd", "", 'sales = pd.read_csv("data/sales.csv", parse_dates=["month"])', "sales.tail(3)"],
  [
    'monthly = sales.groupby("month")["revenue"].sum()',
    'monthly.to_csv("monthly.csv")',
    'ax = monthly.plot(figsize=(7, 2.2), color="#3478be", title="Revenue")',
  ],
  [
    "import time",
    "from pathlib import Path",
    "",
    'for part in ["north", "south", "west"]:',
    '    while not Path(f"data/{part}.csv").exists():',
    "        time.sleep(0.05)",
    '    print(f"{part} is forecast", flush=True)',
    '    Path(f"data/{part}.done").touch()',
  ],
].map((lines) => lines.join("\n"));

const failing = "errors.ipynb";
const failingSources = ["factor = 0\ndef share(part): return part / factor", "share(1)"];

const inBackground = "background.ipynb";
const backgroundSource = [
  "import time",
  "from pathlib import Path",
  'while not Path("go").exists(): time.sleep(0.05)',
  "1 / 0",
].join("\n");

const script = "steps.py";
const scriptSource = [
  "from pathlib import Path",
  "# %% First",
  'first = Path("first.done")',
  "first.touch()",
  "print(first.absolute().parent.name)",
  "# %% Second",
  'first.with_name("second.done").touch()',
].join("\n");

const withEscapes = "escapes.ipynb";
const [link, linkEnd] = ["\u001b]8;;https://example.com/doc\u001b\\", "\u001b]8;;\u001b\\"];
const printed = `before ${link}a link${linkEnd} after \u001b]0;title\u0007\u001b[?25lhidden\u001b[?25h cursor\n`;
const shown = "before a link after hidden cursor";
const raised = `see ${link}help${linkEnd}`;
const escapesSources = [
  [`print(${JSON.stringify(printed)}, end="")`, `print("never closed \\033]8;;words")`, 'print("still seen")'].join(
    "\n",
  ),
  `raise ValueError(${JSON.stringify(raised)})`,
];

const withWidgets = "widgets.ipynb";

const withKeys = "Untitled.ipynb";

const unsaved = "Untitled-1.ipynb";

const inOtherWindow = "other-window.ipynb";

/** Also fails for what nbformat only warns about, such as a cell without an ID. */
const validation = [
  "import nbformat, sys, warnings",
  'warnings.simplefilter("error", FutureWarning)',
  "nbformat.validate(nbformat.read(sys.argv[1], nbformat.NO_CONVERT))",
].join("\n");

interface SavedCell {
  readonly execution_count: number | null;
  readonly outputs: readonly Readonly<Record<string, unknown>>[];
}

describe("running a notebook of a workspace", () => {
  const salesTable = salesFiles(new Date())["data/sales.csv"] ?? assert.fail();
  const [latestMonth = ""] = String(salesTable).trim().split("\n").at(-1)?.split(",") ?? [];
  let window: JupyterWindow;
  let python: string;

  before(async () => {
    window = await openJupyterWindow({
      files: {
        [name]: pythonNotebook(sources, "Sales forecast"),
        [`data/${failing}`]: pythonNotebook(failingSources),
        [`data/${inBackground}`]: pythonNotebook([backgroundSource]),
        [`data/${script}`]: scriptSource,
        "data/sales.csv": salesTable,
        [withEscapes]: pythonNotebook(escapesSources),
        [withWidgets]: pythonNotebook([widgetsCell]),
        [inOtherWindow]: pythonNotebook(['print("ran in the other window")']),
      },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
      // All cells are visible, also in the screenshots.
      window: { size: { width: 1280, height: 1300 } },
    });
    ({ python } = await ready(pythonEnvironment));
    await makeFontCache();
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("shows a table, a plot, and the output of a long cell while it runs", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile(name);
    const editor = await workbench.editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    // Away from the button, whose hover would be in the screenshot.
    await workbench.page.mouse.move(0, 0);
    await showsTableAndPlot(editor);
    await waitFor("the file that a cell wrote", async () => (await workbench.explorer.names()).includes("monthly.csv"));
    await provide("north");
    await editor.waitForRendered("north is forecast");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    const item = workbench.page.locator(".part.statusbar [id$='platformWorkbench.kernel']");
    await waitFor(
      "the kernel's name for a screen reader",
      async () => /button "Notebook kernel Python 3[^"]*: Busy"/.test(await item.ariaSnapshot()),
      { describe: () => item.ariaSnapshot() },
    );
    await screenshotInThemes(window, "kernels");
  });

  it("shows all output after a reload during a cell: from before, during, and after the reload", async () => {
    const { workbench } = window;
    const address = workbench.page.url();
    await workbench.editors.waitUntilStored(name);
    await waitForNoBackup(window, name);
    await workbench.page.goto("about:blank");
    await provide("south");
    await workbench.page.goto(address, { waitUntil: "domcontentloaded" });
    await workbench.waitUntilReady();
    const editor = await workbench.editors.notebook(name);
    await editor.waitForRendered(/north is forecast\s+south is forecast/);
    await showsTableAndPlot(editor);
    await workbench.screenshot("kernels-reloaded");
    await provide("west");
    await editor.waitForRendered(/north is forecast\s+south is forecast\s+west is forecast/);
    await editor.waitForSuccess(3);
    await screenshotInThemes(window, "kernels-after-reload");
  });

  it("saves a valid notebook, with all outputs and execution counts", async () => {
    const { workbench } = window;
    await workbench.editors.waitUntilDirty(name);
    await workbench.waitForStatus(/: Idle$/);
    await workbench.editors.saveAfterRun(name);
    const path = join(window.root, name);
    const { code, output } = await runProgram(python, ["-c", validation, path]);
    assert.equal(code, 0, output);
    const saved: { readonly cells: readonly SavedCell[] } = JSON.parse(await readFile(path, "utf8"));
    const cells = saved.cells.slice(1);
    assert.deepEqual(
      cells.map(({ execution_count: count }) => count),
      [1, 2, 3],
    );
    assert.deepEqual(
      cells.map(({ outputs }) => outputs.map(({ output_type: type }) => type)),
      [["execute_result"], ["display_data"], ["stream"]],
    );
    const [table, plot, stream] = cells.map(({ outputs }) => outputs[0]);
    assert.deepEqual(Object.keys(Object(table?.data)).toSorted(), ["text/html", "text/plain"]);
    assert.deepEqual(Object.keys(Object(plot?.data)).toSorted(), ["image/png", "text/plain"]);
    assert.deepEqual(stream, {
      name: "stdout",
      output_type: "stream",
      text: ["north is forecast\n", "south is forecast\n", "west is forecast\n"],
    });
  });

  it("lists the notebook's kernel below its workspace", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    const { tree } = await workbench.sideBar.view("Workspaces");
    const row = await tree.reveal(/^Sales forecasting/, name);
    await waitFor("an idle kernel", async () => /^idle · [^·]+$/.test(await row.description()), {
      describe: () => row.description(),
    });
    await workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "running-kernels");
    await workbench.explorer.open();
  });

  it("creates a notebook, which has Jupyter's keys", async () => {
    const { workbench } = window;
    const { keyboard } = workbench.page;
    await workbench.runCommand("Platform: New Notebook");
    const editor = await workbench.editors.notebook(withKeys);
    await editor.waitForKernel(/Python 3/);
    await editor.replaceCell(0, "20 + 22");
    const cells = (count: number): Promise<unknown> =>
      waitFor(`${count} cells`, async () => (await editor.cellCount()) === count);
    const shown = (what: string, selector: string): Promise<unknown> => {
      const found = workbench.page.locator(`.notebookOverlay:visible .markdown-cell-row${selector}`);
      return waitFor(what, async () => (await found.count()) > 0);
    };
    await keyboard.press("Control+Enter");
    await editor.waitForRendered("42");
    await cells(1);
    await keyboard.press("Escape");
    await keyboard.press("b");
    await cells(2);
    await keyboard.press("m");
    await shown("a Markdown cell", "");
    await keyboard.press("Enter");
    await shown("its editor to have the focus", " .monaco-editor.focused");
    await keyboard.type("# A title");
    await keyboard.press("Control+Enter");
    await editor.waitForRendered("A title");
    const list = workbench.page.locator(".notebookOverlay:visible .monaco-list:focus");
    await waitFor("command mode", async () => (await list.count()) > 0);
    await keyboard.press("a");
    await cells(3);
    // Some time after a cell was added or run, the editor itself completes its metadata, at the latest when it saves. That
    // is a step to undo, and removes what could be redone.
    await keyboard.press("s");
    await workbench.editors.waitUntilSaved(withKeys);
    await keyboard.press("d");
    await keyboard.press("d");
    await cells(2);
    await keyboard.press("z");
    await cells(3);
    await keyboard.press("Shift+Z");
    await cells(2);
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(withKeys);
    await workbench.editors.close(withKeys);
  });

  it("runs a notebook that isn't saved yet, which has its kernel and its variables after a reload, and saves it", async () => {
    const { workbench } = window;
    await workbench.runCommand("Create: New Jupyter Notebook");
    const before = await workbench.editors.notebook(unsaved);
    await before.replaceCell(0, "runs = globals().get('runs', 40) + 1\nprint('runs:', runs)");
    await before.runAll();
    await workbench.quickInput.choose(/^Python 3/);
    await before.waitForRendered("runs: 41");
    await workbench.screenshot("kernels-unsaved");
    // The editor restores only what it has copied, some time after the last change.
    await waitForBackup(window, /Untitled-1\.ipynb.*runs: 41/s);
    await workbench.reload();
    const after = await workbench.editors.notebook(unsaved);
    await after.waitForKernel(/Python 3/);
    await workbench.waitForStatus(/: Idle$/);
    await after.runAll();
    await after.waitForRendered("runs: 42");
    await workbench.runCommand("Platform: Save to Workspace…");
    await workbench.quickInput.waitForStep("Save to Workspace");
    await workbench.quickInput.submit("data/saved");
    const saved = await workbench.editors.notebook("saved.ipynb");
    await saved.waitForKernel(/Python 3/);
    await saved.waitForRendered("runs: 42");
    await workbench.editors.waitUntilClosed(unsaved);
    await saved.runAll();
    await saved.waitForRendered("runs: 43");
    await workbench.screenshot("kernels-saved");
    await workbench.editors.saveAfterRun("saved.ipynb");
    await workbench.editors.close("saved.ipynb");
  });

  it("opens the line of the cell that raised an error from the traceback", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile(`data/${failing}`);
    const editor = await workbench.editors.notebook(failing);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    await editor.waitForRendered("ZeroDivisionError");
    await editor.followLink("line 2");
    await editor.waitForCursor(0, 2);
  });

  it("reports a cell that failed while another editor was active, and shows it", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile(`data/${inBackground}`);
    const editor = await workbench.editors.notebook(inBackground);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    await workbench.waitForStatus(/: Busy$/);
    await workbench.editors.show(failing);
    await writeFile(join(window.root, "data", "go"), "");
    const message = await workbench.notifications.waitFor(/^Cell 1 of background\.ipynb failed after /);
    await screenshotInThemes(window, "kernels-failed-in-background");
    await message.click("Show Cell");
    await workbench.editors.waitForTab(inBackground, { active: true });
    await workbench.editors.saveAfterRun(inBackground);
    await workbench.editors.close(inBackground);
  });

  it("runs a script's cells in one console beside it, in the folder of the script, on a server without terminals", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Open Terminal in Workspace");
    await workbench.notifications.waitFor(
      "The content server of Sales forecasting has no terminals. Use Run Selection in Kernel instead.",
    );
    await workbench.notifications.dismissAll();
    await workbench.explorer.openFile(`data/${script}`);
    const text = await workbench.editors.text(script);
    await text.focus();
    const lenses = workbench.page.locator(".codelens-decoration a");
    await waitFor("the commands above the cells", async () => (await lenses.allTextContents()).includes("Run Above"));
    await lenses.filter({ hasText: "Run Above" }).last().click();
    const doneBy = (cell: string): Promise<unknown> =>
      waitFor(`the ${cell} cell`, () => stat(join(window.root, "data", `${cell}.done`)));
    await doneBy("first");
    await text.focus();
    await workbench.page.keyboard.press("Control+End");
    await workbench.page.keyboard.press("Shift+Home");
    await workbench.page.keyboard.press("Shift+Enter");
    await doneBy("second");
    await screenshotInThemes(window, "kernels-console");
    await workbench.editors.show(unsaved);
    await workbench.runCommand("View: Revert and Close Editor");
    await workbench.editors.close(script);
  });

  it("shows output without escape sequences, also after it is opened again, and saves what the kernel sent", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile(withEscapes);
    const editor = await workbench.editors.notebook(withEscapes);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    const everything = new RegExp(`^${shown}\\s+never closed words\\s+still seen\\s*$`);
    await editor.waitForRendered(everything);
    await editor.waitForRendered(/: see help\s*$/);
    await workbench.editors.saveAfterRun(withEscapes);
    await workbench.screenshot("kernels-escapes");
    const saved: { readonly cells: readonly SavedCell[] } = JSON.parse(
      await readFile(join(window.root, withEscapes), "utf8"),
    );
    const [stream, error] = saved.cells.map(({ outputs }) => outputs[0]);
    assert.deepEqual(stream?.text, [printed, "never closed \u001b]8;;words\n", "still seen\n"]);
    assert.equal(error?.evalue, raised);
    await workbench.editors.close(withEscapes);
    await workbench.editors.waitUntilClosed(withEscapes);
    await workbench.explorer.openFile(withEscapes);
    await (await workbench.editors.notebook(withEscapes)).waitForRendered(everything);
    await workbench.waitForStatus(/: Idle$/);
    await workbench.editors.close(withEscapes);
  });

  it("shows widgets that act in the kernel and in the page", async () => {
    const { workbench } = window;
    const widgets = new ShownWidgets(workbench.page);
    await workbench.explorer.openFile(withWidgets);
    const editor = await workbench.editors.notebook(withWidgets);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    await widgets.waitForValue(3);
    const frame = await widgets.frame();
    await inThemes(window, async (theme) => {
      assert.deepEqual(await widgetViolations(frame), [], theme);
      await workbench.screenshot(`widgets-${theme}`);
    });
    await frame.getByRole("slider", { name: "Amount" }).waitFor();
    await widgets.moveTo(5);
    await widgets.pressUntil("Pressed at 5");
    await workbench.screenshot("widgets-moved");
  });

  it("restores widgets after a reload", async () => {
    const { workbench } = window;
    const widgets = new ShownWidgets(workbench.page);
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(withWidgets);
    await workbench.reload();
    await workbench.editors.notebook(withWidgets);
    await widgets.waitForValue(5);
    await widgets.moveTo(6);
    await widgets.pressUntil("Pressed at 6");
    await workbench.screenshot("widgets-after-reload");
  });

  it("ends all connections of both windows when the user signs out in one of them", async () => {
    const { connections, workbench } = window;
    const workspace = new URL(workbench.page.url()).searchParams.get("workspace") ?? "";
    const other = await window.openOtherProfile({ workspace });
    await other.explorer.openFile(inOtherWindow);
    const notebook = await other.editors.notebook(inOtherWindow);
    await notebook.waitForKernel(/Python 3/);
    await notebook.runAll();
    await notebook.waitForRendered("ran in the other window");
    await waitFor(
      "a connection of each window",
      async () => {
        const connected = await connectedNotebooks();
        return [withWidgets, inOtherWindow].every((path) => connected.includes(path));
      },
      { describe: async () => (await connectedNotebooks()).join() },
    );
    assert.ok(connections.webSockets >= 2, `${connections.webSockets} WebSockets`);

    await workbench.runCommand("Platform: Sign Out…");
    await workbench.quickInput.choose("Sample tenant");
    await waitFor("all WebSockets to close", async () => connections.webSockets === 0, {
      describe: async () => `${connections.webSockets} are open`,
    });
    await waitFor("the server to notice", async () => (await connectedNotebooks()).length === 0);
    await workbench.waitForStatus(/signed out/);
    await other.waitForStatus(/signed out/);
    await other.screenshot("kernels-signed-out");
  });

  /** Paths of the notebooks whose kernels have a connection, as the server counts them. */
  async function connectedNotebooks(): Promise<readonly string[]> {
    const { token, url } = window.jupyter;
    const response = await fetch(`${url}/api/sessions`, { headers: { authorization: `token ${token}` } });
    const sessions: readonly { readonly path: string; readonly kernel: { readonly connections: number } }[] =
      JSON.parse(await response.text());
    return sessions.filter(({ kernel }) => kernel.connections > 0).map(({ path }) => path);
  }

  /** Gives the long cell its input, and waits until it has printed. */
  async function provide(part: string): Promise<void> {
    await writeFile(join(window.root, "data", `${part}.csv`), "");
    await waitFor(`the output of ${part}`, () => stat(join(window.root, "data", `${part}.done`)));
  }

  /** Waits for the output and the end of the first two cells. */
  async function showsTableAndPlot(editor: NotebookEditor): Promise<void> {
    await editor.waitForRendered(latestMonth);
    await editor.waitForPicture(300);
    await editor.waitForSuccess(1);
    await editor.waitForSuccess(2);
  }

  /**
   * Matplotlib looks for fonts when it is first used in a home directory, and reports this in the cell if it takes
   * long.
   */
  async function makeFontCache(): Promise<void> {
    const home = window.jupyter.homeDirectory;
    const caches = { XDG_CACHE_HOME: join(home, "cache"), XDG_CONFIG_HOME: join(home, "config") };
    const environment = { HOME: home, ...caches };
    const { code, output } = await runProgram(python, ["-c", "import matplotlib.font_manager"], { environment });
    assert.equal(code, 0, output);
  }
});
