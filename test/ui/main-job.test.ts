import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow, openWorkspaceFolder, workspaceNamed } from "./tenant-window.ts";

interface Notebook {
  readonly cells: { readonly source: string | readonly string[]; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

describe("the main job: open, edit, and save a notebook of a workspace", () => {
  let window: Awaited<ReturnType<typeof openTenantWindow>>;
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-local-"));
    // As in a new editor, whose user doesn't trust a folder of this machine.
    window = await openTenantWindow({
      settings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
      window: { folder: directory },
    });
  });
  reportFailures(() => window.workbench);
  after(async () => {
    await window?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it("shows the tenant's workspaces with their state, also in Restricted Mode", async () => {
    const { workbench } = window;
    await workbench.waitForStatus("Restricted Mode");
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    const row = await view.tree.row(/^Sales forecasting/);
    assert.equal(await row.description(), "running");
    assert.match(await row.accessibleName(), /running/i);
    await workbench.screenshot("workspaces");
  });

  it("lists, opens, and saves a workspace's files in Restricted Mode", async () => {
    const { workbench, tenant } = window;
    const name = "requirements.txt";
    await workbench.runCommand("Platform: Go to Remote File…");
    await workbench.quickInput.choose("Sales forecasting");
    await workbench.quickInput.waitForStep("Go to Remote File in Sales forecasting");
    await workbench.quickInput.type(name);
    await workbench.quickInput.choose(name);
    const text = await workbench.editors.text(name);
    await text.waitForText("pandas");
    await text.append("polars\n");
    await workbench.editors.waitUntilDirty(name);
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    const root = tenant.contentRoot(workspaceNamed(window, "Sales forecasting").id);
    assert.match(await readFile(join(root, name), "utf8"), /polars\n$/);
    await workbench.waitForStatus("Restricted Mode");
    await workbench.screenshot("restricted-mode");
  });

  // Workspaces of a tenant need no trust, because their code doesn't run on this machine.
  it("opens the running workspace from the side bar as a folder with its name", async () => {
    const { workbench } = window;
    await openWorkspaceFolder(window, "Sales forecasting");
    await workbench.explorer.open();
    await workbench.explorer.reveal("reports");
    assert.deepEqual((await workbench.page.title()).match(/Sales forecasting/g), ["Sales forecasting"]);
    assert.ok(!(await workbench.statusBar()).some((text) => text.includes("Restricted Mode")));
    await workbench.screenshot("explorer");
  });

  it("opens the workspace at the window's address in another browser profile, too", async () => {
    const workspace = new URL(window.workbench.page.url()).searchParams.get("workspace") ?? "";
    assert.match(workspace, /Sales forecasting\.code-workspace$/);
    const other = await window.openOtherProfile({ workspace });
    await other.explorer.open();
    await other.explorer.reveal("reports");
    assert.match(await other.page.title(), /Sales forecasting/);
    await other.screenshot("explorer-in-other-profile");
    await other.close();
  });

  it("opens a notebook, edits a cell, and saves: the new cell is on the server, all other values are unchanged", async () => {
    const { workbench, tenant } = window;
    const name = "forecast.ipynb";
    const path = join(tenant.contentRoot(workspaceNamed(window, "Sales forecasting").id), name);
    const before = JSON.parse(await readFile(path, "utf8")) as Notebook;
    await workbench.explorer.openFile(name);
    const editor = await workbench.editors.notebook(name);
    const index = before.cells.findIndex((cell) => cell.cell_type === "code");
    await editor.insertCodeCellBelow(index, "answer = 41 + 1");
    await workbench.editors.waitUntilDirty(name);
    await workbench.screenshot("notebook-edited");
    assert.deepEqual((await workbench.page.title()).match(/Sales forecasting|forecast\.ipynb/g), [
      "forecast.ipynb",
      "Sales forecasting",
    ]);
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    const after = JSON.parse(await readFile(path, "utf8")) as Notebook;
    const text = (cell: Notebook["cells"][number]): string => [cell.source].flat().join("");
    assert.equal(text(after.cells[index + 1] ?? { source: "" }), "answer = 41 + 1");
    const others = { ...after, cells: after.cells.filter((_, position) => position !== index + 1) };
    const joined = (notebook: Notebook): Notebook => ({
      ...notebook,
      cells: notebook.cells.map((cell) => ({ ...cell, source: text(cell) })),
    });
    assert.deepEqual(joined(others), joined(before));
    await workbench.screenshot("notebook");
  });
});
