import assert from "node:assert/strict";
import type { Context } from "../harness/conditions.ts";
import { expectedTitles, ownAmong } from "../harness/manifest-menus.ts";
import type { View } from "../harness/workbench/side-bar.ts";
import type { TreeRow } from "../harness/workbench/tree.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow, type TenantWindow } from "./tenant-window.ts";

type Path = readonly [string | RegExp, ...(string | RegExp)[]];

/** The kind of a row, and the path to one of that kind. The kind has the marks of rows with details and a web page. */
const views: Readonly<Record<string, Readonly<Record<string, Path>>>> = {
  Workspaces: {
    "workspace.running;id;details;link;page": [/^Sales forecasting/],
    "workspace.stopped;id;details;link;page": [/^Customer churn/],
  },
  "App Designs": {
    "design;id;details;link;page": ["Order board"],
    designOwners: ["Order board", "Owners"],
    designVersions: ["Order board", "Versions"],
  },
  Pages: {
    "page.open;id;details;link;page": ["Sales"],
    pageCollections: ["Sales", "Collections"],
    pageFilterViews: ["Sales", "Filter Views"],
    "filterView;id;details;link": ["Sales", "Filter Views", "Sales: north only"],
  },
  Sandbox: {
    "repository.own.unpinned;id;details;link;page": ["Sales pages"],
    "repositoryPart.commits": ["Sales pages", "Commits"],
    "commit.completed;id;details;link": ["Sales pages", "Commits", /^v1$/],
    "repositoryPart.access": ["Sales pages", "Instances with Access"],
    "repositoryPart.permissions": ["Sales pages", "People and Groups"],
    "repository.shared;id;details;link;page": ["Shared by Other Instances", "Partner overview"],
  },
  Workflows: {
    "workflow;id;details;link": [/^Weekly sales mail/],
    "workflowGroup.versions": [/^Weekly sales mail/, "Versions"],
    "workflowVersion.active;id;details;link;page": [/^Weekly sales mail/, "Versions", "v1.2.0"],
    "workflowGroup.executions": [/^Weekly sales mail/, "Executions"],
    "workflowGroup.triggers": [/^Weekly sales mail/, "Triggers"],
    "trigger.active;id;details;link;page": [/^Weekly sales mail/, "Triggers", "Regular run"],
  },
};

const ids: Readonly<Record<string, string>> = { "App Designs": "designs" };
const isIcon = (group: string): boolean => group === "inline" || group === "navigation";

describe("the menus of views and rows", () => {
  let window: TenantWindow;

  before(async () => {
    window = await openTenantWindow({ window: { size: { width: 1280, height: 1000 } } });
    await window.workbench.sideBar.open("Platform");
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  /** The view alone, so that it has room for its rows. */
  async function only(title: string): Promise<View> {
    const { sideBar } = window.workbench;
    for (const other of Object.keys(views)) {
      if (other !== title) await (await sideBar.view(other)).collapse();
    }
    const view = await sideBar.view(title);
    await waitFor(`rows in ${title}`, async () => (await view.tree.rows()).length > 1);
    return view;
  }

  async function ownInMenu(row: TreeRow): Promise<readonly string[]> {
    const menu = await row.openContextMenu();
    const titles = await menu.titles();
    await menu.dismiss();
    return ownAmong(titles);
  }

  for (const [title, rows] of Object.entries(views)) {
    const context: Context = {
      view: `platformWorkbench.${ids[title] ?? title.toLowerCase()}`,
      "platformWorkbench.inBrowser": true,
      "platformWorkbench.tenants": "one",
    };

    it(`title of ${title}: the icons are exactly ours for this view`, async () => {
      const view = await only(title);
      const icons = expectedTitles("view/title", context, isIcon);
      assert.ok(icons.length >= 2);
      assert.deepEqual(ownAmong(await view.titleActions()), icons);
    });

    for (const [kind, path] of Object.entries(rows)) {
      it(`row of ${title} (${kind}): the icons and the menu have exactly our entries for it`, async () => {
        const view = await only(title);
        const row = await view.tree.reveal(...path);
        const onRow = { ...context, viewItem: kind };
        const isInMenu = (group: string): boolean => !isIcon(group);
        const entries = expectedTitles("view/item/context", onRow, isInMenu);
        assert.deepEqual(ownAmong(await row.inlineActions()), expectedTitles("view/item/context", onRow, isIcon));
        // A row without entries has no menu.
        assert.deepEqual(entries.length === 0 ? [] : await ownInMenu(row), entries);
      });
    }
  }
});
