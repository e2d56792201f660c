import assert from "node:assert/strict";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import JSZip from "jszip";
import { expectedTitles, ownAmong } from "../../harness/manifest-menus.ts";
import { MarkdownPreview } from "../../harness/workbench/markdown-preview.ts";
import { clickOnce, repeatUntil, waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";
import { storedState } from "../tenant-window.ts";
import { screenshotInThemes } from "../themes.ts";

describe("the palette and transfers", () => {
  let window: ProxiedWindow;
  let root: string;

  useSharedFolder({}, (taken, directory) => {
    window = taken;
    root = directory;
  });

  it("goes to anything by a part of its name, which the platform searches for each type", async () => {
    const { workbench, proxy } = window;
    await workbench.runCommand("Platform: Go to Anything on the Platform…");
    await workbench.quickInput.waitForStep("Go to Anything on");
    await waitFor("every type in the list", async () => (await workbench.quickInput.labels()).length > 10);
    await screenshotInThemes(window, "go-to-anything");
    proxy.reset();
    await workbench.quickInput.type("sen");
    const search = { method: "POST", path: "/api/datascience/v1/search/workspaces" };
    await waitFor("the platform to be asked", async () => proxy.count(search) === 1);
    await waitFor("the type of each result in words, also while typing", async () => {
      const row = workbench.quickInput.widget.locator(".monaco-list-row", { hasText: "Sensor readings" }).first();
      return /^Sensor readings\s*workspace\b/.test(await row.innerText());
    });
    await workbench.quickInput.choose("Sensor readings");
    await workbench.quickInput.waitForStep("Open Sensor readings as Folder");
    await workbench.quickInput.cancel();
    await workbench.runCommand("Platform: Go to Anything on the Platform…");
    await workbench.quickInput.choose("Sensor readings");
    await workbench.quickInput.waitForStep("Open Sensor readings as Folder");
    await workbench.quickInput.cancel();
  });

  it("offers the commands of rows without a row, too: details, raw JSON, the id, and a link", async () => {
    const { workbench } = window;
    const choose = async (command: string, title: string): Promise<void> => {
      await workbench.runCommand(`Platform: ${command}`);
      await workbench.quickInput.waitForStep(title);
      await workbench.quickInput.type("Order board");
      await workbench.quickInput.choose("Order board");
    };
    const copied = (pattern: RegExp): Promise<string> =>
      waitFor(`${pattern} in the clipboard`, async () => {
        const text = await workbench.page.evaluate<string>("navigator.clipboard.readText()");
        return pattern.test(text) ? text : undefined;
      });
    const board = (await storedState(window)).designs.find(({ name }) => name === "Order board");
    assert.ok(board);
    await choose("Copy ID of…", "Copy the ID of Anything on");
    await copied(new RegExp(`^${board.id}$`));
    await choose("Copy Link to…", "Copy a Link to Anything on");
    // In a browser, the tenant's page, because links with the editor's scheme can't be clicked there.
    await copied(new RegExp(`^http.*/assetlibrary/${board.id}/overview$`));
    await choose("Show Raw JSON of…", "Show Raw JSON of Anything on");
    await (await workbench.editors.text("Order board.json")).waitForText('"name": "Order board"');
    await choose("Show Details of…", "Show Details of Anything on");
    const preview = new MarkdownPreview(workbench.page);
    await preview.waitForText("Latest version");
    // A preview takes the focus whenever it has loaded, possibly again after it showed its text, which closes a list.
    await workbench.runCommand("View: Close All Editors");
    await workbench.runCommand("Platform: Show Details of…");
    await workbench.quickInput.type("Sales forecasting");
    await workbench.quickInput.choose("Sales forecasting");
    const workspace = (await preview.waitForText("Output Data")).replace(/\s+/g, " ");
    assert.match(workspace, / Size 1 CPU \/ 8 GB Kernel Python 3\.12 Owner Ada Example /);
    assert.match(workspace, / Alias Dataset sales sales Output Data Alias Dataset sales_clean sales_clean/);
    await workbench.runCommand("View: Close All Editors");
  });

  it("goes to a remote file while the workspace is being listed, five folders at a time", async () => {
    const { workbench } = window;
    // The editor's own shortcut, which would search the user's computer.
    await workbench.page.keyboard.press("ControlOrMeta+p");
    await workbench.quickInput.waitForStep("Go to Remote File in Sales forecasting");
    await workbench.quickInput.type("holidays");
    await workbench.screenshot("go-to-file");
    await workbench.quickInput.choose(/holidays/);
    await workbench.quickInput.waitUntilClosed();
    await waitFor("the file's tab", async () =>
      workbench.page.locator(".tab.active", { hasText: "holidays" }).first().isVisible(),
    );
  });

  it("finds text in files and in the cells of notebooks, reports what it skipped, and opens the match", async () => {
    const { workbench } = window;
    await writeFile(join(root, "needle.py"), `one = 1\nstraw = "${"straw ".repeat(40)}" ; needle_in_haystack = 2\n`);
    await workbench.page.keyboard.press("ControlOrMeta+Shift+f");
    await workbench.quickInput.waitForStep("Search in Workspace");
    await workbench.quickInput.submit("needle_in_haystack");
    const view = await workbench.panel.view("Search Results");
    await view.tree.row("needle.py");
    await view.waitForMessage(/"needle_in_haystack" in Sales forecasting: 1 result in \d+ files searched/);
    await screenshotInThemes(window, "search-results");
    // A long line is cut before the match, so that the match is visible.
    const place = await view.tree.row(/^….{1,40}needle_in_haystack = 2/);
    const tab = workbench.page.locator(".part.editor .tab.active", { hasText: "needle.py" });
    await repeatUntil(
      "the place that was clicked to open",
      () => place.click(),
      async () => (await tab.count()) > 0,
    );
    const editor = await workbench.editors.text("needle.py");
    await editor.waitForText("needle_in_haystack");
    const inPanel = {
      view: "platformWorkbench.searchResults",
      activePanel: "workbench.view.extension.platformWorkbenchSearch",
    };
    const icons = expectedTitles("view/title", inPanel);
    assert.equal(icons.length, 3);
    assert.deepEqual(ownAmong(await view.titleActions()), icons);
    await view.clickTitleAction("Clear Search Results");
    const panel = workbench.page.locator(".part.panel");
    await waitFor("the panel to close", async () => !(await panel.isVisible()));
  });

  // Proves 4.2: Recursive listing: begins at the content path, the root by default
  // Proves 4.2: Recursive listing: ignored folders are matched against path segments
  // Proves 4.2: Recursive listing: file types apply only to files; Recursive listing: it is recursive by default
  // Proves 4.2: Recursive listing: hidden names are skipped by default
  it("searches the files that the user chooses: folder, ignored folders, file types, subfolders, hidden files", async () => {
    const { workbench } = window;
    await mkdir(join(root, "haystack", "skipped"), { recursive: true });
    for (const name of ["one.py", "two.txt", ".three.py", "skipped/four.py"]) {
      await writeFile(join(root, "haystack", name), "chosen_needle = 1\n");
    }
    const { quickInput } = workbench;
    const chooseFiles = async (
      folder: string,
      { ignored = "", types = "py", subfolders = "Search Subfolders", hidden = "Skip Hidden Files" },
    ): Promise<void> => {
      await workbench.runCommand("Platform: Search in Workspace…");
      await quickInput.waitForStep("Search in Workspace");
      await quickInput.type("chosen_needle");
      await quickInput.clickButton("Choose Files to Search");
      await quickInput.waitForStep("Folder to search");
      await quickInput.submit(folder);
      await quickInput.waitForStep("Names of folders to ignore");
      await quickInput.submit(ignored);
      await quickInput.waitForStep("File types to search");
      await quickInput.submit(types);
      await quickInput.choose(subfolders);
      await quickInput.choose(hidden);
      await quickInput.waitForStep(folder === "" ? "Search in Workspace" : `in ${folder}`);
      assert.equal(await quickInput.value(), "chosen_needle");
      await quickInput.accept();
    };
    await chooseFiles("haystack", { ignored: "skipped" });
    const view = await workbench.panel.view("Search Results");
    await view.waitForMessage(/"chosen_needle" in Sales forecasting: 1 result in/);
    await view.tree.row("one.py");
    await chooseFiles("haystack", {});
    await view.waitForMessage(/: 2 results/);
    await chooseFiles("haystack", { subfolders: "This Folder Only", hidden: "Search Hidden Files" });
    // The content server itself does not return hidden files.
    await view.waitForMessage(/"chosen_needle" in Sales forecasting: 1 result in/);
    await chooseFiles("", { types: "" });
    await view.waitForMessage(/"chosen_needle" in Sales forecasting: 3 results in/);
    await view.clickTitleAction("Clear Search Results");
  });

  it("leads from the editor's Search view, which finds only open files, to the search of the workspace", async () => {
    const { workbench } = window;
    await workbench.runCommand("View: Show Search");
    const view = await workbench.sideBar.view("Search");
    await workbench.screenshot("editor-search");
    await view.clickTitleAction("Search All Files of the Workspace, Not Only Open Ones");
    await workbench.quickInput.waitForStep("Search in Workspace");
    await workbench.quickInput.cancel();
    await workbench.explorer.open();
  });

  it("shows the tenant in the status bar, with its menu on a click", async () => {
    const { workbench } = window;
    await clickOnce("the tenant", workbench.page.locator(".statusbar-item", { hasText: "Sample" }).first());
    await workbench.quickInput.waitForStep(/Platform · /);
    await screenshotInThemes(window, "tenant-menu");
    const labels = await workbench.quickInput.labels();
    assert.ok(labels.includes("Go to Anything on the Platform…") && labels.includes("Show Log"), labels.join());
    await workbench.quickInput.cancel();
  });

  it("copies a link to a file, and opens a link", async () => {
    const { workbench } = window;
    await (await workbench.explorer.reveal("needle.py")).chooseFromContextMenu("Copy Platform Link");
    const link = await waitFor("the link in the clipboard", async () => {
      const text = await workbench.page.evaluate<string>("navigator.clipboard.readText()");
      return text.includes("needle.py") ? text : undefined;
    });
    // An address that a browser can open, because the editor runs in one.
    const { origin, searchParams } = new URL(link);
    assert.equal(origin, new URL(workbench.page.url()).origin);
    const workspace = searchParams.get("workspace") ?? "";
    assert.match(
      workspace,
      /^platform-documents:\/\/[\w-]+\.sample\/workspace-file\/Sales%20forecasting\.code-workspace$/,
    );
    const { host } = new URL(workspace);
    assert.deepEqual(JSON.parse(searchParams.get("payload") ?? ""), [
      ["openFile", `platform-contents://${host}/needle.py`],
    ]);
    await workbench.editors.close("needle.py");
    await workbench.runCommand("Platform: Open Link…");
    await workbench.quickInput.waitForStep("Open Link");
    assert.equal(await workbench.quickInput.value(), link);
    await workbench.quickInput.accept();
    await (await workbench.editors.text("needle.py")).waitForText("needle_in_haystack");
  });

  it("uploads a folder, asks once about all existing files, and reports what it skipped", async () => {
    const { workbench, dataDirectory } = window;
    const local = join(dataDirectory, "local");
    await mkdir(join(local, "batch", "inner"), { recursive: true });
    await writeFile(join(local, "batch", "a.txt"), "new a\n");
    await writeFile(join(local, "batch", "inner", "b.bin"), Buffer.from([0, 255, 13, 10]));
    await mkdir(join(root, "batch"), { recursive: true });
    await writeFile(join(root, "batch", "a.txt"), "old a\n");
    const upload = async (): Promise<void> => {
      await workbench.runCommand("Platform: Upload Folder from the Editor's Server…");
      await workbench.quickInput.submitPath("Upload Folder from the Editor's Server", join(local, "batch"));
    };
    await upload();
    const asked = await workbench.dialog.waitFor("Replace 1 file in Sales forecasting?");
    assert.match(asked.detail, /^batch\/a\.txt$/);
    await workbench.screenshot("upload-replace");
    await workbench.dialog.click("Skip");
    await workbench.notifications.waitFor(/Uploaded 1 file .* batch\/a\.txt was skipped: it already exists\.$/);
    assert.equal(await readFile(join(root, "batch", "a.txt"), "utf8"), "old a\n");
    assert.deepEqual([...(await readFile(join(root, "batch", "inner", "b.bin")))], [0, 255, 13, 10]);
    await workbench.notifications.dismissAll();
    await upload();
    await workbench.dialog.waitFor("Replace 2 files in Sales forecasting?");
    await workbench.dialog.click("Replace");
    await workbench.notifications.waitFor(/Uploaded 2 files/);
    assert.equal(await readFile(join(root, "batch", "a.txt"), "utf8"), "new a\n");
    await workbench.notifications.dismissAll();
  });

  it("downloads a folder, also as a ZIP archive", async () => {
    const { workbench, dataDirectory } = window;
    const into = join(dataDirectory, "into");
    await mkdir(into);
    await (await workbench.explorer.reveal("batch")).chooseFromContextMenu(
      "Transfer with the Editor's Server",
      "Download to the Editor's Server…",
    );
    await workbench.quickInput.submitPath("Download to the Editor's Server", into);
    await workbench.notifications.waitFor(/Downloaded 2 files/);
    assert.equal(await readFile(join(into, "batch", "a.txt"), "utf8"), "new a\n");
    assert.deepEqual([...(await readFile(join(into, "batch", "inner", "b.bin")))], [0, 255, 13, 10]);
    await workbench.notifications.dismissAll();

    await (await workbench.explorer.reveal("batch")).chooseFromContextMenu(
      "Transfer with the Editor's Server",
      "Download Folder as ZIP to the Editor's Server…",
    );
    await workbench.quickInput.submitPath("Download Folder as ZIP to the Editor's Server", join(into, "batch.zip"));
    await workbench.notifications.waitFor(/Saved 2 files \(10 bytes\)/);
    const archive = await JSZip.loadAsync(await readFile(join(into, "batch.zip")));
    assert.equal(await archive.file("batch/a.txt")?.async("string"), "new a\n");
    assert.deepEqual([...((await archive.file("batch/inner/b.bin")?.async("uint8array")) ?? [])], [0, 255, 13, 10]);
  });

  it("accepts a file that is dropped into the Explorer", async () => {
    const { workbench, dataDirectory } = window;
    await workbench.explorer.open();
    const file = join(dataDirectory, "dropped.txt");
    await writeFile(file, "dropped\n");
    const row = await workbench.explorer.reveal("batch");
    const protocol = await workbench.page.context().newCDPSession(workbench.page);
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    const taking = workbench.page.locator(".explorer-folders-view .monaco-list-row.drop-target").first();
    const drop = async (): Promise<void> => {
      const box = await row.locator.boundingBox();
      assert.ok(box !== null);
      const at = { x: box.x + 60, y: box.y + box.height / 2 };
      for (const type of ["dragEnter", "dragOver", "drop"] as const) {
        await protocol.send("Input.dispatchDragEvent", { type, ...at, data });
        if (type === "dragOver") await taking.waitFor({ timeout: 2_000 });
      }
    };
    await repeatUntil("the dropped file on the server", drop, async () => {
      try {
        return (await readFile(join(root, "batch", "dropped.txt"), "utf8")) === "dropped\n";
      } catch {
        return false;
      }
    });
    // The editor opens the file and selects its row. Until then, a command for another row would apply to this one.
    const dropped = workbench.page.locator(".explorer-folders-view .monaco-list-row.selected", {
      hasText: "dropped.txt",
    });
    await waitFor("the dropped file to be selected", () => dropped.isVisible(), {
      describe: () => workbench.page.locator(".explorer-folders-view .monaco-list-row.selected").innerText(),
    });
  });

  it("explains a name that the server rejects, without internal names", async () => {
    const { workbench } = window;
    const reason = (path: string): string => `The content server doesn't accept names that begin with a dot: ${path}.`;
    const told = async (): Promise<readonly string[]> => {
      const texts = await workbench.notifications.texts();
      await workbench.notifications.dismissAll();
      return texts;
    };
    await workbench.notifications.dismissAll();
    await workbench.explorer.rename("needle.py", ".needle.py");
    await workbench.notifications.waitFor(reason(".needle.py"));
    assert.deepEqual(await told(), [reason(".needle.py")]);
    await workbench.explorer.create("folder", "batch", ".git");
    await workbench.notifications.waitFor(reason("batch/.git"));
    assert.deepEqual(await told(), [reason("batch/.git")]);
    await workbench.explorer.create("file", "batch", ".env");
    await workbench.notifications.waitFor(reason("batch/.env"));
    await workbench.screenshot("refused-name");
    const [only, ...others] = await told();
    // The words before the reason are the editor's.
    assert.ok(only?.startsWith("Unable to write file ") === true && only.endsWith(` (${reason("batch/.env")})`), only);
    assert.deepEqual(others, []);
    assert.deepEqual(
      (await readdir(join(root, "batch"))).filter((name) => /^untitled|^\.(?!ipynb_checkpoints)/.test(name)),
      [],
    );
  });

  it("doesn't recreate a deleted folder without its content on Undo, and explains why", async () => {
    const { workbench } = window;
    const isOnServer = (): Promise<boolean> =>
      access(join(root, "batch")).then(
        () => true,
        () => false,
      );
    await workbench.explorer.delete("batch");
    await workbench.dialog.waitFor(/irreversible/);
    await workbench.dialog.click("Delete");
    await workbench.explorer.tree.waitForNoRow("batch");
    assert.equal(await isOnServer(), false);
    await (await workbench.explorer.reveal("needle.py")).click();
    await workbench.page.keyboard.press("ControlOrMeta+z");
    await workbench.notifications.waitFor(
      /^Can't undo the deletion of batch: its files were deleted from the server\./,
    );
    await workbench.explorer.tree.waitForNoRow("batch");
    assert.equal(await isOnServer(), false);
    await workbench.notifications.dismissAll();
  });
});
