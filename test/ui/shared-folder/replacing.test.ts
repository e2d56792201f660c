import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";
import { screenshotInThemes } from "../themes.ts";

const notebook = {
  cells: [
    { cell_type: "markdown", id: "title", metadata: {}, source: ["# The old_total\n", "of all orders"] },
    {
      cell_type: "code",
      execution_count: 3,
      id: "sum",
      metadata: { tags: ["kept"] },
      outputs: [{ name: "stdout", output_type: "stream", text: ["old_total 7\n"] }],
      source: "old_total = 7\nprint('old_total', old_total)",
    },
  ],
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } },
  nbformat: 4,
  nbformat_minor: 5,
};

describe("replacing in the files of a workspace", () => {
  let window: ProxiedWindow;
  let root: string;
  const saved = (name: string): Promise<string> => readFile(join(root, name), "utf8");

  useSharedFolder(
    {
      "totals.py": "old_total = 1\r\nprint(old_total)\r\n",
      "open.py": "old_total = 2\n",
      "kept.py": "old_total = 3\n",
      "totals.ipynb": JSON.stringify(notebook, undefined, 1),
    },
    (taken, directory) => {
      window = taken;
      root = directory;
    },
  );

  it("shows each change in the editor's preview, and saves what the user accepts: files and cells of notebooks", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("open.py");
    const editor = await workbench.editors.text("open.py");
    await editor.waitForText("old_total");
    await editor.append("print('unsaved', old_total)");
    await editor.waitForText("unsaved");
    await workbench.runCommand("Platform: Replace in Workspace…");
    await workbench.quickInput.waitForStep("Text to find");
    await workbench.quickInput.type("old_total");
    await screenshotInThemes(window, "replace-text");
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForStep("Replacement");
    await workbench.quickInput.type("grand_total");
    await screenshotInThemes(window, "replace-replacement");
    await workbench.quickInput.accept();
    await workbench.panel.view("Refactor Preview");
    const rows = workbench.page.locator(".bulk-edit-panel .monaco-list-row");
    await waitFor("the changes", async () => (await rows.count()) >= 6, {
      describe: async () => JSON.stringify(await rows.allInnerTexts()),
    });
    const boxes = workbench.page.locator(".bulk-edit-panel .edit-checkbox");
    const states = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute("aria-checked")));
    assert.ok(states.length >= 6 && states.every((state) => state === "true"), states.join());
    await screenshotInThemes(window, "replace-preview");
    const kept = rows.filter({ hasText: "kept.py" }).locator(".edit-checkbox");
    await kept.click();
    await waitFor("kept.py to be deselected", async () => (await kept.getAttribute("aria-checked")) === "false");
    await workbench.page.locator(".bulk-edit-panel .monaco-button", { hasText: "Apply" }).click();
    const notification = await workbench.notifications.waitFor("Replaced 8 matches in 3 files. 1 file is not saved.");
    await screenshotInThemes(window, "replaced");
    await notification.click("Show Details");
    await workbench.dialog.waitFor("open.py: It had unsaved changes before, so it was not saved.");
    await screenshotInThemes(window, "replace-details");
    await workbench.dialog.cancel();
    assert.equal(await saved("totals.py"), "grand_total = 1\r\nprint(grand_total)\r\n");
    assert.equal(await saved("kept.py"), "old_total = 3\n");
    assert.equal(await saved("open.py"), "old_total = 2\n");
    await editor.waitForText("print('unsaved', grand_total)");
    const written: typeof notebook = JSON.parse(await saved("totals.ipynb"));
    assert.deepEqual(
      written.cells.map(({ source }) => [source].flat().join("")),
      ["# The grand_total\nof all orders", "grand_total = 7\nprint('grand_total', grand_total)"],
    );
    assert.deepEqual(written.cells[1]?.outputs, notebook.cells[1]?.outputs);
    assert.deepEqual(written.cells[1]?.metadata, notebook.cells[1]?.metadata);
    assert.deepEqual(written.metadata.kernelspec, notebook.metadata.kernelspec);
    const results = await workbench.panel.view("Search Results");
    await results.tree.row("kept.py");
    await results.clickTitleAction("Clear Search Results");
  });
});
