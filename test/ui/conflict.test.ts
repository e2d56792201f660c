import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { resolveConflict } from "./blocked-save.ts";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow, type TenantWindow, workspaceNamed } from "./tenant-window.ts";

describe("someone else changes a file between opening and saving it", () => {
  let window: TenantWindow;
  let root: string;

  before(async () => {
    const files = { "shared.py": "amount = 1111\n" };
    window = await openTenantWindow({ workspace: { name: "Sales forecasting", files } });
    root = window.tenant.contentRoot(workspaceNamed(window, "Sales forecasting").id);
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("of the same size: a message asks, Compare shows both versions, Overwrite saves ours", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("shared.py");
    const editor = await workbench.editors.text("shared.py");
    await editor.waitForText("amount = 1111");
    await editor.append("ours = True\n");
    await workbench.editors.waitUntilDirty("shared.py");
    await writeFile(join(root, "shared.py"), "amount = 2222\n");
    await workbench.editors.save();
    const asked = await workbench.notifications.waitFor(/newer|changed on the server/);
    await workbench.screenshot("conflict");
    assert.equal(await readFile(join(root, "shared.py"), "utf8"), "amount = 2222\n");
    await resolveConflict(workbench, asked, "Compare");
    await workbench.editors.waitForTexts("amount = 2222", "amount = 1111");
    await workbench.screenshot("conflict-compare");
    assert.equal(await readFile(join(root, "shared.py"), "utf8"), "amount = 2222\n");
    await workbench.notifications.dismissAll();
    await workbench.editors.show("shared.py");
    await workbench.editors.save();
    const again = await workbench.notifications.waitFor(/newer|changed on the server/);
    await resolveConflict(workbench, again, "Overwrite");
    await workbench.editors.waitUntilSaved("shared.py");
    assert.equal(await readFile(join(root, "shared.py"), "utf8"), "amount = 1111\nours = True\n");
    await workbench.runCommand("Platform: List Checkpoints…");
    await workbench.quickInput.waitForStep("Checkpoints of shared.py");
    const list = (): Promise<string> => workbench.quickInput.widget.innerText();
    await waitFor("what was overwritten", async () => /On the Server.*before it was overwritten/s.test(await list()));
    await workbench.screenshot("conflict-overwritten");
    const kept = workbench.quickInput.widget.locator(".monaco-list-row", { hasText: "before it was overwritten" });
    await kept.first().click();
    await workbench.quickInput.choose("Restore…");
    await workbench.dialog.waitFor("Restore the checkpoint of shared.py from");
    await workbench.dialog.click("Restore");
    await (await workbench.editors.text("shared.py")).waitForText("amount = 2222");
    assert.equal(await readFile(join(root, "shared.py"), "utf8"), "amount = 2222\n");
  });

  it("also after a reload of the window with restored unsaved changes", async () => {
    const { workbench } = window;
    await writeFile(join(root, "reloaded.py"), "amount = 1111\n");
    await workbench.runCommand("Refresh Explorer");
    await workbench.explorer.openFile("reloaded.py");
    const editor = await workbench.editors.text("reloaded.py");
    await editor.waitForText("amount = 1111");
    await editor.append("ours = True\n");
    await workbench.editors.waitUntilDirty("reloaded.py");
    // The editor stores a copy of unsaved changes some time after the last one.
    await waitFor("the copy of the unsaved changes", async () =>
      (await backups(window.dataDirectory)).some((copy) => copy.includes("ours = True")),
    );
    await writeFile(join(root, "reloaded.py"), "amount = 2222\n");
    await workbench.reload();
    await workbench.editors.show("reloaded.py");
    const restored = await workbench.editors.text("reloaded.py");
    await restored.waitForText("ours = True");
    await workbench.editors.save();
    await workbench.notifications.waitFor(/newer|changed on the server/);
    await workbench.screenshot("conflict-after-reload");
    assert.equal(await readFile(join(root, "reloaded.py"), "utf8"), "amount = 2222\n");
    await workbench.notifications.dismissAll();
    await workbench.editors.show("reloaded.py");
    await workbench.runCommand("Platform: Merge with the Server's Version");
    await workbench.notifications.waitFor("1 conflict left in reloaded.py");
    await workbench.editors.waitForTexts("amount = 2222", "amount = 1111");
    await workbench.screenshot("merge-after-reload");
  });
});

/** The copies of unsaved changes that the editor stores. */
async function backups(dataDirectory: string): Promise<readonly string[]> {
  const directory = join(dataDirectory, "data", "User", "Backups");
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")));
}
