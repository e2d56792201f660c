import assert from "node:assert/strict";
import type { View } from "../../harness/workbench/side-bar.ts";
import { repeatUntil, waitFor, waitForSame } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";

/** A tree, and some of the entries that the keyboard must find in the menu of its first row. */
const trees = [
  { view: "Workspaces", actions: ["Open Workspace as Folder in This Window", "Edit Workspace Configuration…"] },
  { view: "App Designs", actions: ["Browse App Design Files…", "Add App Design Admins…"] },
  { view: "Pages", actions: ["Move Page…", "Add Page Collection…"] },
  { view: "Sandbox", actions: ["Create Commit…", "Promote and Seed…"] },
  { view: "Workflows", actions: ["Show Workflow Metrics…", "Delete Workflow…"] },
] as const;

/** Names of the elements of a role in a snapshot of the accessibility tree; empty for one without a name. */
function accessibleNames(snapshot: string, role: string): readonly string[] {
  return snapshot.split("\n").flatMap((line) => {
    const [, found, name = ""] = /^\s*- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line) ?? [];
    return found === role ? [name.replace(/''/g, "'").replace(/\\(.)/g, "$1")] : [];
  });
}

/** A screen reader must read words, not an icon's syntax or character, and not only an ID. */
function assertWords(name: string): void {
  assert.match(name, /\p{L}{2}/u, `"${name}" has no word`);
  assert.doesNotMatch(name, /\$\(|[\uE000-\uF8FF]/u, name);
  assert.doesNotMatch(name, /^[\da-f]{8}-[\da-f-]{27}$|^[\da-f]{16,}$|^undefined|\bnull\b|\[object/i, name);
}

/** Collapses all rows, as in a new window. The view of workspaces, which have no rows below them, has no action for this. */
async function collapseAll(view: View): Promise<void> {
  if (!(await view.titleActions()).includes("Collapse All")) return;
  await view.clickTitleAction("Collapse All");
  await waitFor(
    `the rows of ${view.title} to be collapsed`,
    async () => (await view.tree.rows()).every(({ expanded }) => expanded !== true),
    { describe: async () => JSON.stringify(await view.tree.rows()) },
  );
}

describe("trees and the status bar, with only the keyboard and for a screen reader", () => {
  let window: ProxiedWindow;

  useSharedWindow((taken) => {
    window = taken;
  });
  before(async () => {
    await window.workbench.sideBar.open("Platform");
    await (await window.workbench.sideBar.view("Workspaces")).tree.row("Sales forecasting");
  });

  for (const { view: title, actions } of trees) {
    it(`reaches every action of a row of ${title} with the keyboard`, async () => {
      const { workbench } = window;
      const { keyboard } = workbench.page;
      await workbench.runCommand(`Platform: Focus on ${title} View`);
      const view = await workbench.sideBar.view(title);
      // A row that is added or moved takes the focus with it, and closes the menu.
      await waitForSame(`rows in ${title}`, async () => {
        const rows = await view.tree.rows();
        return rows.length > 1 ? JSON.stringify(rows) : undefined;
      });
      const focused = view.tree.container.locator('.monaco-list-row.focused[data-index="0"]');
      await repeatUntil(
        "the focus on the first row",
        () => keyboard.press("Home"),
        async () => (await focused.count()) === 1,
      );
      const name = (await focused.locator(".label-name").first().innerText()).trim();
      const items = workbench.page.locator(".monaco-menu .action-item:not(.disabled) .action-menu-item:visible");
      await repeatUntil(
        "the row's menu",
        () => keyboard.press("Shift+F10"),
        async () => (await items.count()) > 0,
      );
      const reached: string[] = [];
      const active = workbench.page.locator(".monaco-menu .action-item.focused .action-label");
      for (let step = 0; step < (await items.count()) + 1; step += 1) {
        await keyboard.press("ArrowDown");
        const text = (await active.first().innerText()).trim();
        if (reached.includes(text)) {
          break;
        }
        reached.push(text);
      }
      assert.equal(reached.length, await items.count(), reached.join(", "));
      for (const action of [...actions, "Show Details", "Copy Name"]) {
        assert.ok(reached.includes(action), `${action} is not among ${reached.join(", ")}`);
      }
      for (let step = 0; (await active.first().innerText()).trim() !== "Copy Name"; step += 1) {
        assert.ok(step < 40, "the menu has no end");
        await keyboard.press("ArrowDown");
      }
      await keyboard.press("Enter");
      await waitFor(
        "the name in the clipboard",
        async () => (await workbench.page.evaluate<string>("navigator.clipboard.readText()")) === name,
      );
    });
  }

  it("opens the row that the arrow keys focused with Enter, not the previously selected row", async () => {
    const { workbench } = window;
    const { keyboard } = workbench.page;
    const view = await workbench.sideBar.view("Workspaces");
    await (await view.tree.row(/^Customer churn/)).click();
    await keyboard.press("Home");
    const focused = view.tree.container.locator(".monaco-list-row.focused");
    await waitFor("the focus on the first row", async () => /Sales forecasting/.test(await focused.innerText()));
    await keyboard.press("Enter");
    await workbench.quickInput.waitForStep(/Sales forecasting/);
    await workbench.quickInput.cancel();
  });

  it("expands and collapses a group's row with Enter", async () => {
    const { workbench } = window;
    const { keyboard } = workbench.page;
    const view = await workbench.sideBar.view("Workflows");
    // Once expanded, a workflow keeps its version beside its name. A later file expands Weekly sales mail for the first time.
    const row = await view.tree.row(/^Vacation request/);
    await row.expand();
    await (await view.tree.row("Versions")).click();
    const versions = await view.tree.row("Versions");
    await keyboard.press("Enter");
    await waitFor("the versions", () => versions.isExpanded());
    await keyboard.press("Enter");
    await waitFor("the versions to be collapsed", async () => !(await versions.isExpanded()));
    await row.collapse();
  });

  for (const { view: title } of trees) {
    it(`reads each row and button of ${title} to a screen reader in words`, async () => {
      const { workbench } = window;
      const view = await workbench.sideBar.view(title);
      // Earlier files have expanded rows, and only those that fit into the view are read.
      await collapseAll(view);
      // Rows below another one are of other types.
      const collapsed = (await view.tree.rows()).find(({ expanded }) => expanded === false);
      if (collapsed !== undefined) {
        await (await view.tree.row(collapsed.label)).expand();
      }
      const read = await waitFor(
        `a name for each row of ${title}`,
        async () => {
          const rows = await view.tree.rows();
          const names = accessibleNames(await view.tree.container.ariaSnapshot(), "treeitem");
          const unread = rows.filter(
            ({ label, description }) => !names.some((name) => name.includes(label) && name.includes(description)),
          );
          return rows.length > 1 && unread.length === 0 && names.length === rows.length ? names : undefined;
        },
        { describe: () => view.tree.container.ariaSnapshot() },
      );
      const buttons = await view.pane
        .locator(".action-label[role=button]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
      for (const name of [...read, ...buttons]) {
        assertWords(name);
      }
      // A later file counts the requests of a refresh, which also reads what is below expanded rows.
      await collapseAll(view);
    });
  }

  it("reads the status bar's entry to a screen reader in words", async () => {
    const entry = window.workbench.page.locator(".part.statusbar [id$='platformWorkbench.tenant']");
    const names = accessibleNames(await entry.ariaSnapshot(), "button");
    assert.deepEqual(names, ["Platform tenant Sample tenant, signed in"]);
  });
});
