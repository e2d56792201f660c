// npm run picture: creates docs/images/main-job.gif for the README. In a real window, with a real Jupyter Server behind
// the sample tenant, a workspace is opened, and its notebook is edited, run, and saved.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import type { Workbench } from "../harness/workbench/workbench.ts";
import { openWorkspaceFolder, type TenantWindow, workspaceNamed } from "../ui/tenant-window.ts";
import { openPictureWindow } from "./picture-window.ts";

/** Milliseconds for which a scene stays visible, in addition to its own duration. */
const look = 900;
const width = 960;
const notebook = "forecast.ipynb";
const target = join(import.meta.dirname, "..", "..", "docs", "images", "main-job.gif");

/** A picture of the page, and the time in seconds when it was drawn. */
interface Frame {
  readonly file: string;
  readonly time: number;
}

const directory = await mkdtemp(join(tmpdir(), "platform-workbench-picture-"));
const window = await openPictureWindow({
  settings: { "workbench.colorTheme": "Default Light Modern", "window.autoDetectColorScheme": false },
});
try {
  const { workbench } = window;
  await clearOutputs(window);
  await workbench.sideBar.open("Platform");
  await (await workbench.sideBar.view("Workspaces")).tree.row(/^Sales forecasting/);
  await showPointer(workbench.page);
  const frames = await record(workbench.page, () => mainJob(workbench));
  await writeFile(join(directory, "frames.json"), JSON.stringify(frames));
  const { python } = await ready(pythonEnvironment);
  const program = join(import.meta.dirname, "animate.py");
  const { stdout } = await promisify(execFile)(python, [program, directory, target, String(width)]);
  console.log(stdout.trim());
} finally {
  await window.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** The notebook as a user left it who has not run it. */
async function clearOutputs({ tenant }: TenantWindow): Promise<void> {
  const path = join(tenant.contentRoot(workspaceNamed({ tenant }, "Sales forecasting").id), notebook);
  const content: { readonly cells: readonly { readonly cell_type: string }[] } = JSON.parse(
    await readFile(path, "utf8"),
  );
  const cells = content.cells.map((cell) =>
    cell.cell_type === "code" ? { ...cell, outputs: [], execution_count: null } : cell,
  );
  await writeFile(path, JSON.stringify({ ...content, cells }));
}

async function mainJob(workbench: Workbench): Promise<void> {
  await delay(look);
  await openWorkspaceFolder(window, "Sales forecasting");
  await workbench.explorer.open();
  await workbench.explorer.reveal(notebook);
  await delay(look);
  await workbench.explorer.openFile(notebook);
  const editor = await workbench.editors.notebook(notebook);
  await editor.waitForKernel(/Python 3/);
  await delay(look);
  await editor.insertCodeCellBelow(1, 'sales.groupby("region")["revenue"].sum()');
  await delay(look);
  await editor.runAll();
  await editor.waitForRendered("region");
  await delay(2 * look);
  await editor.showCell(3);
  await editor.waitForRendered(/Name: revenue/);
  await delay(2 * look);
  await workbench.editors.save();
  await workbench.editors.waitUntilSaved(notebook);
  await delay(2 * look);
}

/** Pictures of the page while the work runs, one for each change. */
async function record(page: Page, work: () => Promise<void>): Promise<readonly Frame[]> {
  const session = await page.context().newCDPSession(page);
  const frames: Promise<Frame>[] = [];
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    const file = `${frames.length}.png`;
    frames.push(writeFile(join(directory, file), data, "base64").then(() => ({ file, time: metadata.timestamp ?? 0 })));
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "png", everyNthFrame: 1 });
  await work();
  await session.send("Page.stopScreencast");
  return Promise.all(frames);
}

/** Draws a pointer at the mouse's position, because the browser omits its own in pictures. */
async function showPointer(page: Page): Promise<void> {
  const draw = `
    const pointer = document.createElement("div");
    pointer.style.cssText = "position:fixed;z-index:100000;width:14px;height:14px;margin:-7px 0 0 -7px;border-radius:50%;" +
      "pointer-events:none;background:rgba(230,120,20,.55);border:1px solid rgba(150,70,0,.8);left:-20px;top:0";
    document.documentElement.append(pointer);
    document.addEventListener("mousemove", ({ clientX, clientY }) => {
      pointer.style.left = clientX + "px";
      pointer.style.top = clientY + "px";
    }, true);`;
  await page.addInitScript(`if (window === window.top) addEventListener("DOMContentLoaded", () => { ${draw} });`);
  await page.evaluate(`(() => { ${draw} })()`);
}
