import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedEmptyWindow } from "../shared-window.ts";

// The last file of its folder: it leaves the window with another folder.
describe("trying the sample tenant without any set-up", () => {
  let window: ProxiedWindow;
  let directory: string;

  useSharedEmptyWindow((taken) => {
    window = taken;
  });
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-thesis-"));
  });
  after(async () => {
    await rm(directory, { recursive: true, force: true });
  });

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
  });

  it("asks before it replaces the folder of the window", async () => {
    const { workbench } = window;
    const { dialog, explorer, sideBar } = workbench;
    await writeFile(join(directory, "chapter.md"), "# Chapter\n");
    await workbench.runCommand("File: Open Folder...");
    await workbench.reopenedBy(() => workbench.quickInput.submitPath("Open Folder", `${directory}/`));
    await explorer.reveal("chapter.md");
    await sideBar.open("Platform");
    const view = await sideBar.view("Workspaces");
    await view.clickWelcomeButton("Try the Sample Tenant");
    const asked = await dialog.waitFor("Open the sample workspace Sales forecasting?");
    await workbench.screenshot("sample-tenant-question");
    assert.equal(
      asked.detail,
      `Opening it in this window closes ${basename(directory)}. The sample tenant is also in the Platform side bar.`,
    );
    assert.deepEqual((await dialog.buttons()).toSorted(), ["Cancel", "Open in New Window", "Open in This Window"]);
    await dialog.cancel();
    await view.tree.row(/^Sales forecasting/);
    await explorer.reveal("chapter.md");
    await workbench.runCommand("Platform: Try the Sample Tenant");
    await dialog.waitFor("Open the sample workspace Sales forecasting?");
    await workbench.reopenedBy(() => dialog.click("Open in This Window"));
    await explorer.reveal("forecast.ipynb");
    assert.ok(!(await explorer.names()).includes("chapter.md"));
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

  it("has recent dates at any time", async () => {
    const { sideBar } = window.workbench;
    await sideBar.open("Platform");
    await sideBar.collapse("Workspaces", "App Designs", "Pages");
    const sandbox = await sideBar.view("Sandbox");
    assert.match(await (await sandbox.tree.row("Sales pages")).description(), /^v\d+ · \d+[mhd] ago$/);
    await sideBar.collapse("Sandbox");
    const { tree } = await sideBar.view("Workflows");
    await (await tree.row(/^Weekly sales mail/)).expand();
    await (await tree.scrollTo("Executions")).expand();
    const newest = await tree.scrollTo(/^(Completed|Failed|Canceled|In Progress|Not Started)$/);
    assert.match(await newest.description(), /^\d+[mh] ago · /);
    await window.workbench.screenshot("sample-tenant-dates");
  });

  it("stays signed out after a reload, and signs in again without a token, with saved changes", async () => {
    const { workbench } = window;
    await workbench.editors.close("forecast.ipynb");
    await workbench.runCommand("Platform: Sign Out…");
    await workbench.quickInput.choose(/^Sample tenant/);
    const view = await workbench.sideBar.view("Workspaces");
    const isSignedOut = async (): Promise<boolean> => /Sign in to see/.test(await view.welcomeText());
    await waitFor("the welcome content", isSignedOut);
    await workbench.reload();
    await workbench.sideBar.open("Platform");
    await waitFor("the welcome content after a reload", isSignedOut);
    await view.clickWelcomeButton("Sign In");
    await view.tree.row(/^Sales forecasting/);
    await workbench.explorer.openFile("forecast.ipynb");
    const editor = await workbench.editors.notebook("forecast.ipynb");
    assert.match(await editor.cellText(2), /tried = True/);
    await workbench.editors.close("forecast.ipynb");
  });

  it("is gone after it was removed, also after a reload", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Remove Tenant…");
    const asked = await workbench.dialog.waitFor("Remove Sample tenant from this editor?");
    assert.match(asked.detail, /Nothing changes on the platform itself\.$/);
    await workbench.dialog.click("Remove");
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    const isOffered = async (): Promise<boolean> => /Try the Sample Tenant/.test(await view.welcomeText());
    await waitFor("the offer of the sample tenant", isOffered, { describe: () => view.welcomeText() });
    await workbench.reload();
    await workbench.sideBar.open("Platform");
    await waitFor("the offer after a reload", isOffered, { describe: () => view.welcomeText() });
  });
});
