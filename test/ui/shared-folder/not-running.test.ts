import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { waitFor } from "../../harness/workbench/waiting.ts";
import { type ProxiedWindow, withoutEditorMessages } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";
import { workspaceNamed } from "../tenant-window.ts";

describe("a workspace that stops while its files have unsaved changes", () => {
  let window: ProxiedWindow;
  let id: string;
  let root: string;

  const files = { "kept.py": "one = 1\n", "clean.py": "seen = 1\n", "reports/seen.py": "seen = 1\n" };
  useSharedFolder(files, (taken, directory) => {
    window = taken;
    root = directory;
    id = workspaceNamed(window, "Sales forecasting").id;
  });
  after(() => window?.tenant.startWorkspace(id));

  it("a save reports it once for each file, with the remedy, and the changes stay in the editors", async () => {
    const { workbench, tenant } = window;
    await workbench.explorer.openFile("kept.py");
    const text = await workbench.editors.text("kept.py");
    await text.waitForText("one = 1");
    await text.append("two = 2\n");
    await workbench.editors.waitUntilDirty("kept.py");
    await workbench.explorer.openFile("forecast.ipynb");
    const notebook = await workbench.editors.notebook("forecast.ipynb");
    await notebook.insertCodeCellBelow(1, "kept = True");
    await workbench.editors.waitUntilDirty("forecast.ipynb");

    await tenant.stopWorkspace(id);
    await workbench.editors.save();
    const told = await workbench.notifications.waitFor(/^Failed to save 'forecast\.ipynb'/, 30);
    assert.match(await told.text(), /Sales forecasting is stopped\. Start it, and the file is saved automatically\./);
    await workbench.editors.show("kept.py");
    await workbench.editors.save();
    // By then, the extension has sent all its messages about the file.
    await workbench.notifications.waitFor(/^Failed to save 'kept\.py'/);
    const texts = await workbench.notifications.texts();
    await workbench.screenshot("stopped");
    assert.deepEqual(withoutEditorMessages(texts), []);
    assert.equal(texts.length, 2, JSON.stringify(texts));
    for (const text of texts) {
      assert.doesNotMatch(text, /token|doesn't exist/);
    }
    assert.equal(await workbench.editors.isDirty("kept.py"), true);
    assert.equal(await workbench.editors.isDirty("forecast.ipynb"), true);
    assert.doesNotMatch(await readFile(join(root, "forecast.ipynb"), "utf8"), /kept = True/);
  });

  it("opening another file also reports it once", async () => {
    const { workbench } = window;
    // A double click opens the file twice, and the editor shows its dialog for each.
    await (await workbench.explorer.reveal("requirements.txt")).click();
    const told = await workbench.dialog.waitFor("Unable to open 'requirements.txt'");
    assert.equal(told.detail, "The workspace Sales forecasting isn't running.");
    await workbench.page.keyboard.press("Escape");
    await waitFor("the dialog to close", async () => !(await workbench.dialog.isOpen()));
    const offered = await workbench.notifications.waitFor(/^The workspace Sales forecasting isn't running\.$/);
    assert.deepEqual(await offered.actions(), ["Start Workspace", "Show Log"]);
    await workbench.screenshot("stopped-opening");
    assert.equal((await workbench.notifications.texts()).length, 3);
    assert.equal(await workbench.dialog.isOpen(), false);
  });

  it("Start it starts the workspace with progress, and all saves are then retried automatically", async () => {
    const { workbench, tenant } = window;
    await workbench.sideBar.open("Platform");
    const told = await workbench.notifications.waitFor(/^Failed to save 'kept\.py'/);
    await told.clickLink("Start it");
    await workbench.notifications.waitFor("Starting Sales forecasting");
    await workbench.screenshot("stopped-starting");
    await waitFor("the start", async () => workspaceNamed(window, "Sales forecasting").status === "bootstrapping");
    await tenant.startWorkspace(id);
    await workbench.editors.waitUntilSaved("kept.py", 60);
    await workbench.editors.waitUntilSaved("forecast.ipynb", 60);
    assert.equal(tenant.workspaces.find((workspace) => workspace.id === id)?.status, "running");
    assert.equal(await readFile(join(root, "kept.py"), "utf8"), "one = 1\ntwo = 2\n");
    assert.match(await readFile(join(root, "forecast.ipynb"), "utf8"), /kept = True/);
    await workbench.screenshot("stopped-saved");
    assert.ok((await workbench.sideBar.views()).includes("Workspaces"), "the Explorer came to the front");
  });

  it("a save of a file without changes reports it once, with the remedy", async () => {
    const { workbench, tenant } = window;
    await workbench.notifications.dismissAll();
    for (const path of ["clean.py", "reports/seen.py"]) {
      await workbench.explorer.openFile(path);
      const name = basename(path);
      await (await workbench.editors.text(name)).waitForText("seen = 1");
    }
    await tenant.stopWorkspace(id);
    for (const name of ["clean.py", "seen.py"]) {
      await workbench.editors.show(name);
      await workbench.editors.save();
      const told = await workbench.notifications.waitFor(new RegExp(`^Failed to save '${name.replace(".", "\\.")}'`));
      assert.match(await told.text(), /Sales forecasting is stopped\. Start it, and the file is saved automatically\./);
    }
    await workbench.screenshot("stopped-clean");
    assert.equal(
      (await workbench.notifications.texts()).length,
      2,
      JSON.stringify(await workbench.notifications.texts()),
    );
    await workbench.sideBar.open("Platform");
    const told = await workbench.notifications.waitFor(/^Failed to save 'clean\.py'/);
    await told.clickLink("Start it");
    await waitFor("the start", async () => workspaceNamed(window, "Sales forecasting").status === "bootstrapping");
    await tenant.startWorkspace(id);
    for (const name of ["clean.py", "seen.py"]) await workbench.editors.waitUntilSaved(name, 60);
    await workbench.notifications.waitForNone("Failed to save");
  });

  it("reports why a deletion fails while the server does not respond, not that the file is missing", async () => {
    const { workbench, proxy, contentPath } = window;
    await workbench.notifications.dismissAll();
    await workbench.explorer.reveal("reports/seen.py");
    proxy.addFault({ match: { path: contentPath }, action: { kind: "cut", when: "before" } });
    // The failed deletion of the folder invalidates what was listed, so the file's metadata has to be requested.
    for (const [path, kind] of [
      ["reports", "a folder"],
      ["requirements.txt", "a file"],
    ] as const) {
      await workbench.explorer.delete(path);
      await workbench.dialog.waitFor(/permanently delete/);
      await workbench.dialog.click("Delete");
      const told = await workbench.dialog.waitFor("Can't delete");
      await workbench.screenshot(`outage-deleting ${kind}`);
      assert.match(
        `${told.message}${told.detail}`,
        new RegExp(`^Can't delete ${path}: .* Check the network, then try again\\.$`),
      );
      assert.doesNotMatch(`${told.message}${told.detail}`, /nonexistent|doesn't exist|does not exist/);
      await workbench.dialog.cancel();
    }
    proxy.clearFaults();
    await access(join(root, "requirements.txt"));
    await access(join(root, "reports", "seen.py"));
    await workbench.notifications.dismissAll();
  });

  it("renaming, creating, and deleting in the Explorer report why they fail, without internal names", async () => {
    const { workbench, tenant } = window;
    await workbench.notifications.dismissAll();
    await workbench.explorer.reveal("reports/seen.py");
    await tenant.stopWorkspace(id);
    const reason = "The workspace Sales forecasting isn't running.";
    await workbench.explorer.rename("requirements.txt", "needs.txt");
    await workbench.notifications.waitFor(new RegExp(`^${reason}$`));
    await workbench.screenshot("stopped-renaming");
    await workbench.notifications.dismissAll();
    await workbench.explorer.create("folder", "reports", "new");
    await workbench.notifications.waitFor(new RegExp(`^${reason}$`));
    await workbench.notifications.dismissAll();
    await workbench.explorer.create("file", "reports", "new.py");
    const created = await workbench.notifications.waitFor("Unable to write file");
    assert.ok((await created.text()).endsWith(`(${reason})`), await created.text());
    await workbench.notifications.dismissAll();
    await workbench.explorer.delete("requirements.txt");
    await workbench.dialog.waitFor(/permanently delete 'requirements\.txt'/);
    await workbench.dialog.click("Delete");
    const deleted = await workbench.dialog.waitFor(reason);
    await workbench.screenshot("stopped-deleting");
    assert.equal(`${deleted.message}${deleted.detail}`, reason);
    await workbench.dialog.cancel();
  });
});
