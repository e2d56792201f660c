// npm run picture:readme: creates docs/images/notebook.png and workflow.png for the README, in a real window with a real
// Jupyter Server behind the sample tenant.
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { openedWebviewWith } from "../harness/workbench/webview.ts";
import { openWorkspaceFolder } from "../ui/tenant-window.ts";
import { openPictureWindow } from "./picture-window.ts";
import { runRevenueNotebook } from "./revenue-notebook.ts";

const size = { width: 1280, height: 888 };
/** Pixels. The title bar of a window of the tests has a prefix of the editor. */
const titleBar = 36;
const target = join(import.meta.dirname, "..", "..", "docs", "images");
const window = await openPictureWindow({ settings: {}, window: { size } });
try {
  const { workbench } = window;
  await workbench.sideBar.open("Platform");
  await workbench.sideBar.collapse("Workspaces", "App Designs");
  const { tree } = await workbench.sideBar.view("Workflows");
  await (await tree.row(/^Weekly sales mail/)).expand();
  await (await tree.row("Versions")).expand();
  await (await tree.row("v1.2.0")).clickInlineAction("Show Workflow Definition");
  await openedWebviewWith(workbench.page, "Weekly sales mail v1.2.0");
  await take("workflow");

  await openWorkspaceFolder(window, "Sales forecasting");
  await workbench.explorer.open();
  await runRevenueNotebook(window);
  await take("notebook");
} finally {
  await window.close();
}

/** Takes a picture of the window without its title bar. Nothing is under the mouse. */
async function take(name: string): Promise<void> {
  const { page } = window.workbench;
  await page.mouse.move(0, 0);
  await waitFor("the hover to go", async () => (await page.locator(".monaco-hover:visible").count()) === 0);
  const path = join(target, `${name}.png`);
  const clip = { x: 0, y: titleBar, width: size.width, height: size.height - titleBar };
  await page.screenshot({ path, clip, animations: "disabled" });
  console.log(path);
}
