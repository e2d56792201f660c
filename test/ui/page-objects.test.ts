import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WindowBrowser } from "../harness/editor-host/browser.ts";
import { recurringPort } from "../harness/free-port.ts";
import { withPatience } from "../harness/workbench/waiting.ts";
import { Workbench } from "../harness/workbench/workbench.ts";
import { type Editor, takeEditor } from "./editor.ts";
import { reportFailures } from "./failure-reports.ts";

const notebook = {
  cells: [
    { cell_type: "markdown", id: "one", metadata: {}, source: ["# Sales"] },
    { cell_type: "code", execution_count: null, id: "two", metadata: {}, outputs: [], source: ["total = 1"] },
  ],
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } },
  nbformat: 4,
  nbformat_minor: 5,
};

describe("page objects, against the editor's own features and a probe extension", () => {
  let folder: string;
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "platform-workbench-folder-"));
    await mkdir(join(folder, "notes"));
    await writeFile(join(folder, "notes", "todo.txt"), "first line\n");
    await writeFile(join(folder, "sales.ipynb"), JSON.stringify(notebook));
    editor = await takeEditor({ tenantFile: [] });
    workbench = await Workbench.open(editor.browser, editor.server, {
      folder,
      extensionDevelopmentPath: join(import.meta.dirname, "..", "harness", "probe-extension"),
    });
  });
  reportFailures(() => workbench);
  after(async () => {
    await editor?.release();
    await rm(folder, { recursive: true, force: true });
  });

  it("opens a text file from the Explorer, edits it, and saves it", async () => {
    await workbench.explorer.openFile("notes/todo.txt");
    const editor = await workbench.editors.text("todo.txt");
    await editor.waitForText("first line");
    await editor.append("second line\n");
    await workbench.editors.waitUntilDirty("todo.txt");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved("todo.txt");
    assert.equal(await readFile(join(folder, "notes", "todo.txt"), "utf8"), "first line\nsecond line\n");
  });

  it("opens a notebook, edits a cell, adds one, and saves", async () => {
    await workbench.explorer.openFile("sales.ipynb");
    const editor = await workbench.editors.notebook("sales.ipynb");
    assert.equal(await editor.cellCount(), 2);
    await editor.waitForRendered("Sales");
    assert.equal(await editor.cellText(1), "total = 1");
    await editor.appendToCell(1, " + 41");
    await editor.insertCodeCellBelow(1, "print(total)");
    await workbench.editors.waitUntilDirty("sales.ipynb");
    await workbench.screenshot("page-objects-notebook");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved("sales.ipynb");
    const saved = JSON.parse(await readFile(join(folder, "sales.ipynb"), "utf8"));
    assert.deepEqual(
      saved.cells.map((cell: { source: string[] }) => cell.source.join("")),
      ["# Sales", "total = 1 + 41", "print(total)"],
    );
  });

  it("reaches the cells of a long notebook that are not visible", async () => {
    const cells = Array.from({ length: 12 }, (_, index) => ({
      ...{ cell_type: "code", execution_count: null, id: `cell-${index}`, metadata: {}, outputs: [] },
      source: [`x = ${index}\n`, "y = 2\n", "z = 3"],
    }));
    await writeFile(join(folder, "long.ipynb"), JSON.stringify({ ...notebook, cells }));
    await workbench.explorer.openFile("long.ipynb");
    const editor = await workbench.editors.notebook("long.ipynb");
    assert.equal(await editor.cellCount(), 12);
    assert.match(await editor.cellText(9), /^x = 9\n/);
    await editor.insertCodeCellBelow(2, "inserted = True");
    assert.equal(await editor.cellCount(), 13);
    await editor.appendToCell(12, "\nlast = True");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved("long.ipynb");
    const saved = JSON.parse(await readFile(join(folder, "long.ipynb"), "utf8"));
    assert.equal(saved.cells[3].source.join(""), "inserted = True");
    assert.match(saved.cells[12].source.join(""), /^x = 11\n[\s\S]*last = True$/);
  });

  it("creates, renames, and deletes in the Explorer", async () => {
    await workbench.explorer.create("file", "notes", "new.txt");
    await workbench.editors.waitForTab("new.txt");
    await workbench.explorer.rename("notes/new.txt", "newer.txt");
    assert.equal(await readFile(join(folder, "notes", "newer.txt"), "utf8"), "");
    await workbench.explorer.delete("notes/newer.txt");
    await workbench.dialog.waitFor("newer.txt");
    await workbench.dialog.click(/Delete|Move to Trash/);
    await workbench.explorer.tree.waitForNoRow("newer.txt");
  });

  it("reads a tree and uses its actions, menus, dialogs, and notifications", async () => {
    await workbench.sideBar.open("Probe");
    const view = await workbench.sideBar.view("Fruit");
    const pear = await view.tree.reveal("Pome", "Pear");
    assert.deepEqual(await view.tree.rows(), [
      { label: "Pome", description: "2 kinds", level: 1, expanded: true },
      { label: "Apple", description: "ripe", level: 2, expanded: undefined },
      { label: "Pear", description: "ripe", level: 2, expanded: undefined },
      { label: "Stone fruit", description: "1 kinds", level: 1, expanded: false },
    ]);
    await pear.tooltip("Pear is a fruit");
    assert.deepEqual(await pear.inlineActions(), ["Peel"]);
    await pear.clickInlineAction("Peel");
    await workbench.notifications.waitFor("Peeled Pear");
    await workbench.notifications.dismissAll();

    await pear.chooseFromContextMenu("Compost");
    const asked = await workbench.dialog.waitFor("Compost Pear?");
    assert.equal(asked.detail, "It can't be eaten afterwards.");
    assert.deepEqual((await workbench.dialog.buttons()).sort(), ["Cancel", "Compost"]);
    await workbench.screenshot("page-objects-dialog");
    await workbench.dialog.click("Compost");
    await workbench.notifications.waitFor("Composted Pear");
    await workbench.notifications.dismissAll();

    await view.clickTitleAction("Refresh Fruit");
    await view.waitForMessage("Refreshed");
  });

  it("uses a quick pick and an input box, from a welcome button and from the palette", async () => {
    await workbench.sideBar.open("Probe");
    const view = await workbench.sideBar.view("Empty");
    assert.match(await view.welcomeText(), /Nothing here/);
    await view.clickWelcomeButton("Ask Me");
    await workbench.quickInput.waitForStep("Which fruit");
    await workbench.quickInput.cancel();

    await workbench.runCommand("Probe: Ask");
    await workbench.quickInput.waitForStep("Kind");
    assert.deepEqual(await workbench.quickInput.labels(), ["Apple", "Pear"]);
    await workbench.quickInput.choose("Pear");
    await workbench.quickInput.waitForStep("How many");
    assert.equal(await workbench.quickInput.isPassword(), true);
    await workbench.quickInput.type("x");
    await workbench.quickInput.waitForStep("Enter a number.");
    await workbench.quickInput.submit("3");
    const notification = await workbench.notifications.waitFor("3 of Pear");
    assert.deepEqual(await notification.actions(), ["Eat", "Throw Away"]);
    await notification.click("Throw Away");
    await workbench.notifications.waitFor("Chosen: Throw Away");
  });

  it("reports what it waited for, and what it found", async () => {
    await assert.rejects(
      withPatience(1, () => workbench.explorer.tree.row("missing.txt")),
      /waited 1 s for a row missing.txt in the Explorer/,
    );
  });

  it("gives each window an empty profile, also next to another window", async () => {
    const own = await WindowBrowser.start({ port: await recurringPort() });
    const visit = async (): Promise<{ readonly stored: string; release(): Promise<void> }> => {
      const { context, release } = await own.takeProfile(editor.server.url);
      const page = await context.newPage();
      await page.goto(`${editor.server.url}/version`);
      const stored = await page.evaluate<string>("document.cookie + (localStorage.getItem('mine') ?? '')");
      await page.evaluate("document.cookie = 'mine=1; max-age=9999'; localStorage.setItem('mine', 'kept')");
      return { stored, release };
    };
    try {
      const first = await visit();
      const beside = await visit();
      await first.release();
      const later = await visit();
      assert.deepEqual([first.stored, beside.stored, later.stored], ["", "", ""]);
    } finally {
      await own.close();
    }
    // A later browser for the port has the code of the editor, and nothing else.
    assert.deepEqual(await readdir(own.directory), ["Default"]);
    assert.deepEqual((await readdir(join(own.directory, "Default"))).sort(), ["Cache", "Code Cache"]);
  });
});
