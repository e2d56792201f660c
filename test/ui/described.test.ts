import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { resolveConflict } from "./conflict-message.ts";
import { reportFailures } from "./failure-reports.ts";
import {
  openTenantWindow,
  storedState,
  type TenantWindow,
  untilFolderIsOpen,
  workspaceNamed,
} from "./tenant-window.ts";

describe("the main job on a platform that implements only the API description", () => {
  let window: TenantWindow;
  let root: string;
  let id: string;

  before(async () => {
    window = await openTenantWindow({ tenant: { described: "lenient" } });
    ({ id } = workspaceNamed(window, "Sales forecasting"));
    root = window.tenant.contentRoot(id);
    await writeFile(join(root, "shared.py"), "amount = 1\n");
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("opens a workspace by its id as a folder, because the platform has no list", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    const row = await view.tree.row(/^Can't load workspaces: this platform doesn't list workspaces/);
    await row.tooltip("Run Open Workspace as Folder from the Command Palette, and enter the ID of a workspace.");
    await workbench.screenshot("described-views");
    await workbench.page.mouse.move(800, 500);
    await workbench.runCommand("Platform: Open Workspace as Folder…");
    await workbench.quickInput.waitForStep("This platform doesn't list workspaces");
    await workbench.screenshot("described-workspace-id");
    await workbench.quickInput.submit(id);
    await workbench.quickInput.choose(/This Window/);
    await untilFolderIsOpen(workbench);
    await workbench.explorer.open();
    await workbench.explorer.reveal("reports");
    await workbench.screenshot("described-explorer");
  });

  it("opens a notebook, edits a cell, and saves; reports which changes a server without hashes can't detect", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("forecast.ipynb");
    const editor = await workbench.editors.notebook("forecast.ipynb");
    await workbench.screenshot("described-notebook");
    await editor.insertCodeCellBelow(1, "answer = 41 + 1");
    await workbench.editors.waitUntilDirty("forecast.ipynb");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved("forecast.ipynb");
    assert.match(await readFile(join(root, "forecast.ipynb"), "utf8"), /answer = 41 \+ 1/);
    const statusBar = workbench.page.locator(".statusbar");
    await waitFor("the remark in the status bar", async () => /No content hashes/.test(await statusBar.innerText()));
    await workbench.screenshot("described-notebook-saved");
  });

  it("a change on the server blocks the save; Overwrite saves ours", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("shared.py");
    const editor = await workbench.editors.text("shared.py");
    await editor.waitForText("amount = 1");
    await editor.append("ours = True\n");
    await workbench.editors.waitUntilDirty("shared.py");
    await writeFile(join(root, "shared.py"), "amount = 2222\n");
    await workbench.editors.save();
    const asked = await workbench.notifications.waitFor(/newer|changed on the server/);
    await workbench.screenshot("described-conflict");
    assert.equal(await readFile(join(root, "shared.py"), "utf8"), "amount = 2222\n");
    await resolveConflict(workbench, asked, "Overwrite");
    await workbench.editors.waitUntilSaved("shared.py");
    assert.equal(await readFile(join(root, "shared.py"), "utf8"), "amount = 1\nours = True\n");
  });

  it("creates a checkpoint", async () => {
    const { workbench } = window;
    await workbench.notifications.dismissAll();
    await workbench.editors.show("shared.py");
    await workbench.runCommand("Platform: Create Checkpoint");
    await workbench.notifications.waitFor("Checkpoint of shared.py");
    await workbench.screenshot("described-checkpoint");
  });

  // Proves 4.5: A repository is opened by its ID if no operation lists repositories
  it("opens a repository by its ID if the platform has no list, and promotes to a deployment by its ID", async () => {
    const { workbench } = window;
    await workbench.notifications.dismissAll();
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Sandbox");
    const row = await view.tree.row(/^Can't load repositories: this platform doesn't list repositories/);
    await row.tooltip(
      "Run a command such as Create Commit from the Command Palette, and enter the ID of a repository.",
    );
    await workbench.screenshot("described-sandbox");
    await workbench.page.mouse.move(800, 500);
    const { repositories } = (await storedState(window)).sandbox;
    const repository = repositories.find(({ name }) => name === "Order apps");
    const [deployment] = repository?.deployments ?? [];
    assert.ok(repository !== undefined && deployment !== undefined);
    await workbench.runCommand("Platform: Promote and Seed…");
    await workbench.quickInput.waitForStep("This platform doesn't list repositories. Enter the ID");
    await workbench.quickInput.submit(repository.id);
    await workbench.quickInput.waitForStep("Commit");
    await workbench.quickInput.choose(/^v\d+/);
    await workbench.quickInput.waitForStep("This platform doesn't list the deployments of Order apps.");
    await workbench.screenshot("described-deployment-id");
    await workbench.quickInput.submit(deployment.id);
    await workbench.quickInput.choose("Continue");
    await workbench.dialog.waitFor(/^Promote v\d+ of Order apps to /);
    await workbench.dialog.click("Promote");
    await workbench.notifications.waitFor(/^Promoted Order apps v\d+ to /);
  });

  it("lists the triggers of a workflow, and reports that the user's own timers may be missing", async () => {
    const { workbench } = window;
    await workbench.notifications.dismissAll();
    await workbench.sideBar.collapse("Workspaces", "App Designs", "Pages", "Sandbox");
    const view = await workbench.sideBar.view("Workflows");
    const group = await view.tree.reveal(/^Budget alert/, "Triggers");
    await group.expand();
    await view.tree.row(/^By alert/);
    await view.tree.row(/^This platform doesn't say who is signed in\. Your own timers may be missing\./);
    await workbench.screenshot("described-triggers");
    await workbench.runCommand("Platform: Delete Workflow…");
    await workbench.quickInput.choose(/^Budget alert/);
    const asked = await workbench.dialog.waitFor("Delete the workflow Budget alert?");
    assert.match(asked.detail, /Trigger By alert/);
    assert.match(asked.detail, /Your own timers may be missing/);
    await workbench.dialog.cancel();
  });
});
