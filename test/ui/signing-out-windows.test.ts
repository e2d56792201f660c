import assert from "node:assert/strict";
import { waitFor } from "../harness/workbench/waiting.ts";
import type { Workbench } from "../harness/workbench/workbench.ts";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow } from "./tenant-window.ts";

describe("signing out while another window shows the tenant", () => {
  let window: Awaited<ReturnType<typeof openTenantWindow>>;
  let other: Workbench;

  before(async () => {
    window = await openTenantWindow({ workspace: { name: "Sales forecasting" } });
    const workspace = new URL(window.workbench.page.url()).searchParams.get("workspace") ?? "";
    // In a browser, each window has its own secrets.
    other = await window.openOtherProfile({ workspace });
    await other.explorer.openFile("forecast.ipynb");
    await other.editors.notebook("forecast.ipynb");
    await other.explorer.openFile("clean.py");
    await (await other.editors.text("clean.py")).append("ours = True\n");
    await other.editors.waitUntilDirty("clean.py");
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("also signs out there: the Explorer and saved editors are cleared, and unsaved files stay open", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    await workbench.runCommand("Platform: Sign Out…");
    await workbench.quickInput.choose("Sample tenant");
    assert.match(await (await workbench.sideBar.view("Workspaces")).welcomeText(), /Sign in/);
    await waitFor("saved editors to close", async () => (await other.editors.tabs()).join() === "clean.py", {
      describe: async () => (await other.editors.tabs()).join(),
    });
    await waitFor("the Explorer to empty", async () => !(await other.explorer.names()).includes("README.md"));
    await other.waitForStatus(/signed out/);
    await other.screenshot("signed-out-elsewhere");
    await other.editors.save();
    const told = await other.notifications.waitFor(/^Failed to save 'clean\.py'/);
    assert.match(await told.text(), /you aren't signed in to Sample tenant\. Sign in, and the file is saved/);
  });

  it("stays signed out after a reload, even if the environment provides the tenant and its credential", async () => {
    const { workbench } = window;
    await workbench.reload();
    await workbench.sideBar.open("Platform");
    assert.match(await (await workbench.sideBar.view("Workspaces")).welcomeText(), /Sign in/);
    await workbench.waitForStatus(/signed out/);
    await workbench.screenshot("signed-out-reloaded");
  });

  it("says that the tenant file lists its tenant again before it removes it", async () => {
    const { workbench } = window;
    const { dialog } = workbench;
    await workbench.runCommand("Platform: Remove Tenant…");
    const { detail } = await dialog.waitFor("Remove Sample tenant from this editor?");
    assert.match(detail, /New windows list the tenant again until you remove it from the tenant file \/\S+\.json\.$/);
    await dialog.cancel();
  });

  it("signing in again in one window doesn't change the other one", async () => {
    const { workbench, tenant } = window;
    await (await workbench.sideBar.view("Workspaces")).clickWelcomeButton("Sign In");
    await workbench.quickInput.waitForStep("Sign In to Sample tenant");
    await workbench.quickInput.submit(tenant.platformToken);
    await (await workbench.sideBar.view("Workspaces")).tree.row(/^Sales forecasting/);
    await other.waitForStatus(/signed out/);
    assert.equal(await other.editors.isDirty("clean.py"), true);
  });
});
