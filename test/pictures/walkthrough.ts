// npm run picture:walkthrough: creates the pictures of the walkthrough in media/walkthrough, each in a light and a
// dark theme, in a real window with a real Jupyter Server behind the sample tenant.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator } from "playwright-core";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { openWorkspaceFolder } from "../ui/tenant-window.ts";
import { inThemes, themeSettings } from "../ui/themes.ts";
import { openPictureWindow } from "./picture-window.ts";
import { runRevenueNotebook } from "./revenue-notebook.ts";

const notebook = "forecast.ipynb";
const target = join(import.meta.dirname, "..", "..", "media", "walkthrough");
const files: string[] = [];
const window = await openPictureWindow({
  settings: themeSettings,
  window: { size: { width: 1280, height: 900 } },
});
try {
  const { workbench } = window;
  const { page } = workbench;
  const sideBar = [page.locator(".part.activitybar"), page.locator(".part.sidebar")];
  const editorPart = [page.locator(".part.editor")];

  await workbench.sideBar.open("Platform");
  const workspaces = await workbench.sideBar.view("Workspaces");
  await workspaces.tree.row(/^Sales forecasting/);
  await take("workspaces", sideBar, 330);

  await workbench.sideBar.collapse("Workspaces", "App Designs");
  const workflows = await workbench.sideBar.view("Workflows");
  const workflow = await workflows.tree.row(/^Weekly sales mail/);
  await workflow.expand();
  await (await workflows.tree.row("Versions")).expand();
  await (await workflows.tree.row("Triggers")).expand();
  await workflows.tree.row(/^Regular run/);
  await take("workflows", sideBar, 560);

  await openWorkspaceFolder(window, "Sales forecasting");
  await workbench.explorer.open();
  await workbench.explorer.reveal(notebook);
  await take("folder", sideBar, 220);

  await workbench.explorer.openFile(notebook);
  const editor = await workbench.editors.notebook(notebook);
  await editor.waitForKernel(/Python 3/);
  await editor.insertCodeCellBelow(1, 'sales.groupby("region")["revenue"].sum()');
  await take("notebook", editorPart, 730);

  await runRevenueNotebook(window);
  await take("run", editorPart, 816);

  await workbench.runCommand("Platform: Go to Anything on the Platform…");
  await workbench.quickInput.waitUntilOpen();
  await waitFor("the items", async () => (await workbench.quickInput.labels()).length > 5);
  await take("go-to-anything", [page.locator(".quick-input-widget:visible")], 388);
} finally {
  await window.close();
}
const { python } = await ready(pythonEnvironment);
await promisify(execFile)(python, [join(import.meta.dirname, "webp.py"), ...files]);
console.log(files.map((file) => file.replace(/png$/, "webp")).join("\n"));

/** Takes a picture of the upper `height` pixels of parts of the window next to each other, in a light and a dark theme. High contrast themes show the dark one. */
async function take(name: string, parts: readonly Locator[], height: number): Promise<void> {
  const { page } = window.workbench;
  // Nothing is under the mouse.
  await page.mouse.move(0, 0);
  await waitFor("the hover to go", async () => (await page.locator(".monaco-hover:visible").count()) === 0);
  await inThemes(window, async (theme) => {
    if (theme === "contrast") return;
    const boxes = (await Promise.all(parts.map((part) => part.boundingBox()))).filter((box) => box !== null);
    const x = Math.min(...boxes.map((box) => box.x));
    const y = Math.min(...boxes.map((box) => box.y));
    const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
    const path = join(target, `${name}-${theme}.png`);
    const clip = { x, y, width, height: Math.min(height, ...boxes.map((box) => box.height)) };
    await page.screenshot({ path, clip, animations: "disabled" });
    files.push(path);
  });
}
