import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clickOnce, waitFor } from "../../harness/workbench/waiting.ts";
import { waitForBackup } from "../backups.ts";
import { resolveConflict } from "../conflict-message.ts";
import { useSharedFolder } from "../shared-window.ts";
import type { TenantWindow } from "../tenant-window.ts";

const book = (...sources: readonly string[]): string =>
  JSON.stringify({
    cells: sources.map((source, index) => ({
      cell_type: "code",
      id: `cell-${index}`,
      metadata: {},
      execution_count: null,
      source,
      outputs: [],
    })),
    metadata: { kernelspec: { name: "python3", display_name: "Python 3" } },
    nbformat: 4,
    nbformat_minor: 5,
  });

describe("someone else changes a file between opening and saving it", () => {
  let window: TenantWindow;
  let root: string;

  const files = {
    "apart.py": "first = 1\nsecond = 2\nthird = 3\nfourth = 4\n",
    "both.py": "first = 1\nsecond = 2\n",
    "both.ipynb": book("one = 1", "two = 2", "three = 3"),
    "shared.py": "amount = 1111\n",
  };
  useSharedFolder(files, (taken, directory) => {
    window = taken;
    root = directory;
  });

  it("marks a text file with unsaved changes when the server has another version, and merges and saves both", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("apart.py");
    const editor = await workbench.editors.text("apart.py");
    await editor.waitForText("first = 1");
    await editor.append("ours = True\n");
    await workbench.editors.waitUntilDirty("apart.py");
    await writeFile(join(root, "apart.py"), "theirs = True\nfirst = 1\nsecond = 2\nthird = 3\nfourth = 4\n");
    const mergeButton = workbench.page.locator(".editor-actions .action-label[aria-label^='Merge with the Server']");
    await waitFor("the mark", async () => (await mergeButton.count()) > 0, { seconds: 40 });
    const marked = workbench.page.locator(".explorer-folders-view [aria-label*='Changed on the server since']");
    await waitFor("the mark in the Explorer", async () => (await marked.count()) === 1);
    await workbench.screenshot("changed-on-server");
    await workbench.editors.clickTitleAction("Merge with the Server");
    await workbench.notifications.waitFor("Merged apart.py. Save it to upload both the server's changes and yours.");
    await workbench.editors.waitForTexts("theirs = True", "ours = True");
    await workbench.screenshot("merged-text");
    assert.match(await readFile(join(root, "apart.py"), "utf8"), /^theirs = True\nfirst/, "nothing is saved yet");
    await workbench.editors.save();
    await workbench.editors.waitForTab("apart.py");
    const comparisons = workbench.page.locator(".tab", { hasText: "Server ↔ Merged" });
    await waitFor("the comparison to close", async () => (await comparisons.count()) === 0);
    await workbench.editors.waitUntilSaved("apart.py");
    assert.equal(
      await readFile(join(root, "apart.py"), "utf8"),
      "theirs = True\nfirst = 1\nsecond = 2\nthird = 3\nfourth = 4\nours = True\n",
    );
    await workbench.notifications.dismissAll();
  });

  it("opens conflicting changes in the merge editor", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("both.py");
    const editor = await workbench.editors.text("both.py");
    await editor.waitForText("first = 1");
    await editor.replaceAll("first = 100\nsecond = 2\n");
    await workbench.editors.waitUntilDirty("both.py");
    await writeFile(join(root, "both.py"), "first = 200\nsecond = 2\nthird = 3\n");
    await workbench.runCommand("Platform: Merge with the Server's Version");
    const focused = workbench.page.locator(".editor-instance.merge-editor:focus-within");
    await waitFor("the focus in the merge editor", async () => (await focused.count()) > 0);
    await workbench.notifications.waitFor("1 conflict left in both.py. Resolve it, then save.");
    await workbench.editors.waitForTexts("first = 100", "first = 200");
    await workbench.screenshot("merge-editor");
    await workbench.notifications.dismissAll();
    const theirs = "first = 200\nsecond = 2\nthird = 3\n";
    assert.equal(await readFile(join(root, "both.py"), "utf8"), theirs, "nothing is saved by opening the merge editor");
    await workbench.editors.save();
    await workbench.dialog.waitFor("1 conflict in both.py isn't resolved. Save it anyway?");
    await workbench.screenshot("save-unresolved");
    await workbench.page.keyboard.press("Enter");
    await waitFor("the dialog to close", async () => !(await workbench.dialog.isOpen()));
    assert.equal(await readFile(join(root, "both.py"), "utf8"), theirs, "nothing is saved without a yes");
    await workbench.runCommand("File: Save");
    await workbench.dialog.waitFor("1 conflict in both.py isn't resolved. Save it anyway?");
    await workbench.dialog.click("Cancel");
    const told = await workbench.notifications.waitFor("both.py still has conflicts. Resolve them, then save.");
    assert.doesNotMatch(await told.text(), /FileSystemError|Unavailable/);
    assert.equal((await workbench.notifications.texts()).length, 1, "giving up before was told as a failure");
    assert.equal(await readFile(join(root, "both.py"), "utf8"), theirs);
    await workbench.notifications.dismissAll();
    const accept = workbench.page.locator(".merge-editor-conflict-actions a", { hasText: "Accept Yours" });
    await clickOnce("Accept Yours", accept);
    await workbench.editors.save();
    await waitFor("the merged file", async () => (await readFile(join(root, "both.py"), "utf8")) !== theirs);
    assert.equal(await readFile(join(root, "both.py"), "utf8"), "first = 100\nsecond = 2\nthird = 3\n");
    await workbench.editors.show("both.py");
    await workbench.editors.waitUntilSaved("both.py");
  });

  it("merges a notebook cell by cell", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("both.ipynb");
    const notebook = await workbench.editors.notebook("both.ipynb");
    await notebook.replaceCell(0, "one = 'ours'");
    await notebook.replaceCell(2, "three = 'ours'");
    await workbench.editors.waitUntilDirty("both.ipynb");
    await writeFile(join(root, "both.ipynb"), book("one = 1", "two = 'theirs'", "three = 'theirs'", "four = 4"));
    await workbench.editors.save();
    const failed = await workbench.notifications.waitFor("Can't save both.ipynb: it was changed on the server since");
    assert.match(await failed.text(), /Merge, Compare, or Overwrite\.\)?$/);
    await workbench.screenshot("notebook-conflict");
    await failed.clickLink("Merge");
    await workbench.notifications.waitForNone("Can't save both.ipynb");
    await workbench.notifications.waitFor("1 conflict left in both.ipynb. Resolve it, then save.");
    await workbench.editors.waitForTexts("one = 'ours'", ">>>>>>> Server");
    await workbench.screenshot("merged-notebook");
    await workbench.editors.notebook("both.ipynb");
    await workbench.screenshot("merged-notebook-editor");
    const accept = (side: string) =>
      workbench.page.locator(".notebookOverlay:visible .codelens-decoration a", { hasText: `Accept ${side}` });
    await clickOnce("Accept Incoming", accept("Incoming"));
    await waitFor("the markers to go", async () => (await accept("Both").count()) === 0);
    assert.equal(await notebook.cellText(2), "three = 'theirs'");
    await workbench.page.keyboard.press("ControlOrMeta+z");
    await waitFor("the markers again", async () => (await accept("Both").count()) > 0);
    await workbench.editors.save();
    await workbench.dialog.waitFor("1 conflict in both.ipynb isn't resolved. Save it anyway?");
    await workbench.dialog.click("Cancel");
    assert.doesNotMatch(await readFile(join(root, "both.ipynb"), "utf8"), /ours/);
    await workbench.editors.save();
    await workbench.dialog.waitFor("1 conflict in both.ipynb isn't resolved. Save it anyway?");
    const shown = await workbench.notifications.texts();
    assert.ok(!shown.some((text) => text.includes("still has conflicts")), "giving up before was told as a failure");
    await workbench.dialog.click("Save with Conflicts");
    await workbench.editors.waitUntilSaved("both.ipynb");
    const saved = await readFile(join(root, "both.ipynb"), "utf8");
    for (const part of [
      "one = 'ours'",
      "two = 'theirs'",
      "<<<<<<< Yours",
      "three = 'ours'",
      "three = 'theirs'",
      "four = 4",
    ]) {
      assert.ok(saved.includes(part), part);
    }
  });

  it("asks before a save replaces a version of the same size: Compare shows both, Overwrite saves ours", async () => {
    const { workbench } = window;
    await workbench.notifications.dismissAll();
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
    await clickOnce("what was overwritten", kept.first());
    await workbench.quickInput.choose("Restore…");
    await workbench.dialog.waitFor("Restore the checkpoint of shared.py from");
    await workbench.dialog.click("Restore");
    await (await workbench.editors.text("shared.py")).waitForText("amount = 2222");
    assert.equal(await readFile(join(root, "shared.py"), "utf8"), "amount = 2222\n");
  });

  it("asks also after a reload of the window, with restored unsaved changes", async () => {
    const { workbench } = window;
    await writeFile(join(root, "reloaded.py"), "amount = 1111\n");
    await workbench.runCommand("Refresh Explorer");
    await workbench.explorer.openFile("reloaded.py");
    const editor = await workbench.editors.text("reloaded.py");
    await editor.waitForText("amount = 1111");
    await editor.append("ours = True\n");
    await workbench.editors.waitUntilDirty("reloaded.py");
    await waitForBackup(window, /reloaded\.py.*ours = True/s);
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
