import assert from "node:assert/strict";
import type { Context } from "../harness/conditions.ts";
import { expectedTitles, ownAmong } from "../harness/manifest-menus.ts";
import type { View } from "../harness/workbench/side-bar.ts";
import { waitFor, waitForSame } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { assertRowEntries, isIcon } from "./row-entries.ts";
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
    "designVersion.released;id;details;link": ["Order board", "Versions", "v1.3.0"],
  },
  Pages: {
    "page.open;id;details;link;page": ["Sales"],
    pageCollections: ["Sales", "Collections"],
    pageFilterViews: ["Sales", "Filter Views"],
    "filterView;id;details;link": ["Sales", "Filter Views", "Sales: north only"],
    "collection;id;details;link": ["Sales", "Sales EMEA", "Collections", "Quarterly review"],
  },
  Sandbox: {
    "repository.own.unpinned;id;details;link;page": ["Sales pages"],
    "repositoryPart.commits": ["Sales pages", "Commits"],
    "commit.completed;id;details;link": ["Sales pages", "Commits", /^v1$/],
    "deployment;id;details;link": ["Sales pages", "Deployments", /./],
    "repositoryPart.access": ["Sales pages", "Instances with Access"],
    "repositoryPart.permissions": ["Sales pages", "People and Groups"],
    repositoryPermission: ["Sales pages", "People and Groups", "Ada Example"],
    "repository.shared;id;details;link;page": ["Shared by Other Instances", "Partner overview"],
  },
  Workflows: {
    "workflow;id;details;link": [/^Weekly sales mail/],
    "workflowGroup.versions": [/^Weekly sales mail/, "Versions"],
    "workflowVersion.active;id;details;link;page": [/^Weekly sales mail/, "Versions", "v1.2.0"],
    "workflowVersion.draft;id;details;link;page": [/^Weekly sales mail/, "Versions", "v1.3.0"],
    workflowDefinition: [/^Weekly sales mail/, "Versions", "v1.2.0", "Definition"],
    workflowForm: [/^Weekly sales mail/, "Versions", "v1.2.0", "Start Form"],
    "workflowGroup.executions": [/^Weekly sales mail/, "Executions"],
    "workflowGroup.triggers": [/^Weekly sales mail/, "Triggers"],
    "trigger.active;id;details;link;page": [/^Weekly sales mail/, "Triggers", "Regular run"],
    usedFunction: [/^Weekly sales mail/, "Usage", "Mail tools"],
    "execution.completed;id;details;link": [/^Weekly sales mail/, "Executions", "Completed"],
  },
};

const ids: Readonly<Record<string, string>> = { "App Designs": "designs" };
const isInOverflow = (group: string): boolean => !isIcon(group);

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
    await sideBar.collapse(...Object.keys(views).filter((other) => other !== title));
    const view = await sideBar.view(title);
    await waitFor(`rows in ${title}`, async () => (await view.tree.rows()).length > 1);
    return view;
  }

  for (const [title, rows] of Object.entries(views)) {
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
