import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow, type TenantWindow, workspaceNamed } from "./tenant-window.ts";

const plainTyping = { "editor.autoIndent": "none", "editor.autoClosingBrackets": "never" };

const book = (...sources: readonly string[]): string =>
  JSON.stringify({
    cells: sources.map((source, index) => ({
      ...{ cell_type: "code", id: `cell-${index}`, metadata: {}, execution_count: null, source, outputs: [] },
    })),
    metadata: { kernelspec: { name: "python3", display_name: "Python 3" } },
    nbformat: 4,
    nbformat_minor: 5,
  });

describe("merging a file that someone else changed", () => {
  let window: TenantWindow;
  let root: string;

  before(async () => {
    const files = {
      "apart.py": "first = 1\nsecond = 2\nthird = 3\nfourth = 4\n",
      "both.py": "first = 1\nsecond = 2\n",
      "both.ipynb": book("one = 1", "two = 2", "three = 3"),
    };
    window = await openTenantWindow({ settings: plainTyping, workspace: { name: "Sales forecasting", files } });
    root = window.tenant.contentRoot(workspaceNamed(window, "Sales forecasting").id);
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

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
    await mergeButton.click();
    await workbench.notifications.waitFor("Merged apart.py. Save it to upload both the server's changes and yours.");
    await workbench.editors.waitForTexts("theirs = True", "ours = True");
    await workbench.screenshot("merged-text");
    assert.match(await readFile(join(root, "apart.py"), "utf8"), /^theirs = True\nfirst/, "nothing is saved yet");
    await workbench.editors.show("apart.py");
    await workbench.editors.save();
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
    await workbench.dialog.click("Cancel");
    assert.equal(await readFile(join(root, "both.py"), "utf8"), theirs, "nothing is saved without a yes");
    await workbench.runCommand("File: Save");
    await workbench.dialog.waitFor("1 conflict in both.py isn't resolved. Save it anyway?");
    await workbench.dialog.click("Cancel");
    const told = await workbench.notifications.waitFor("both.py still has conflicts. Resolve them, then save.");
    assert.doesNotMatch(await told.text(), /FileSystemError|Unavailable/);
    assert.equal((await workbench.notifications.texts()).length, 1, "giving up before was told as a failure");
    assert.equal(await readFile(join(root, "both.py"), "utf8"), theirs);
    await workbench.notifications.dismissAll();
    await workbench.page.locator(".merge-editor-conflict-actions a", { hasText: "Accept Yours" }).click();
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
    await workbench.notifications.waitFor("1 conflict left in both.ipynb. Resolve it, then save.");
    await workbench.editors.waitForTexts("one = 'ours'", ">>>>>>> Server");
    await workbench.screenshot("merged-notebook");
    await workbench.editors.notebook("both.ipynb");
    await workbench.screenshot("merged-notebook-editor");
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
});
