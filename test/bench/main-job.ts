import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import type { Workbench } from "../harness/workbench/workbench.ts";
import { pythonNotebook } from "../ui/jupyter-window.ts";
import { openTenantWindow, untilFolderIsOpen } from "../ui/tenant-window.ts";
import { median } from "./statistics.ts";

/** Seconds of the main actions in a real window, from the key press to the effect. Medians of `windows` windows. */
export interface MainJobFigures {
  /** From the editor's address to the rows of the Workspaces view. */
  readonly firstRows: number;
  /** From the choice of a workspace to its files in the Explorer, including the reload of the window. */
  readonly openWorkspace: number;
  /** From a file in Go to Remote File to its cells. */
  readonly openNotebook: number;
  /** From Ctrl+S until the tab is no longer marked as unsaved. */
  readonly saveNotebook: number;
  readonly windows: number;
}

const windows = 5;
const name = "forecast.ipynb";
const unsaved = ".part.editor .tab.dirty";

/** Runs the main job in new windows of one editor, each in its own browser profile. */
export async function measureMainJob(say: (line: string) => void): Promise<MainJobFigures> {
  const root = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
  await writeFile(join(root, name), pythonNotebook(["amount = 6", "amount * 7"], "Forecast"));
  const jupyter = await startJupyterServer({ root, token: "token-of-the-jupyter-server", extraArguments: [] });
  const address = { url: `${jupyter.url}/`, token: jupyter.token };
  try {
    // The first window of an editor that has just started also waits for the editor itself.
    const window = await openTenantWindow({
      tenant: { contentServer: { kind: "proxied", addressOf: async () => address } },
    });
    try {
      const runs: Omit<MainJobFigures, "windows">[] = [];
      for (let run = 1; run <= windows; run += 1) {
        say(`the main job in a window, ${run} of ${windows}`);
        runs.push(await oneWindow(window.openOtherProfile));
      }
      const of = (one: keyof Omit<MainJobFigures, "windows">): number => median(runs.map((run) => run[one]));
      return {
        firstRows: of("firstRows"),
        openWorkspace: of("openWorkspace"),
        openNotebook: of("openNotebook"),
        saveNotebook: of("saveNotebook"),
        windows,
      };
    } finally {
      await window.close();
    }
  } finally {
    await jupyter.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function oneWindow(open: (options: object) => Promise<Workbench>): Promise<Omit<MainJobFigures, "windows">> {
  const begun = performance.now();
  const workbench = await open({});
  try {
    const { editors, page, quickInput, sideBar } = workbench;
    await sideBar.open("Platform");
    const view = await sideBar.view("Workspaces");
    const row = await view.tree.row(/^Sales forecasting/);
    const firstRows = secondsSince(begun);
    await row.doubleClick();
    await quickInput.waitForStep("Open Sales forecasting as Folder");
    const openWorkspace = await seconds(async () => {
      await quickInput.accept();
      await untilFolderIsOpen(workbench);
      await page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).waitFor();
    });
    await workbench.runCommand("Platform: Go to Remote File…");
    await quickInput.waitForStep("Go to Remote File");
    await quickInput.type(name);
    await quickInput.widget.locator(".monaco-list-row.focused", { hasText: name }).waitFor();
    const openNotebook = await seconds(async () => {
      await quickInput.accept();
      await page.locator(".notebookOverlay .cell-list-container .code-cell-row .view-line").first().waitFor();
    });
    const editor = await editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await editor.appendToCell(1, " # changed");
    await editors.waitUntilDirty(name);
    const saveNotebook = await seconds(async () => {
      await page.keyboard.press("ControlOrMeta+s");
      await page.waitForFunction(`document.querySelector("${unsaved}") === null`);
    });
    return { firstRows, openWorkspace, openNotebook, saveNotebook };
  } finally {
    await workbench.close();
  }
}

async function seconds(action: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await action();
  return secondsSince(begun);
}

function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1000;
}
