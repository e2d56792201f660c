import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { applies, type Context } from "../../harness/conditions.ts";
import { commandCategory, expectedTitles, menus, ownAmong, titles } from "../../harness/manifest-menus.ts";
import type { ContextMenu } from "../../harness/workbench/context-menu.ts";
import type { View } from "../../harness/workbench/side-bar.ts";
import { waitFor, waitForSame } from "../../harness/workbench/waiting.ts";
import { assertRowEntries, isIcon } from "../row-entries.ts";
import { rowPaths } from "../row-paths.ts";
import { useSharedFolder } from "../shared-window.ts";
import type { TenantWindow } from "../tenant-window.ts";

const isInOverflow = (group: string): boolean => !isIcon(group);

/** The values of the context keys for this document or file. */
function contextOf(scheme: string, path: string, others: Context = {}): Context {
  const resource = (of: string): string => `${scheme}://authority${of}`;
  const keys: Context = {
    resource: resource(path),
    resourceScheme: scheme,
    // These windows are in a browser.
    "platformWorkbench.inBrowser": true,
    resourcePath: path,
    resourceFilename: basename(path),
    resourceExtname: extname(path),
    "platformWorkbench.changedOnServer": [resource("/changed.py")],
  };
  return Object.fromEntries([...Object.entries(keys), ...Object.entries(others)]);
}

/** One command for each condition on the active document: the editor decides by the condition alone. */
const conditional = [...Map.groupBy(menus.commandPalette ?? [], ({ when = "" }) => when)]
  .filter(([when]) => /resourceScheme/.test(when))
  .flatMap(([, commands]) => commands.slice(0, 1));

const ids: Readonly<Record<string, string>> = {
  "App Designs": "designs",
  "Code Engine": "functions",
  "App Studio": "apps",
};

