import assert from "node:assert/strict";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow, type TenantWindow, untilFolderIsOpen } from "./tenant-window.ts";

describe("trying the sample tenant without any set-up", () => {
  let window: TenantWindow;

  before(async () => {
    window = await openTenantWindow({ signedIn: false });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("is offered in the empty view", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    assert.match(await view.welcomeText(), /tenant/i);
    await workbench.screenshot("welcome");
    // Commands that need a tenant are not in the palette. Those that show a view are the editor's own.
    const commands = (await workbench.commandsFor("Platform: ")).filter((label) => label.startsWith("Platform: "));
    await workbench.quickInput.cancel();
    assert.deepEqual(commands.filter((label) => !/^Platform: Focus on .* View$/.test(label)).toSorted(), [
      "Platform: Add Tenant…",
      "Platform: Show Log",
      "Platform: Try the Sample Tenant",
    ]);
    await view.clickWelcomeButton("Try the Sample Tenant");
    await untilFolderIsOpen(workbench);
  });

  it("opens its running workspace, and a notebook in it can be edited and saved", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("forecast.ipynb");
    const editor = await workbench.editors.notebook("forecast.ipynb");
    await editor.waitForRendered("Sales forecast");
    await editor.insertCodeCellBelow(1, "tried = True");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved("forecast.ipynb");
    await workbench.screenshot("sample-tenant");
  });

  it("is restored after a reload, with saved changes", async () => {
    const { workbench } = window;
    await workbench.editors.close("forecast.ipynb");
    await workbench.reload();
    await workbench.explorer.openFile("forecast.ipynb");
    const editor = await workbench.editors.notebook("forecast.ipynb");
    assert.match(await editor.cellText(2), /tried = True/);
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    await view.tree.row(/^Sales forecasting/);
  });

  it("signs in again without a token after signing out", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Sign Out…");
    await workbench.quickInput.choose(/^Sample tenant/);
    const view = await workbench.sideBar.view("Workspaces");
    await waitFor("the welcome content", async () => /Sign in to see/.test(await view.welcomeText()));
    await view.clickWelcomeButton("Sign In");
    await view.tree.row(/^Sales forecasting/);
  });
});
