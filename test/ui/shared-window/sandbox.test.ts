import assert from "node:assert/strict";
import { personOf } from "../../../src/programs/sample-tenant/seed/organization.ts";
import type { SandboxState } from "../../../src/programs/sample-tenant/seed/sandbox.ts";
import { expectedTitles, ownAmong } from "../../harness/manifest-menus.ts";
import { ContextMenu } from "../../harness/workbench/context-menu.ts";
import { MarkdownPreview } from "../../harness/workbench/markdown-preview.ts";
import type { View } from "../../harness/workbench/side-bar.ts";
import { clickNow, waitFor } from "../../harness/workbench/waiting.ts";
import { markdownViolations } from "../accessibility.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { storedState } from "../tenant-window.ts";
import { inThemes, screenshotInThemes } from "../themes.ts";

describe("the Sandbox view", () => {
  const search = "/version/v1/repositories/search";
  let window: ProxiedWindow;

  useSharedWindow(
    (taken) => {
      window = taken;
    },
    { width: 1280, height: 960 },
  );

  /** Moves the focus away from an open quick pick or input box. */
  async function focusTree({ tree }: View): Promise<void> {
    const list = tree.container.locator(".monaco-list");
    // A click would scroll the tree, and a second one on the same row would open its details. A quick pick takes the
    // focus back some time after a click on one of its items.
    await waitFor("the focus on the tree", async () => {
      await list.focus();
      return list.evaluate((element) => element.matches(":focus"));
    });
  }

  async function sandbox(): Promise<View> {
    const { sideBar } = window.workbench;
    await sideBar.open("Platform");
    await sideBar.collapse("Workspaces", "App Designs");
    return sideBar.view("Sandbox");
  }

  const state = async () => (await storedState(window)).sandbox;

  async function repositoryNamed(name: string): Promise<SandboxState["repositories"][number]> {
    const found = (await state()).repositories.find((one) => one.name === name);
    assert.ok(found);
    return found;
  }

  // Proves 2.10: a repository has the time and the version of its last commit
  it("lists the repositories with their last commit, and those of other instances in a separate row", async () => {
    const { proxy, workbench } = window;
    // The first request for the list: no earlier file of the folder shows this view.
    proxy.reset();
    const view = await sandbox();
    const row = await view.tree.row("Sales pages");
    assert.match(await row.description(), /^v\d+ · \d+\w+ ago$/);
    assert.equal(proxy.count({ method: "POST", path: search }), 1);
    assert.deepEqual(await row.inlineActions(), ["Create Commit…", "Promote and Seed…"]);
    await view.tree.reveal("Shared by Other Instances", "Partner overview");
    await workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "sandbox-view");
  });

  it("shows the content, history, deployments, instances, people, and groups of a repository below it", async () => {
    const view = await sandbox();
    const stored = await repositoryNamed("Sales pages");
    await view.tree.reveal(
      "Sales pages",
      "Instances with Access",
      stored.access[0] ?? "No other instances have access",
    );
    await (await view.tree.row("People and Groups")).expand();
    const owner = await view.tree.row("Ada Example");
    assert.equal(await owner.description(), "owner");
    await (await view.tree.row("Deployments")).expand();
    await view.tree.row(stored.deployments[0]?.domain ?? "");
    await (await view.tree.row("Commits")).expand();
    await view.tree.row(/^v\d+$/);
    await window.workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "sandbox-below");
  });

  it("shows a card, and details with links to the commits", async () => {
    const { workbench } = window;
    const view = await sandbox();
    const row = await view.tree.row("Sales pages");
    const { id } = await repositoryNamed("Sales pages");
    await row.tooltip(id);
    await row.doubleClick();
    const preview = new MarkdownPreview(workbench.page);
    await preview.waitForText("Sales pages");
    await preview.waitForText(id);
    const { content } = await repositoryNamed("Sales pages");
    const { pages } = (await storedState(window)).pages;
    const contained = pages.filter((page) => content.pageIds?.includes(String(page.id)));
    assert.ok(contained.length > 0);
    const text = await preview.waitForText("Property");
    for (const { title } of contained) assert.ok(text.includes(title), text);
    const frame = await preview.frameWith("Property");
    await inThemes(window, async (theme) => {
      assert.deepEqual(await markdownViolations(frame), [], theme);
      await workbench.screenshot(`repository-details-${theme}`);
    });
  });

  it("filters on the server, and clears the filter", async () => {
    const { proxy, workbench } = window;
    const view = await sandbox();
    proxy.reset();
    await view.clickTitleAction("Filter Repositories");
    await workbench.quickInput.waitForStep("Filter Repositories");
    await workbench.quickInput.submit("finance");
    await view.waitForMessage('Repositories with "finance" in their name');
    await view.tree.row("Finance dataflows");
    await view.tree.waitForNoRow("Sales pages");
    assert.equal(proxy.count({ method: "POST", path: search }), 1);
    await view.clickTitleAction("Clear Repository Filter");
    await view.tree.row("Sales pages");
  });

  // Proves 1: Sandbox: repositories, commits, commit requests
  // Proves 4.5: POST a commit
  // Proves 6: The event ID of a commit or promotion is a field
  it("creates a commit with a summary, and shows its progress", async () => {
    const { workbench } = window;
    const view = await sandbox();
    await (await view.tree.row("Order apps")).chooseFromContextMenu("Create Commit…");
    await workbench.quickInput.waitForStep("Create Commit · Order apps");
    await workbench.quickInput.submit("Before the holidays");
    await workbench.quickInput.choose("Hidden");
    await workbench.notifications.waitFor(/^Committed Order apps v\d+\.$/);
    const { id } = await repositoryNamed("Order apps");
    const made = (await state()).commitRequests.filter((one) => one.repositoryId === id).at(-1);
    assert.deepEqual([made?.summary, made?.hidden], ["Before the holidays", true]);
    await view.tree.reveal("Order apps", "Commit Requests", made?.commitName ?? "");
    await waitFor("the commit to have ended", async () =>
      /completed/.test(await (await view.tree.row(made?.commitName ?? "")).accessibleName()),
    );
    await waitFor("the repository's last commit", async () =>
      (await (await view.tree.row("Order apps")).description()).startsWith(`${made?.commitName} · `),
    );
    await workbench.notifications.dismissAll();
  });

  // Proves 4.5: POST access takes a bare array of domains, at the path of its GET
  it("removes access only after it lists who loses it; canceling sends nothing", async () => {
    const { workbench, proxy } = window;
    const view = await sandbox();
    const before = await repositoryNamed("Sales pages");
    const [losing] = before.access;
    const change = { method: "POST", path: /\/access$/ };
    assert.ok(losing);
    const untick = async (): Promise<void> => {
      await (await view.tree.row("Sales pages")).chooseFromContextMenu("Change Instances with Access…");
      await workbench.quickInput.waitForStep("Change Instances with Access · Sales pages");
      await workbench.quickInput.choose(losing);
      await workbench.quickInput.accept();
    };
    await untick();
    const asked = await workbench.dialog.waitFor(`Remove access to Sales pages for ${losing}?`);
    assert.match(asked.detail, new RegExp(losing));
    await screenshotInThemes(window, "sandbox-access");
    proxy.reset();
    await workbench.dialog.click("Cancel");
    assert.deepEqual((await repositoryNamed("Sales pages")).access, before.access);
    assert.equal(proxy.count(change), 0);
    await untick();
    await workbench.dialog.waitFor(`Remove access to Sales pages for ${losing}?`);
    await workbench.dialog.click("Remove Access");
    await waitFor(
      "the access to be taken",
      async () => !(await repositoryNamed("Sales pages")).access.includes(losing) && proxy.count(change) > 0,
    );
  });

  // Proves 4.5: POST an array of permission updates
  it("changes a permission, and lists people with permissions first", async () => {
    const { workbench, proxy } = window;
    const view = await sandbox();
    await (await view.tree.row("Sales pages")).chooseFromContextMenu("Change Repository Permission…");
    await workbench.quickInput.waitForStep("Change Repository Permission · Sales pages");
    await workbench.quickInput.type("Ben");
    await workbench.quickInput.choose(/^Ben /);
    await workbench.quickInput.waitForStep(/Sales pages · Ben/);
    proxy.reset();
    await workbench.quickInput.choose("Edit");
    await waitFor("the permission", async () =>
      Object.values((await repositoryNamed("Sales pages")).userPermissions).includes("EDIT"),
    );
    // While the view is drawn again, its menus know no rows.
    await waitFor("the list to be read again", async () => proxy.count({ method: "POST", path: search }) > 0);
  });

  // Proves 4.5: POST promoteAndSeed promotes a commit to a deployment
  it("promotes a commit through a form that lists the mapping, and confirms what it replaces", async () => {
    const { workbench } = window;
    const view = await sandbox();
    const repository = await repositoryNamed("Sales pages");
    const count = (await state()).promotions.length;
    const [other] = repository.deployments;
    const promoteTo = async (domain: string): Promise<void> => {
      await (await view.tree.row("Sales pages")).chooseFromContextMenu("Promote and Seed…");
      await workbench.quickInput.waitForStep("Commit");
      await workbench.quickInput.choose(/^v\d+$/);
      await workbench.quickInput.waitForStep("Deployment");
      await waitFor("the deployments", async () => (await workbench.quickInput.labels()).includes(domain));
      assert.ok(!(await workbench.quickInput.widget.innerText()).includes(other?.id ?? ""));
      await workbench.quickInput.choose(domain);
      await workbench.quickInput.waitForStep("Continue, or choose an option to change it");
    };
    await promoteTo(other?.domain ?? "");
    await workbench.page.mouse.move(800, 700);
    await workbench.screenshot("promotion-options");
    await workbench.quickInput.choose("Mapping");
    await workbench.quickInput.waitForStep(/Choose an item to change its target on/);
    await workbench.quickInput.choose(/^Card ".* by month"$/);
    await workbench.quickInput.waitForStep(/ID of the item on \S+ to overwrite with Card ".* by month"/);
    await workbench.quickInput.submit("987654");
    await workbench.quickInput.waitForStep(/Choose an item to change its target on/);
    await screenshotInThemes(window, "promotion-mapping");
    await workbench.quickInput.choose("Use This Mapping");
    await workbench.quickInput.choose("Seed a Repository");
    await workbench.quickInput.waitForStep(/New repository name on/);
    await workbench.quickInput.submit("Sales pages (copy)");
    await workbench.quickInput.choose("Approval ID");
    await workbench.quickInput.waitForStep(/ID of the approval/);
    await workbench.quickInput.submit("approval-7");
    await workbench.quickInput.waitForStep("Continue, or choose an option to change it");
    await workbench.screenshot("promotion-options-changed");
    await workbench.quickInput.choose("Continue");
    const asked = await workbench.dialog.waitFor(/^Promote v\d+ of Sales pages to /);
    assert.match(asked.detail, /Card ".* by month" → overwrites 987654 \(not checked\)/);
    const items = Object.values(repository.content).flat();
    assert.match(asked.detail, new RegExp(`^${items.length - 1} new items$`, "m"));
    await workbench.dialog.click("Cancel");
    assert.equal((await state()).promotions.length, count);
    await promoteTo(other?.domain ?? "");
    await workbench.quickInput.choose("Approval ID");
    await workbench.quickInput.waitForStep(/ID of the approval/);
    await workbench.quickInput.submit("approval-7");
    await workbench.quickInput.choose("Continue");
    await workbench.dialog.waitFor(/^Promote v\d+ of Sales pages to /);
    await workbench.dialog.click("Promote");
    await workbench.notifications.waitFor(/^Promoted Sales pages v\d+ to .*\.$/);
    await (await view.tree.reveal("Sales pages", "Promotions")).expand();
    await waitFor("the promotion with its target", async () =>
      (await view.tree.rows()).some(({ description }) => description.startsWith(`to ${other?.domain} · `)),
    );
    const { promotions } = await state();
    assert.equal(promotions.length, count + 1);
    assert.equal(promotions.at(-1)?.request.approvalId, "approval-7");
    await workbench.notifications.dismissAll();
  });

  it("checks the mapping against the target if it is one of the tenants, and offers its pages by name", async () => {
    const { workbench } = window;
    const view = await sandbox();
    const repository = await repositoryNamed("Sales pages");
    const here = repository.deployments.at(-1)?.domain ?? "";
    assert.equal(here, repository.domain);
    const count = (await state()).promotions.length;
    await (await view.tree.row("Sales pages")).chooseFromContextMenu("Promote and Seed…");
    await workbench.quickInput.choose(/^v\d+$/);
    await workbench.quickInput.choose(here);
    await workbench.quickInput.choose("Mapping");
    await workbench.quickInput.waitForStep(/Choose an item to change its target on/);
    await workbench.quickInput.choose(/^Card "/);
    await workbench.quickInput.waitForStep(/ID of the item on/);
    await workbench.quickInput.submit("4711");
    await workbench.quickInput.waitForStep(`Card 4711 doesn't exist on ${here}.`);
    await workbench.screenshot("promotion-missing");
    await workbench.quickInput.submit("90249");
    await workbench.quickInput.waitForStep(/Choose an item to change its target on/);
    await workbench.quickInput.choose(/^Page "/);
    await workbench.quickInput.waitForStep(/Choose the target for Page ".*" on/);
    await workbench.screenshot("promotion-page");
    await workbench.quickInput.choose("Sales");
    await workbench.quickInput.waitForStep(/Choose an item to change its target on/);
    await workbench.quickInput.choose("Use This Mapping");
    await workbench.quickInput.choose("Continue");
    const asked = await workbench.dialog.waitFor(/^Promote v\d+ of Sales pages to /);
    assert.match(asked.detail, /→ overwrites ".* by month"/);
    assert.match(asked.detail, /^Page ".*" → overwrites "Sales"$/m);
    await workbench.dialog.click("Cancel");
    assert.equal((await state()).promotions.length, count);
  });

  // Proves 4.5: POST aliases updates an alias
  it("sets an instance's alias, and allows promotions within the same instance", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Change Instance Alias…");
    await workbench.quickInput.waitForStep("Change Instance Alias");
    const [instance] = (await state()).instances;
    await workbench.quickInput.choose(instance?.domain ?? "");
    await workbench.quickInput.waitForStep("Name of the instance to show in lists");
    await workbench.quickInput.submit("production");
    await workbench.notifications.waitFor(/^The alias of .* is now production\.$/);
    assert.equal((await state()).instances[0]?.alias, "production");
    await workbench.runCommand("Platform: Allow or Forbid Same-Instance Promotion…");
    await workbench.dialog.waitFor(/^Allow promotions within .* itself\?/);
    await workbench.dialog.click("Allow");
    await workbench.notifications.waitFor(/now allows promotions within the same instance/);
    assert.equal((await state()).settings.allowSelfPromotion, true);
    await workbench.notifications.dismissAll();
  });

  // Proves 4.5: POST commitRequests/search finds commit requests, a page at a time
  it("searches the history of commit requests with filters, as a document", async () => {
    const { workbench } = window;
    const view = await sandbox();
    await workbench.runCommand("Platform: Search Commit Requests…");
    await workbench.quickInput.choose("Commit");
    await workbench.quickInput.waitForStep("Full commit names");
    await workbench.quickInput.type("v6");
    await focusTree(view);
    assert.equal(await workbench.quickInput.value(), "v6", "what was typed is lost with the focus");
    await workbench.quickInput.submit("");
    await workbench.quickInput.choose("Repository");
    await workbench.quickInput.waitForStep("Select repositories. Select none for all repositories.");
    const all = (await state()).repositories.map(({ name }) => name);
    await waitFor("the repositories by name", async () => {
      const labels = await workbench.quickInput.labels();
      return all.every((name) => labels.includes(name)) && labels.at(-1) === "Enter Names…";
    });
    await workbench.quickInput.choose("Order apps");
    await focusTree(view);
    await screenshotInThemes(window, "commit-search-repositories");
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForStep("Choose a filter to change it");
    assert.match(await workbench.quickInput.widget.innerText(), /Repository\s*Order apps/);
    await workbench.quickInput.choose("Show Results");
    const preview = new MarkdownPreview(workbench.page);
    await preview.waitForText("Before the holidays");
    await screenshotInThemes(window, "commit-history");
  });

  it("filters the history of commit requests by time, sorts it, and shows both in the document", async () => {
    const { workbench } = window;
    const { commitRequests } = await state();
    const days = commitRequests.map(({ started }) => started.slice(0, 10)).toSorted();
    const [from = "", to = ""] = [days[Math.floor(days.length / 4)], days[Math.floor(days.length / 2)]];
    await workbench.runCommand("Platform: Search Commit Requests…");
    await workbench.quickInput.choose("Started");
    await workbench.quickInput.choose("Between Two Dates…");
    await workbench.quickInput.waitForStep(/Start, such as 2026-11-18/);
    await workbench.quickInput.type("yesterday");
    await workbench.quickInput.waitForStep(/Enter a date such as/);
    await workbench.quickInput.submit(from);
    await workbench.quickInput.waitForStep(/End, such as 2026-11-18/);
    await workbench.quickInput.submit(to);
    await workbench.quickInput.choose("Sort By");
    await workbench.quickInput.choose("Repository, A to Z");
    await workbench.quickInput.waitForStep("Search Commit Requests");
    await workbench.screenshot("commit-search-form");
    await workbench.quickInput.choose("Show Results");
    const text = await new MarkdownPreview(workbench.page).waitForText("Sorted by: Repository, A to Z");
    const expected = commitRequests.filter(({ started }) => started >= from && started.slice(0, 10) <= to);
    assert.ok(expected.length > 0);
    for (const { id } of expected) {
      assert.ok(text.includes(id), id);
    }
    const others = commitRequests.filter((one) => !expected.includes(one));
    assert.ok(others.length > 0 && others.every(({ id }) => !text.includes(id)));
    await screenshotInThemes(window, "commit-history-sorted");
  });

  // Proves 4.5: POST promotions/search finds promotions, a page at a time
  it("searches the history of promotions by who started them", async () => {
    const { workbench } = window;
    const names = new Set((await state()).promotions.map(({ userId }) => personOf(userId).name));
    const [starter, other] = [...names].toReversed();
    assert.ok(starter !== undefined && other !== undefined);
    const view = await sandbox();
    await workbench.runCommand("Platform: Search Promotions…");
    await workbench.quickInput.waitForStep("Choose a filter to change it");
    await focusTree(view);
    await workbench.quickInput.choose("Started by");
    await workbench.quickInput.waitForStep("Who started the promotion");
    await workbench.quickInput.type(starter);
    await workbench.quickInput.choose(starter);
    await focusTree(view);
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForStep("Search Promotions");
    await workbench.quickInput.choose("Show Results");
    const text = await new MarkdownPreview(workbench.page).waitForText(`Started by: ${starter}`);
    assert.ok(!text.includes(other), text);
    await screenshotInThemes(window, "promotion-history");
  });

  it("shows a repository in Source Control, with the next commit's summary in the box and its content by name", async () => {
    const { workbench } = window;
    const view = await sandbox();
    const offered = async (): Promise<readonly string[]> => {
      const menu = await (await (await sandbox()).tree.row("Order apps")).openContextMenu();
      const titles = await menu.titles();
      await menu.dismiss();
      return titles.filter((title) => /pin repository/i.test(title));
    };
    assert.deepEqual(await offered(), ["Pin Repository to Source Control…"]);
    await (await view.tree.row("Order apps")).chooseFromContextMenu("Pin Repository to Source Control…");
    const box = workbench.page.locator(".scm-view .scm-input .monaco-editor").first();
    await waitFor("the box of Source Control", () => box.isVisible());
    const { id, content } = await repositoryNamed("Order apps");
    const entry = workbench.page.locator(".scm-view");
    const { pages } = (await storedState(window)).pages;
    const [title = ""] = pages.flatMap((page) => (content.pageIds?.includes(String(page.id)) ? [page.title] : []));
    assert.notEqual(title, "");
    await waitFor("the content by name", async () => (await entry.innerText()).includes(title), {
      describe: () => entry.innerText(),
    });
    const icons = workbench.page.locator(".part.sidebar .title-actions, .part.sidebar .pane-header, .scm-provider");
    const shown = async (): Promise<readonly string[]> => {
      const labels = icons.locator(".action-label:visible");
      return ownAmong(await labels.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? "")));
    };
    const context = { scmProvider: "platformWorkbench.repository" };
    const wanted = expectedTitles("scm/title", context, (group) => group === "navigation");
    assert.equal(wanted.length, 3);
    assert.deepEqual(await shown(), wanted);
    const more = icons.locator(".codicon-toolbar-more:visible").last();
    const menu = await ContextMenu.opened(workbench.page, "Source Control", () => clickNow(more));
    await workbench.screenshot("source-control-menu");
    assert.deepEqual(
      ownAmong(await menu.titles()),
      expectedTitles("scm/title", context, (group) => group !== "navigation"),
    );
    await menu.dismiss();
    const button = workbench.page.locator(".part.sidebar .action-label[aria-label^='Commit']").first();
    for (const [summary, commit] of [
      ["From Source Control", () => workbench.page.keyboard.press("Control+Enter")],
      ["With the button", () => button.click()],
    ] as const) {
      await box.click();
      await workbench.page.keyboard.type(summary);
      await commit();
      await waitFor(`the commit ${summary}`, async () =>
        (await state()).commitRequests.some((one) => one.repositoryId === id && one.summary === summary),
      );
      await waitFor("the box to empty", async () => !(await box.innerText()).includes(summary));
    }
    await waitFor("what waits in the list", async () => (await entry.innerText()).includes("Pending on the Platform"));
    await screenshotInThemes(window, "source-control");
    assert.deepEqual(await offered(), ["Unpin Repository from Source Control…"]);
    await workbench.runCommand("Platform: Unpin Repository from Source Control…");
    await workbench.quickInput.choose("Order apps");
    await waitFor("the entry of Source Control to go", async () => (await box.count()) === 0);
    assert.deepEqual(await offered(), ["Pin Repository to Source Control…"]);
  });

  it("shows an error row with Retry while the platform fails, and the repositories again afterward", async () => {
    const { proxy } = window;
    const view = await sandbox();
    proxy.addFault({ match: { path: search }, action: { kind: "response", status: 500, body: "{}" } });
    await view.clickTitleAction("Refresh Repositories");
    const failed = await view.tree.row("Can't load repositories: 500 from the platform", 60);
    await screenshotInThemes(window, "sandbox-error");
    proxy.clearFaults();
    await failed.clickInlineAction("Retry");
    await view.tree.waitForNoRow(/^Can't load/);
  });

  it("loads more pages of a long list", async () => {
    const { proxy, workbench } = window;
    const view = await sandbox();
    const response = (offset: number, count: number): void => {
      const repositories = Array.from({ length: count }, (_, index) => ({
        id: `made-up-${offset + index}`,
        name: `Made up ${String(offset + index + 1).padStart(3, "0")}`,
      }));
      const body = JSON.stringify({ repositories, pageContext: { count, totalCount: 80, offSet: offset } });
      proxy.clearFaults();
      proxy.addFault({ match: { path: search, nth: 1 }, action: { kind: "response", status: 200, body } });
    };
    response(0, 50);
    await view.clickTitleAction("Refresh Repositories");
    await (await view.tree.row("Made up 001")).click();
    await workbench.page.keyboard.press("End");
    const more = await view.tree.row("Load 30 More (50 of 80)");
    response(50, 30);
    await more.click();
    await view.tree.waitForNoRow(/^Load /);
    await workbench.page.keyboard.press("End");
    await view.tree.row("Made up 080");
    proxy.clearFaults();
    await view.clickTitleAction("Refresh Repositories");
    await view.tree.row("Sales pages");
  });

  it("shows repositories of other instances to users without their own", async () => {
    const { proxy } = window;
    const view = await sandbox();
    const body = JSON.stringify({ repositories: [], pageContext: { count: 0, totalCount: 0, offSet: 0 } });
    proxy.addFault({ match: { path: search, nth: 1 }, action: { kind: "response", status: 200, body } });
    await view.clickTitleAction("Refresh Repositories");
    await view.tree.waitForNoRow("Sales pages");
    await view.tree.reveal("Shared by Other Instances", "Partner overview");
    proxy.clearFaults();
    await view.clickTitleAction("Refresh Repositories");
    await view.tree.row("Sales pages");
  });
});