describe("the menus", () => {
  let window: TenantWindow;
  let root: string;

  useSharedFolder(
    { "prices.py": "price = 1\n", "changed.py": "price = 1\n" },
    (taken, directory) => {
      window = taken;
      root = directory;
    },
    // For the rows of a view.
    { width: 1280, height: 1000 },
  );

  describe("of files", () => {
    const scheme = "platform-contents";
    const operation = "workflows.create.body.json";
    const documents = [
      { tab: "prices.py", kind: "a text file", context: contextOf(scheme, "/prices.py"), icons: 1 },
      {
        tab: "forecast.ipynb",
        kind: "a notebook",
        context: contextOf(scheme, "/forecast.ipynb", {
          notebookType: "jupyter-notebook",
          notebookKernel: "platform-workbench.platform-workbench/1",
        }),
        icons: 0,
      },
      { tab: "changed.py", kind: "a file changed on the server", context: contextOf(scheme, "/changed.py"), icons: 3 },
      {
        tab: operation,
        kind: "an API operation",
        context: contextOf("platform-documents", `/operation-body/${operation}`),
        icons: 2,
      },
      { tab: "Untitled-1", kind: "an untitled document", context: contextOf("untitled", "/Untitled-1"), icons: 0 },
      { tab: "settings.json", kind: "the settings", context: contextOf("vscode-remote", "/settings.json"), icons: 0 },
    ] as const;

    before(async () => {
      const { workbench } = window;
      await workbench.explorer.openFile("changed.py");
      const changed = await workbench.editors.text("changed.py");
      await changed.append("ours = True\n");
      await workbench.editors.waitUntilDirty("changed.py");
      await writeFile(join(root, "changed.py"), "price = 2\ntheirs = True\n");
      await workbench.explorer.openFile("prices.py");
      await (await workbench.editors.text("prices.py")).waitForText("price = 1");
      await workbench.explorer.openFile("forecast.ipynb");
      await workbench.editors.notebook("forecast.ipynb");
      await workbench.runCommand("Platform: Run API Operation…");
      await workbench.quickInput.waitForStep(/API Operation/);
      await workbench.quickInput.type("workflows.create");
      await workbench.quickInput.choose(/^workflows\.create/);
      await workbench.editors.waitForTab(operation, { active: true });
      await workbench.runCommand("File: New Untitled Text File");
      await workbench.editors.waitForTab("Untitled-1", { active: true });
      await workbench.runCommand("Preferences: Open User Settings (JSON)");
      await workbench.editors.waitForTab("settings.json", { active: true });
    });

    /** Takes a screenshot of an open menu, closes it, and returns its entries. */
    async function allIn(menu: ContextMenu, name: string): Promise<readonly string[]> {
      const shown = await menu.titles();
      await window.workbench.screenshot(`menu ${name}`);
      await menu.dismiss();
      return shown;
    }

    /** Does the same, and returns our entries. */
    async function ownIn(menu: ContextMenu, name: string): Promise<readonly string[]> {
      return ownAmong(await allIn(menu, name));
    }

    for (const { tab, kind, context, icons } of documents) {
      const isInWorkspace = context.resourceScheme === scheme;
      const hasCommands = isInWorkspace || tab === operation;

      it(`title of ${kind}: the icons and the … menu have exactly our entries for it`, async () => {
        const { workbench } = window;
        await workbench.editors.show(tab);
        // The editor puts what runs a file first.
        const wantedIcons = ["editor/title/run", "editor/title"].flatMap((menu) =>
          expectedTitles(menu, context, isIcon),
        );
        assert.equal(wantedIcons.length, icons);
        const shown = async (): Promise<string> => JSON.stringify(ownAmong(await workbench.editors.titleActions()));
        const wanted = JSON.stringify(wantedIcons);
        // A change on the server is noticed with the next poll of the folder.
        await waitFor(`the icons ${wanted}`, async () => (await shown()) === wanted, { seconds: 60, describe: shown });
        const entries = expectedTitles("editor/title", context, isInOverflow);
        assert.equal(entries.length > 0, isInWorkspace);
        assert.deepEqual(await ownIn(await workbench.editors.openTitleMenu(), `above ${kind}`), entries);
      });

      it(`tab of ${kind}: the menu has exactly our entries for it`, async () => {
        const { workbench } = window;
        await workbench.editors.show(tab);
        const entries = expectedTitles("editor/title/context", context);
        assert.equal(entries.length > 0, isInWorkspace);
        assert.deepEqual(await ownIn(await workbench.editors.openTabMenu(tab), `on the tab of ${kind}`), entries);
      });

      it(`with ${kind} active: the palette has ${hasCommands ? "" : "none of "}the commands for such documents`, async () => {
        const { workbench } = window;
        await workbench.editors.show(tab);
        assert.ok(conditional.length > 0);
        assert.equal(
          conditional.some(({ when }) => applies(when, context)),
          hasCommands,
        );
        for (const { command, when } of conditional) {
          const isWanted = applies(when, context);
          const label = `${commandCategory}: ${titles.get(command ?? "")}`;
          const labels = await workbench.commandsFor(label);
          assert.equal(labels.includes(label), isWanted, `${label}: ${labels.join()}`);
        }
        await workbench.quickInput.cancel();
      });
    }

    it("shows our entries in a notebook toolbar only with one of our kernels", async () => {
      const { workbench } = window;
      const { editors } = workbench;
      const own = async (name: string): Promise<readonly string[]> => {
        const shown = await (await editors.notebook(name)).toolbarActions();
        assert.ok(shown.includes("Run All"), shown.join());
        return ownAmong(shown);
      };
      const wanted = expectedTitles("notebook/toolbar", {
        ...{ notebookKernel: "platform-workbench.platform-workbench/1", notebookType: "jupyter-notebook" },
        resourceScheme: "platform-contents",
      });
      assert.equal(wanted.length, 6);
      // Those without room are in a menu, after the others.
      assert.deepEqual((await own("forecast.ipynb")).toSorted(), wanted.toSorted());
      await workbench.runCommand("Create: New Jupyter Notebook");
      await editors.waitForTab("Untitled-1.ipynb", { active: true });
      assert.deepEqual(await own("Untitled-1.ipynb"), []);
    });

    for (const [kind, path, others] of [
      ["a text file", "prices.py", {}],
      ["a notebook", "forecast.ipynb", {}],
      ["a folder", "reports", { explorerResourceIsFolder: true }],
    ] as const) {
      it(`${kind} in the Explorer: the menu has exactly our entries for it`, async () => {
        const { workbench } = window;
        const entries = expectedTitles("explorer/context", contextOf(scheme, `/${path}`, others));
        assert.ok(entries.length > 0);
        const row = await workbench.explorer.reveal(path);
        assert.deepEqual(await ownIn(await row.openContextMenu(), `in the Explorer on ${kind}`), entries);
      });
    }

    it("folder in the Explorer: has one set of transfers, and a submenu for the editor's server", async () => {
      const row = await window.workbench.explorer.reveal("reports");
      const shown = await allIn(await row.openContextMenu(), "in the Explorer on a folder, of transfers");
      const names = shown.map((title) => title.replace(/(?:…|\.\.\.)$/, ""));
      assert.deepEqual(names, [...new Set(names)]);
      const transfers = names.filter((name) => /upload|download|transfer/i.test(name));
      assert.deepEqual(transfers.toSorted(), ["Download", "Transfer with the Editor's Server", "Upload"]);
    });
  });

  describe("of views and rows", () => {
    before(() => window.workbench.sideBar.open("Platform"));

    /** The view alone, so that it has room for its rows. */
    async function only(title: string): Promise<View> {
      const { sideBar } = window.workbench;
      await sideBar.collapse(...Object.keys(rowPaths).filter((other) => other !== title));
      const view = await sideBar.view(title);
      await waitFor(`rows in ${title}`, async () => (await view.tree.rows()).length > 1);
      return view;
    }

    for (const [title, rows] of Object.entries(rowPaths)) {
      const context = {
        view: `platformWorkbench.${ids[title] ?? title.toLowerCase()}`,
        "platformWorkbench.inBrowser": true,
        "platformWorkbench.tenants": "one",
      } satisfies Context;

      it(`title of ${title}: the icons are exactly ours for this view`, async () => {
        const view = await only(title);
        const icons = expectedTitles("view/title", context, isIcon);
        assert.ok(icons.length >= 2);
        assert.deepEqual(ownAmong(await view.titleActions()), icons);
      });

      it(`above ${title}: shows only the entries of this view in the … menu`, async () => {
        const view = await only(title);
        const menu = await view.openTitleMenu();
        const shown = (await menu?.titles()) ?? [];
        await window.workbench.screenshot(`menu above ${title}`);
        await menu?.dismiss();
        assert.deepEqual(ownAmong(shown), expectedTitles("view/title", context, isInOverflow));
      });

      it(`above ${title}: shows the filter's icons while one applies`, async () => {
        const { quickInput } = window.workbench;
        const view = await only(title);
        const all = await waitForSame("rows that stay", async () => (await view.tree.labels()).join() || undefined);
        const filtered = { ...context, [`${context.view}Filtered`]: true };
        const shown = async (): Promise<string> => JSON.stringify(ownAmong(await view.titleActions()));
        const showsIconsOf = async (state: Context): Promise<void> => {
          const wanted = JSON.stringify(expectedTitles("view/title", state, isIcon));
          await waitFor(`the icons ${wanted}`, async () => (await shown()) === wanted, { describe: shown });
        };
        await view.clickTitleAction("Filter ");
        await quickInput.waitForStep(/^Filter /);
        await quickInput.submit("e");
        await showsIconsOf(filtered);
        await view.clickTitleAction("Change ");
        await quickInput.waitForStep(/^Filter /);
        await waitFor("the filter in the box", async () => (await quickInput.value()) === "e");
        await quickInput.cancel();
        await view.clickTitleAction("Clear ");
        await showsIconsOf(context);
        await waitFor("all rows", async () => (await view.tree.labels()).join() === all, {
          describe: async () => (await view.tree.labels()).join(),
        });
      });

      for (const [kind, path] of Object.entries(rows)) {
        it(`row of ${title} (${kind}): the icons and the menu have exactly our entries for it`, async () => {
          const view = await only(title);
          await assertRowEntries(await view.tree.reveal(...path), { ...context, viewItem: kind });
        });
      }
    }

    it("row of Sandbox that is pinned to Source Control: has Unpin instead of Pin", async () => {
      const { page, sideBar } = window.workbench;
      const unpinned = await (await only("Sandbox")).tree.row("Sales pages");
      await unpinned.chooseFromContextMenu("Pin Repository to Source Control…");
      await page.locator(".scm-view .scm-input .monaco-editor").first().waitFor();
      await sideBar.open("Platform");
      const row = await (await only("Sandbox")).tree.row("Sales pages");
      await assertRowEntries(row, {
        view: "platformWorkbench.sandbox",
        viewItem: "repository.own.pinned;id;details;link;page",
        "platformWorkbench.inBrowser": true,
        "platformWorkbench.tenants": "one",
      });
    });
  });
});
