import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";
import { storedState } from "../tenant-window.ts";
import { screenshotInThemes } from "../themes.ts";

describe("checkpoints and scheduling of the active file", () => {
  let window: ProxiedWindow;
  let root: string;

  useSharedFolder({ "kept.py": "state = 'first'\n" }, (taken, directory) => {
    window = taken;
    root = directory;
  });
  before(async () => {
    await window.workbench.explorer.openFile("kept.py");
    await (await window.workbench.editors.text("kept.py")).waitForText("first");
  });

  it("reports that a file has no checkpoints, and how to create one", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: List Checkpoints…");
    await workbench.notifications.waitFor("kept.py has no checkpoints yet");
    await workbench.screenshot("checkpoints-none");
    await workbench.notifications.dismissAll();
  });

  it("creates a checkpoint of the saved content, and reports that it doesn't include unsaved changes", async () => {
    const { workbench } = window;
    const editor = await workbench.editors.text("kept.py");
    await editor.append("unsaved = True\n");
    await workbench.editors.waitUntilDirty("kept.py");
    await workbench.runCommand("Platform: Create Checkpoint");
    const told = await workbench.notifications.waitFor("Created a checkpoint of kept.py");
    assert.match(await told.text(), /It doesn't contain your unsaved changes/);
    await workbench.screenshot("checkpoint-created");
    await workbench.notifications.dismissAll();
    await editor.replaceAll("state = 'second'\n");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved("kept.py");
  });

  it("opens the list from the editor's title with the mouse, with ages and dates with the zone", async () => {
    const { workbench } = window;
    await (await workbench.editors.openTitleMenu()).choose("List Checkpoints…");
    await workbench.quickInput.waitForStep("Checkpoints of kept.py");
    await waitFor("a checkpoint", async () => (await workbench.quickInput.labels()).length === 1);
    assert.match((await workbench.quickInput.labels())[0] ?? "", /^(now|\d+m ago)$/);
    const row = await workbench.quickInput.widget.locator(".monaco-list-row").first().innerText();
    assert.match(row, /\b20\d\d\b.*\b\d{1,2}:\d\d (AM|PM) (UTC|GMT|[A-Z]{2,5})/s);
    await screenshotInThemes(window, "checkpoints");
    await workbench.quickInput.cancel();
  });

  it("asks before a restore, and shows the restored content in the editor", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Restore Checkpoint…");
    await workbench.quickInput.waitForStep("Restore a Checkpoint of kept.py");
    await workbench.quickInput.choose(/now|\dm ago/);
    const asked = await workbench.dialog.waitFor("Restore the checkpoint of kept.py from");
    assert.match(asked.detail, /This replaces kept\.py on the server\. The current content is saved/);
    await workbench.screenshot("checkpoint-restore");
    await workbench.dialog.click("Restore");
    await (await workbench.editors.text("kept.py")).waitForText("first");
    assert.equal(await readFile(join(root, "kept.py"), "utf8"), "state = 'first'\n");
    assert.equal(await workbench.editors.isDirty("kept.py"), false);
  });

  it("undoes a restore with Undo, and lists the replaced content", async () => {
    const { workbench } = window;
    const told = await workbench.notifications.waitFor(/^Restored kept\.py to its .* checkpoint\.$/);
    await workbench.screenshot("checkpoint-restored");
    await told.click("Undo");
    await (await workbench.editors.text("kept.py")).waitForText("second");
    assert.equal(await readFile(join(root, "kept.py"), "utf8"), "state = 'second'\n");
    assert.equal(await workbench.editors.isDirty("kept.py"), false);
    await workbench.runCommand("Platform: List Checkpoints…");
    await workbench.quickInput.waitForStep("Checkpoints of kept.py");
    await waitFor("both", async () => (await workbench.quickInput.labels()).length >= 2);
    const list = await workbench.quickInput.widget.innerText();
    for (const part of ["On the Server", "Saved on This Computer", "before a restore"]) {
      assert.ok(list.includes(part), list);
    }
    await workbench.screenshot("checkpoints-kept");
    await workbench.quickInput.cancel();
  });

  it("compares a checkpoint with the file, without a request for known content", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Compare with Checkpoint…");
    await workbench.quickInput.waitForStep("Compare kept.py with a Checkpoint");
    await workbench.quickInput.choose(/now|\dm ago/);
    await workbench.page.locator(".tab.active", { hasText: "↔ now" }).waitFor();
    await workbench.editors.waitForTexts("state = 'first'", "state = 'second'");
    await workbench.screenshot("checkpoint-compared");
    await workbench.editors.show("kept.py");
  });

  it("asks before it deletes a checkpoint, and doesn't change the file", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: List Checkpoints…");
    await workbench.quickInput.waitForStep("Checkpoints of kept.py");
    await workbench.quickInput.choose(/now|\dm ago/);
    await workbench.quickInput.waitForStep("Checkpoint of kept.py, ");
    assert.deepEqual(await workbench.quickInput.labels(), ["Compare", "Restore…", "Delete…"]);
    await workbench.quickInput.choose("Delete…");
    const asked = await workbench.dialog.waitFor("Delete the checkpoint of kept.py from");
    assert.match(asked.detail, /The file itself isn't changed/);
    await workbench.dialog.click("Delete");
    await workbench.runCommand("Platform: List Checkpoints…");
    await workbench.quickInput.waitForStep("Checkpoints of kept.py");
    await waitFor("what is kept", async () => /before a restore/.test(await workbench.quickInput.widget.innerText()));
    assert.doesNotMatch(await workbench.quickInput.widget.innerText(), /On the Server/);
    await workbench.quickInput.cancel();
    assert.equal(await readFile(join(root, "kept.py"), "utf8"), "state = 'second'\n");
  });

  it("updates a notebook's dataflow with a JSON document, after a confirmation", async () => {
    const { workbench, proxy } = window;
    await workbench.explorer.openFile("forecast.ipynb");
    await workbench.editors.notebook("forecast.ipynb");
    await workbench.runCommand("Platform: Update Dataflow…");
    const tab = "forecast.ipynb (dataflow update).json";
    await workbench.editors.waitForTab(tab, { active: true });
    const editor = await workbench.editors.text(tab);
    await editor.replaceAll(" ");
    await editor.append('{\n  "enabled": true,\n  "schedule": "0 6 * * *"\n}\n');
    await screenshotInThemes(window, "dataflow");
    await workbench.editors.clickTitleAction("Send Dataflow Update");
    const asked = await workbench.dialog.waitFor(`Send this dataflow update to ${new URL(proxy.url).host}?`);
    assert.match(asked.detail, /Workspace: Sales forecasting/);
    assert.match(asked.detail, /enabled: true/);
    await workbench.screenshot("dataflow-send");
    await workbench.dialog.click("Send");
    await workbench.editors.waitForTab("forecast.ipynb (dataflow update), response.json");
    await workbench.screenshot("dataflow-answer");
    const state = JSON.stringify(await storedState(window));
    assert.match(state, /0 6 \* \* \*/);
  });
});
