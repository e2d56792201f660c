import assert from "node:assert/strict";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";

/** Lines of this many megabytes in total. The first one identifies the file. */
function linesOf(name: string, megabytes: number): string {
  return `${name}\n${`${"0123456789".repeat(9)}\n`.repeat((megabytes * 1_000_000) / 91)}`;
}

/** A notebook with one cell, whose output has lines of this many megabytes in total. */
function notebookOf(source: string, megabytes: number): string {
  const output = { output_type: "stream", name: "stdout", text: linesOf("printed", megabytes) };
  const cell = { cell_type: "code", id: "cell-0", metadata: {}, execution_count: 1, source, outputs: [output] };
  const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
  return JSON.stringify({ cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 });
}

describe("big files", () => {
  let window: ProxiedWindow;
  let root: string;

  const files = {
    "open.txt": linesOf("open.txt", 5),
    "download.txt": linesOf("download.txt", 5),
    "outputs.ipynb": notebookOf("amount = 1", 5),
    "slow.txt": linesOf("slow.txt", 4),
    "save.txt": linesOf("save.txt", 9),
  };
  useSharedFolder(files, (taken, directory) => {
    window = taken;
    root = directory;
  });
  afterEach(() => window.proxy.clearFaults());
  // Later files search the folder.
  after(() => Promise.all(Object.keys(files).map((name) => rm(join(root, name)))));

  it("opens a file above the user's limit only after a confirmation", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("open.txt");
    // A notification would be hidden after some seconds, and the editor would show only a progress bar.
    await workbench.dialog.waitFor("open.txt is 5.0 MB");
    assert.deepEqual((await workbench.dialog.buttons()).toSorted(), ["Cancel", "Download…", "Open"]);
    await workbench.screenshot("big-file-asked");
    assert.equal(window.proxy.count({ path: /open\.txt/ }), 0);
    await workbench.dialog.click("Open");
    await (await workbench.editors.text("open.txt")).waitForText("open.txt");
    assert.equal(window.proxy.count({ path: /\/files\/open\.txt/ }), 1);
    await workbench.runCommand("View: Close All Editors");
  });

  it("downloads it instead, byte for byte", async () => {
    const { workbench, dataDirectory } = window;
    await workbench.explorer.openFile("download.txt");
    await workbench.dialog.waitFor("download.txt is 5.0 MB");
    await workbench.dialog.click("Download…");
    const place = join(dataDirectory, "downloaded.txt");
    await workbench.quickInput.waitForStep("Download download.txt");
    await workbench.screenshot("big-file-download");
    await workbench.quickInput.submitPath("Download download.txt", place);
    await workbench.notifications.waitFor("Downloaded download.txt to");
    assert.ok((await readFile(place)).equals(await readFile(join(root, "download.txt"))));
    await workbench.editors.waitUntilClosed("download.txt");
    await workbench.screenshot("big-file-downloaded");
    await workbench.notifications.dismissAll();
  });

  it("opens a notebook without its outputs, as a copy that can't be edited", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("outputs.ipynb");
    await workbench.dialog.waitFor("outputs.ipynb is 5.1 MB");
    await workbench.screenshot("big-notebook-asked");
    await workbench.dialog.click("Open Without Outputs");
    const notebook = await workbench.editors.notebook("outputs.ipynb");
    assert.equal(await notebook.cellText(0), "amount = 1");
    assert.deepEqual(await workbench.editors.tabs(), ["outputs.ipynb"]);
    await notebook.editCell(0);
    await workbench.page.keyboard.type("x");
    const refused = workbench.page.locator(".monaco-editor-overlaymessage", { hasText: "read-only" });
    await waitFor("the message that the copy is read-only", async () => (await refused.count()) > 0);
    await workbench.screenshot("big-notebook-without-outputs");
    assert.equal(await notebook.cellText(0), "amount = 1");
    assert.equal(await workbench.editors.isDirty("outputs.ipynb"), false);
    await workbench.runCommand("View: Close All Editors");
  });

  it("shows progress, and stops when canceled", async () => {
    const { workbench, proxy } = window;
    proxy.addFault({ match: { path: /\/files\/slow/ }, action: { kind: "drip", parts: 1_000, milliseconds: 300 } });
    // A double click opens the file twice, and the editor would report both.
    await (await workbench.explorer.reveal("slow.txt")).click();
    const shown = await workbench.notifications.waitFor(/Opening slow\.txt: .* of 4\.0 MB/);
    await workbench.screenshot("big-file-opening");
    await shown.click("Cancel");
    await workbench.notifications.waitForNone("Opening slow.txt");
    await workbench.dialog.waitFor("Unable to open 'slow.txt'");
    await workbench.screenshot("big-file-cancelled");
    await workbench.dialog.cancel();
    await workbench.runCommand("View: Close All Editors");
  });

  it("saves a file in chunks to a temporary name, with progress", async () => {
    const { workbench, proxy } = window;
    await workbench.explorer.openFile("save.txt");
    await workbench.dialog.waitFor("save.txt is 9.0 MB");
    await workbench.dialog.click("Open");
    const editor = await workbench.editors.text("save.txt");
    await editor.waitForText("save.txt");
    await editor.focus();
    await workbench.page.keyboard.press("ControlOrMeta+a");
    // Only a file of more than 16 MB is saved in chunks.
    await workbench.runCommand("Copy Line Down");
    await workbench.editors.waitUntilDirty("save.txt");
    proxy.reset();
    const seen = Promise.withResolvers<void>();
    proxy.addFault({ match: { method: "PUT", nth: 3 }, action: { kind: "hold", until: seen.promise } });
    const saving = workbench.editors.save();
    // On a slow machine, the editor needs more than a minute to pass on this much text.
    await workbench.notifications.waitFor(/Saving save\.txt: .* of 18 MB/, 400);
    await workbench.screenshot("big-file-saving");
    seen.resolve();
    await saving;
    await workbench.editors.waitUntilSaved("save.txt");
    const puts = proxy.requests.filter(({ method }) => method === "PUT").map(({ path }) => path);
    assert.ok(puts.length === 4 && puts.every((path) => !path.endsWith("/save.txt")), puts.join("\n"));
    await waitFor("the file on the server", async () => (await stat(join(root, "save.txt"))).size > 17_000_000);
    const saved = await readFile(join(root, "save.txt"), "utf8");
    assert.equal(saved.split("save.txt\n").length, 3);
  });
});
