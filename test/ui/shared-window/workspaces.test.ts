import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MarkdownPreview } from "../../harness/workbench/markdown-preview.ts";
import type { View } from "../../harness/workbench/side-bar.ts";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { assertRowEntries } from "../row-entries.ts";
import { useSharedWindow } from "../shared-window.ts";
import { waitForRows } from "../shown-rows.ts";
import { openWorkspaceFolder, workspaceNamed } from "../tenant-window.ts";
import { screenshotInThemes } from "../themes.ts";

describe("the Workspaces view", () => {
  const search = "/api/datascience/v1/search/workspaces";
  let window: ProxiedWindow;

  useSharedWindow((taken) => {
    window = taken;
  });

  async function workspaces(): Promise<View> {
    await window.workbench.sideBar.open("Platform");
    return window.workbench.sideBar.view("Workspaces");
  }

  it("shows each workspace's state in words and in its icon, and its size and kernel to a screen reader", async () => {
    const view = await workspaces();
    const running = await view.tree.row(/^Sales forecasting/);
    const stopped = await view.tree.row(/^Customer churn/);
    assert.match(await running.accessibleName(), /Sales forecasting, running, 1 CPU \/ 8 GB · Python 3\.12/);
    assert.match(await stopped.accessibleName(), /Customer churn, stopped, 2 CPU \/ 16 GB · Python 3\.11/);
    assert.equal(await running.locator.locator(".codicon-vm-running").count(), 1);
    assert.equal(await stopped.locator.locator(".codicon-vm").count(), 1);
    await waitFor("every workspace", async () => (await view.tree.labels()).length === 12);
    for (const [row, state] of [
      [running, "running"],
      [stopped, "stopped"],
    ] as const) {
      assert.equal(await row.description(), state);
      const shown = row.locator.locator(".label-description");
      assert.ok(await shown.evaluate((element) => element.scrollWidth <= element.clientWidth), "the state is cut off");
    }
    assert.deepEqual(await running.inlineActions(), ["Open Workspace as Folder…"]);
    assert.deepEqual(await stopped.inlineActions(), ["Start Workspace…", "Open Workspace as Folder…"]);
    await window.workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "workspaces-view");
  });

  it("shows a card with the id, the dates, and a link for each", async () => {
    const view = await workspaces();
    const row = await view.tree.row(/^Sales forecasting/);
    const { id } = workspaceNamed(window, "Sales forecasting");
    const text = await row.tooltip(id);
    for (const part of ["running", "1 CPU / 8 GB", "Python 3.12", "Last run", "Open in Browser"]) {
      assert.ok(text.includes(part), text);
    }
    await window.workbench.screenshot("workspace-card");
    await window.workbench.page.mouse.move(800, 500);
  });

  it("filters on the server, shows the filter, and clears it", async () => {
    const { workbench, proxy } = window;
    const view = await workspaces();
    proxy.reset();
    await view.clickTitleAction("Filter Workspaces");
    await workbench.quickInput.waitForStep("Filter Workspaces");
    await workbench.quickInput.submit("sen");
    await view.waitForMessage('Filtered by "sen"');
    await waitForRows(view, ["Sensor readings"]);
    assert.equal(proxy.count({ method: "POST", path: search }), 1);
    await workbench.screenshot("workspaces-filtered");
    await view.clickTitleAction("Change Workspace Filter");
    await workbench.quickInput.waitForStep("Filter Workspaces");
    assert.equal(await workbench.quickInput.value(), "sen");
    await workbench.quickInput.submit("nothing like this");
    await view.tree.row("No matching workspaces");
    await view.clickTitleAction("Clear Workspace Filter");
    await view.tree.row(/^Sales forecasting/);
    await waitFor("the message to go", async () => (await view.message()) === "");
  });

  it("shows the settings for all notebook workspaces: sizes, kernels, limits", async () => {
    const { workbench, proxy } = window;
    proxy.reset();
    await workbench.runCommand("Platform: Show Notebook Settings");
    const text = await new MarkdownPreview(workbench.page).waitForText("Notebook settings of Sample tenant");
    for (const part of [/Access\s+everyone/, /Time zone\s+Europe\/Berlin/, /PYTHON_3_12/, /JUPYTER_WORKSPACE/]) {
      assert.match(text, part);
    }
    assert.match(text, /1\s+8 GB\s+yes/);
    assert.match(text, /GB\s+no/);
    assert.equal(proxy.count({ path: "/api/datascience/v1/settings" }), 1);
    await screenshotInThemes(window, "notebook-settings");
    await workbench.runCommand("View: Close All Editors");
  });

  // Proves 1: Notebook workspaces: settings, namespace
  // Proves 3: Starting a workspace is an operation
  it("starts a workspace with progress until it is running", async () => {
    const { workbench, proxy } = window;
    const view = await workspaces();
    const seen = Promise.withResolvers<void>();
    proxy.addFault({ match: { method: "POST", path: /\/instances$/ }, action: { kind: "hold", until: seen.promise } });
    await (await view.tree.row(/^R experiments/)).clickInlineAction("Start Workspace");
    await workbench.notifications.waitFor("Starting R experiments");
    await workbench.screenshot("workspace-starting");
    proxy.clearFaults();
    seen.resolve();
    await waitFor(
      "R experiments to run",
      async () => /running/.test(await (await view.tree.row(/^R experiments/)).accessibleName()),
      { seconds: 30 },
    );
    await workbench.notifications.waitForNone("Starting R experiments");
    assert.equal(workspaceNamed(window, "R experiments").status, "running");
  });

  it("changes the size and the kernel from the row, with lists of what the platform offers", async () => {
    const { workbench } = window;
    const view = await workspaces();
    const churn = () => view.tree.row(/^Customer churn/);
    const { quickInput, notifications } = workbench;
    for (const [entry, title, before, after] of [
      ["Change Workspace Size…", "Change Size of Customer churn", "2 CPU / 16 GB", "1 CPU / 8 GB"],
      ["Change Workspace Kernel…", "Change Kernel of Customer churn", "Python 3.11", "Python 3.12"],
    ] as const) {
      await (await churn()).chooseFromContextMenu(entry);
      await quickInput.waitForStep(title);
      await waitFor("the choices", async () => (await quickInput.labels()).includes(after));
      const current = quickInput.widget.locator(".monaco-list-row.focused");
      assert.match(await current.innerText(), new RegExp(`^${before}\\s*current (size|kernel)$`));
      await screenshotInThemes(
        window,
        entry.startsWith("Change Workspace Size") ? "workspace-sizes" : "workspace-kernels",
      );
      await quickInput.choose(after);
      await notifications.waitFor(`Customer churn now has ${after}.`);
      await waitFor(`${after} in the row`, async () => (await (await churn()).accessibleName()).includes(after));
    }
    await notifications.dismissAll();
  });

  it("opens the browser if the notebook service requires it, and reports a refusal", async () => {
    const { workbench } = window;
    const view = await workspaces();
    await (await view.tree.row(/^Finance close/)).clickInlineAction("Start Workspace");
    const asked = await workbench.notifications.waitFor(/Finance close.*opened once in a browser/);
    assert.deepEqual(await asked.actions(), ["Open in Browser", "Show Log"]);
    await workbench.screenshot("workspace-handshake");
    await workbench.notifications.dismissAll();
    await (await view.tree.row(/^Payroll analytics/)).clickInlineAction("Start Workspace");
    const refused = await workbench.notifications.waitFor(/Payroll analytics.*You have no access/);
    assert.deepEqual(await refused.actions(), ["Sign In with Another Token", "Show Log"]);
    await workbench.screenshot("workspace-refused");
    await refused.click("Sign In with Another Token");
    await workbench.quickInput.waitForStep("Sign In to Sample tenant");
    await workbench.quickInput.cancel();
    await workbench.notifications.dismissAll();
    assert.equal(workspaceNamed(window, "Payroll analytics").status, "stopped");
  });

  it("copies an id, and stores another notebook token", async () => {
    const { workbench } = window;
    const view = await workspaces();
    const row = await view.tree.row(/^Sales forecasting/);
    await row.chooseFromContextMenu("Copy ID");
    const { id } = workspaceNamed(window, "Sales forecasting");
    await waitFor("the id in the clipboard", async () => {
      const copied = await workbench.page.evaluate<string>("navigator.clipboard.readText()");
      return copied === id;
    });
    await row.chooseFromContextMenu("Set Notebook Token…");
    await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
    await workbench.quickInput.submit(window.tenant.notebookToken(id));
    await workbench.quickInput.waitUntilClosed();
  });

  it("shows an error row with Retry while the tenant is down, and the workspaces by themselves afterward", async () => {
    const { workbench, proxy } = window;
    const view = await workspaces();
    proxy.addFault({ match: { path: search }, action: { kind: "response", status: 503, body: "{}" } });
    await view.clickTitleAction("Refresh Workspaces");
    const failed = await view.tree.row("Can't load workspaces: 503 from the platform", 60);
    assert.equal(await failed.description(), "Select to retry");
    assert.deepEqual(await failed.inlineActions(), ["Retry"]);
    await assertRowEntries(failed, {
      view: "platformWorkbench.workspaces",
      viewItem: "error",
      "platformWorkbench.inBrowser": true,
      "platformWorkbench.tenants": "one",
    });
    await screenshotInThemes(window, "workspaces-error");
    proxy.clearFaults();
    await view.tree.waitForNoRow(/^Can't load workspaces/);
    await view.tree.row(/^Sales forecasting/);
    await workbench.notifications.dismissAll();
  });

  it("shows a message if there are no workspaces", async () => {
    const { proxy } = window;
    const view = await workspaces();
    const body = JSON.stringify({ workspaces: [], pageContext: { count: 0, offset: 0, totalCount: 0 } });
    proxy.addFault({ match: { path: search }, action: { kind: "response", status: 200, body } });
    await view.clickTitleAction("Refresh Workspaces");
    assert.match(await view.welcomeText(), /This tenant has no workspaces that you can see/);
    await window.workbench.screenshot("workspaces-empty");
    proxy.clearFaults();
    await view.clickWelcomeButton("Refresh");
    await view.tree.row(/^Sales forecasting/);
  });

  it("loads more pages if there are more than 50 workspaces", async () => {
    const { proxy } = window;
    const view = await workspaces();
    const page = (offset: number, count: number): string =>
      JSON.stringify({
        workspaces: Array.from({ length: count }, (_, index) => ({
          id: `00000000-0000-0000-0000-${String(offset + index).padStart(12, "0")}`,
          name: `Made up ${String(offset + index + 1).padStart(3, "0")}`,
        })),
        pageContext: { count, offset, totalCount: 80 },
      });
    proxy.addFault({ match: { path: search, nth: 1 }, action: { kind: "response", status: 200, body: page(0, 50) } });
    await view.clickTitleAction("Refresh Workspaces");
    await (await view.tree.row("Made up 001")).click();
    await window.workbench.page.keyboard.press("End");
    const more = await view.tree.row("Load 30 More (50 of 80)");
    await window.workbench.screenshot("workspaces-more");
    proxy.clearFaults();
    proxy.addFault({ match: { path: search, nth: 1 }, action: { kind: "response", status: 200, body: page(50, 30) } });
    await more.click();
    await view.tree.waitForNoRow(/^Load /);
    await window.workbench.page.keyboard.press("End");
    await view.tree.row("Made up 080");
    proxy.clearFaults();
    await view.clickTitleAction("Refresh Workspaces");
    await view.tree.row(/^Sales forecasting/);
  });

  it("keeps asking where to open a workspace if the view takes the focus, as it does when it is drawn again", async () => {
    const { page, quickInput } = window.workbench;
    const view = await workspaces();
    await (await view.tree.row(/^Sales forecasting/)).doubleClick();
    await quickInput.waitForStep("Open Sales forecasting as Folder");
    await view.pane.locator(".monaco-list").focus();
    // The editor closes other inputs in a timer.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
    await quickInput.type("New");
    await waitFor("the matching row", async () => (await quickInput.labels()).join() === "Open in New Window", {
      describe: async () => JSON.stringify(await quickInput.labels()),
    });
    await quickInput.cancel();
  });

  it("lists the files with unsaved changes before it stops a workspace", async () => {
    const { workbench } = window;
    const { id } = workspaceNamed(window, "Sales forecasting");
    await writeFile(join(window.tenant.contentRoot(id), "kept.py"), "one = 1\n");
    await openWorkspaceFolder(window, "Sales forecasting");
    await workbench.explorer.openFile("kept.py");
    const editor = await workbench.editors.text("kept.py");
    await editor.waitForText("one = 1");
    await editor.append("two = 2\n");
    await workbench.editors.waitUntilDirty("kept.py");
    const view = await workspaces();
    await (await view.tree.row(/^Sales forecasting/)).chooseFromContextMenu("Stop Workspace…");
    const asked = await workbench.dialog.waitFor("Sales forecasting has unsaved files. Stop it?");
    assert.match(asked.detail, /^kept\.py\n/);
    await screenshotInThemes(window, "workspace-stop");
    assert.deepEqual((await workbench.dialog.buttons()).toSorted(), ["Cancel", "Save All and Stop", "Stop"]);
    await workbench.dialog.click("Stop");
    await waitFor("Sales forecasting to be stopped", async () =>
      /stopped/.test(await (await view.tree.row(/^Sales forecasting/)).accessibleName()),
    );
    assert.equal(workspaceNamed(window, "Sales forecasting").status, "stopped");
    assert.equal(await workbench.editors.isDirty("kept.py"), true);
  });
});
