import assert from "node:assert/strict";
import { personOf } from "../../src/programs/sample-tenant/seed/organization.ts";
import type { PageState } from "../../src/programs/sample-tenant/seed/pages.ts";
import { MarkdownPreview } from "../harness/workbench/markdown-preview.ts";
import type { View } from "../harness/workbench/side-bar.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openProxiedWindow, type ProxiedWindow } from "./proxied-window.ts";
import { waitForRows } from "./shown-rows.ts";
import { storedState } from "./tenant-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const plainTyping = { "editor.autoIndent": "none", "editor.autoClosingBrackets": "never", ...themeSettings };

describe("the Pages view", () => {
  const navigation = "/api/content/v2/pages/navigation";
  let window: ProxiedWindow;

  before(async () => {
    window = await openProxiedWindow({
      dialect: "domo",
      settings: plainTyping,
      window: { size: { width: 1280, height: 1100 } },
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  async function pages(): Promise<View> {
    const { sideBar } = window.workbench;
    await sideBar.open("Platform");
    await sideBar.collapse("Workspaces", "App Designs");
    return sideBar.view("Pages");
  }

  const state = async () => (await storedState(window)).pages;

  async function page(title: string): Promise<PageState> {
    const found = (await state()).pages.find((one) => one.title === title);
    assert.ok(found, `there is no page ${title}`);
    return found;
  }

  /** Titles of the pages directly below another one, or at the top. */
  async function below(title: string | undefined): Promise<string[]> {
    const { pages: all } = await state();
    const parentId = title === undefined ? null : (await page(title)).id;
    return all.filter((one) => one.parentId === parentId).map((one) => one.title);
  }

  const changes = (): number => window.proxy.requests.filter(({ method }) => method !== "GET").length;

  // Proves 4.4: GET navigation is the page hierarchy
  it("shows the hierarchy with one request, and a page's collections and filter views below it", async () => {
    const { proxy, workbench } = window;
    proxy.reset();
    const view = await pages();
    await waitForRows(view, await below(undefined));
    const row = await view.tree.reveal("Sales", "Sales EMEA", "Germany");
    assert.match(await row.accessibleName(), /^Germany, \w+/);
    assert.equal(proxy.count({ path: navigation }), 1);
    await (await view.tree.row("Sales EMEA")).collapse();
    await view.tree.reveal("Sales", "Filter Views", "Sales: north only");
    await (await view.tree.row("Filter Views")).collapse();
    await view.tree.reveal("Sales", "Sales EMEA", "Collections", "Top cards");
    await workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "pages-view");
    await view.clickTitleAction("Collapse All");
  });

  it("filters the hierarchy, and keeps the ancestors of matches", async () => {
    const { workbench } = window;
    const view = await pages();
    await view.clickTitleAction("Filter Pages");
    await workbench.quickInput.waitForStep("Filter Pages");
    await workbench.quickInput.submit("budget");
    await view.waitForMessage('Pages with "budget" in their name');
    const isPage = (label: string): boolean => label !== "Collections" && label !== "Filter Views";
    await waitForRows(view, ["Finance", "Budget", "Budget 2026", "Budget 2025"], isPage);
    await workbench.screenshot("pages-filtered");
    await view.clickTitleAction("Clear Page Filter");
    await view.tree.row("Operations");
  });

  // Proves 1: Pages: move, owners, order, duplicate, sharing
  // Proves 4.4: PUT bulk/move moves pages to a target
  it("moves several pages at once, and back", async () => {
    const { workbench } = window;
    const view = await pages();
    const before = await below("Marketing");
    await (await view.tree.reveal("Marketing", "Campaigns")).click();
    await (await view.tree.row("Web shop")).locator.click({ modifiers: ["ControlOrMeta"] });
    await (await view.tree.row("Web shop")).chooseFromContextMenu("Move Page…");
    await workbench.quickInput.waitForStep("Move 2 pages into a Page");
    assert.ok(!(await workbench.quickInput.labels()).includes("Campaigns"));
    await workbench.quickInput.type("Finance");
    await workbench.quickInput.choose("Finance");
    const told = await workbench.notifications.waitFor("Moved 2 pages into Finance.");
    assert.deepEqual(await below("Marketing"), ["Trade fairs"]);
    assert.deepEqual((await below("Finance")).toSorted().slice(-1), ["Web shop"]);
    await told.click("Undo");
    await waitFor("them to be back", async () => (await below("Marketing")).join() === before.join());
    await view.tree.row("Campaigns");
    await workbench.notifications.dismissAll();
  });

  it("moves by drag and drop: below a page, or beside a sibling", async () => {
    const { workbench } = window;
    const view = await pages();
    const headcount = await view.tree.reveal("People & culture", "Headcount");
    await headcount.locator.dragTo((await view.tree.row("Operations")).locator);
    await workbench.notifications.waitFor("Moved Headcount into Operations.");
    assert.deepEqual((await below("Operations")).toSorted(), ["Headcount", "Sensor readings"]);
    await workbench.notifications.dismissAll();

    const before = await below("Marketing");
    const campaigns = await view.tree.reveal("Marketing", "Campaigns");
    await campaigns.locator.dragTo((await view.tree.row("Trade fairs")).locator);
    await workbench.quickInput.waitForStep("Move Campaigns");
    await workbench.screenshot("page-dropped-on-sibling");
    await workbench.quickInput.choose("After Trade fairs");
    const told = await workbench.notifications.waitFor("Moved Campaigns after Trade fairs.");
    assert.deepEqual(await below("Marketing"), ["Web shop", "Trade fairs", "Campaigns"]);
    await told.click("Undo");
    await waitFor("the order that was", async () => (await below("Marketing")).join() === before.join());
    assert.notEqual(before.at(-1), "Campaigns");
    await waitForRows(view, before, (label) => before.includes(label));
    await workbench.notifications.dismissAll();
  });

  // Proves 4.4: PUT pageorder orders pages
  it("moves a page by one position without a mouse", async () => {
    const { workbench } = window;
    await pages();
    await workbench.runCommand("Platform: Move Page Up");
    await workbench.quickInput.waitForStep("Move Page Up · Sample tenant");
    await workbench.quickInput.type("Budget 2025");
    await workbench.quickInput.choose("Budget 2025");
    await workbench.notifications.waitFor("Moved Budget 2025 before Budget 2026.");
    assert.deepEqual(await below("Budget"), ["Budget 2025", "Budget 2026"]);
    await workbench.notifications.dismissAll();
  });

  // Proves 4.4: PUT duplicateAsync makes a copy in the background
  it("duplicates a page with progress, with or without its cards", async () => {
    const { workbench } = window;
    const view = await pages();
    await (await view.tree.reveal("Finance", "Cash flow")).chooseFromContextMenu("Duplicate Page…");
    await workbench.quickInput.waitForStep("Duplicate Cash flow");
    assert.equal(await workbench.quickInput.value(), "Copy of Cash flow");
    await workbench.quickInput.accept();
    await workbench.quickInput.choose("Without Cards");
    await workbench.notifications.waitFor("Copied Cash flow as Copy of Cash flow.");
    const copy = await page("Copy of Cash flow");
    assert.deepEqual([copy.parentId, copy.cardIds], [(await page("Finance")).id, []]);
    await view.tree.row("Copy of Cash flow");
    await workbench.notifications.dismissAll();

    await (await view.tree.row("Cash flow")).chooseFromContextMenu("Duplicate Page…");
    await workbench.quickInput.waitForStep("Duplicate Cash flow");
    await workbench.quickInput.submit("Cash flow next year");
    await workbench.quickInput.choose("With Copies of Its Cards");
    await workbench.notifications.waitFor("Copied Cash flow as Cash flow next year.");
    assert.equal((await page("Cash flow next year")).cardIds.length, (await page("Cash flow")).cardIds.length);
    await workbench.notifications.dismissAll();
  });

  // Proves 4.4: POST bulk/owners/remove removes owners from pages
  it("lists the pages before it removes owners, and changes nothing if canceled", async () => {
    const { workbench, proxy } = window;
    const view = await pages();
    const { owners } = await page("Cash flow");
    proxy.reset();
    const start = async (): Promise<void> => {
      await (await view.tree.row("Cash flow")).chooseFromContextMenu("Remove Page Owners…");
      await workbench.quickInput.waitForStep("Remove Owners of Cash flow");
      for (const owner of owners) {
        await workbench.quickInput.choose(owner.type === "GROUP" ? "Analysts" : personOf(owner.id).name);
      }
      await workbench.quickInput.accept();
    };
    await start();
    const asked = await workbench.dialog.waitFor("from the owners of Cash flow?");
    assert.match(asked.detail, /^Finance \/ Cash flow\n\nCash flow will have no owner\.$/);
    await screenshotInThemes(window, "page-owners-removed");
    await workbench.dialog.cancel();
    assert.equal(changes(), 0);
    assert.deepEqual((await page("Cash flow")).owners, owners);
    await start();
    await workbench.dialog.waitFor("from the owners of Cash flow?");
    await workbench.dialog.click("Remove");
    await waitFor("no owners", async () => (await page("Cash flow")).owners.length === 0 && changes() > 0);
    assert.equal(changes(), 1, "canceling sent nothing");
  });

  // Proves 4.4: DELETE share revokes a user's, group's, or domain's access
  it("removes a group's access", async () => {
    const { workbench } = window;
    const view = await pages();
    assert.ok((await page("Cash flow")).shares.some(({ type, id }) => type === "group" && id === "35"));
    await (await view.tree.row("Cash flow")).chooseFromContextMenu("Remove Page Sharing…");
    await workbench.quickInput.waitForStep("Stop Sharing Cash flow");
    await waitFor("who has access", async () => (await workbench.quickInput.labels()).includes("Everybody"));
    const { shares } = await page("Cash flow");
    const users = shares.filter(({ type }) => type === "user").map(({ id }) => personOf(Number(id)).name);
    assert.deepEqual(await workbench.quickInput.labels(), [...users.toSorted(), "Everybody", "Someone Else…"]);
    await workbench.quickInput.choose("Everybody");
    await screenshotInThemes(window, "page-sharing");
    window.proxy.reset();
    await workbench.quickInput.accept();
    await workbench.dialog.waitFor("Remove Everybody's access to Cash flow?");
    await workbench.dialog.cancel();
    assert.equal(changes(), 0);
    await (await view.tree.row("Cash flow")).chooseFromContextMenu("Remove Page Sharing…");
    await workbench.quickInput.waitForStep("Stop Sharing Cash flow");
    await workbench.quickInput.choose("Everybody");
    await workbench.quickInput.accept();
    const asked = await workbench.dialog.waitFor("Remove Everybody's access to Cash flow?");
    assert.match(asked.detail, /^Finance \/ Cash flow\n/);
    await workbench.dialog.click("Remove");
    await workbench.notifications.waitFor("No longer shared with Everybody: Cash flow.");
    assert.ok(!(await page("Cash flow")).shares.some(({ type, id }) => type === "group" && id === "35"));
    assert.equal(changes(), 1, "canceling sent nothing");
    await workbench.notifications.dismissAll();
  });

  for (const type of ["user", "domain"] as const) {
    it(`removes a ${type}'s access, also from the palette`, async () => {
      const { workbench } = window;
      const found = (await state()).pages
        .flatMap(({ title, shares }) => shares.map((share) => ({ title, ...share })))
        .find((share) => share.type === type);
      assert.ok(found, `no page is shared with a ${type}`);
      const { title, id } = found;
      const name = type === "user" ? personOf(Number(id)).name : id;
      await workbench.runCommand("Platform: Remove Page Sharing…");
      await workbench.quickInput.waitForStep("Remove Page Sharing");
      await workbench.quickInput.type(title);
      await workbench.quickInput.choose(title);
      await workbench.quickInput.waitForStep(`Stop Sharing ${title}`);
      await workbench.quickInput.choose(type === "user" ? name : "Someone Else…");
      await workbench.quickInput.accept();
      if (type === "domain") {
        await workbench.quickInput.choose("A Domain");
        await workbench.quickInput.waitForStep("Domain, such as partner.example.com");
        await workbench.quickInput.submit(`ada@${name}`);
        await workbench.quickInput.waitForStep("Enter a domain without spaces, @, or /.");
        await workbench.quickInput.submit(name);
      }
      await workbench.dialog.waitFor(`Remove ${name}'s access to ${title}?`);
      await workbench.dialog.click("Remove");
      await workbench.notifications.waitFor(`No longer shared with ${name}: ${title}.`);
      assert.ok(!(await page(title)).shares.some((share) => share.type === type && share.id === id));
      assert.ok((await page(title)).shares.length > 0, "the other shares stay");
      await workbench.notifications.dismissAll();
    });
  }

  it("adds, changes, and removes a collection", async () => {
    const { workbench } = window;
    const view = await pages();
    const { id } = await page("Cash flow");
    const collections = async () => (await state()).collections.filter(({ pageId }) => pageId === id);
    await view.clickTitleAction("Collapse All");
    await (await view.tree.reveal("Finance", "Cash flow")).chooseFromContextMenu("Add Page Collection…");
    await workbench.quickInput.waitForStep("Add Collection to Cash flow");
    await workbench.quickInput.submit("For the board");
    await workbench.quickInput.waitForStep("Description");
    await workbench.quickInput.submit("Once a month");
    await workbench.quickInput.waitForStep("IDs of its cards");
    await workbench.quickInput.submit("90210, 90211");
    await view.tree.reveal("Cash flow", "Collections", "For the board");
    assert.deepEqual(
      (await collections()).map(({ title, description, cardIds }) => [title, description, cardIds]),
      [["For the board", "Once a month", [90210, 90211]]],
    );
    await (await view.tree.row("For the board")).clickInlineAction("Change Page Collection");
    await workbench.quickInput.waitForStep("Title of the collection");
    await workbench.quickInput.submit("For everybody");
    await workbench.quickInput.waitForStep("Description");
    assert.equal(await workbench.quickInput.value(), "Once a month");
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForStep("Choose its cards, or none");
    await waitFor("the cards by their titles", async () => {
      const labels = await workbench.quickInput.labels();
      return labels.filter((label) => label.endsWith(" by month")).length === 2;
    });
    await workbench.screenshot("page-collection-cards");
    await workbench.quickInput.accept();
    const changed = await view.tree.row("For everybody");
    await workbench.screenshot("page-collections");
    window.proxy.reset();
    await changed.chooseFromContextMenu("Remove Page Collection…");
    await workbench.dialog.waitFor("Remove the collection For everybody from Cash flow?");
    await workbench.dialog.cancel();
    assert.equal(changes(), 0);
    await changed.chooseFromContextMenu("Remove Page Collection…");
    await workbench.dialog.waitFor("Remove the collection For everybody from Cash flow?");
    await workbench.dialog.click("Remove");
    await waitFor("no collection on the platform", async () => (await collections()).length === 0);
    await view.tree.row("No collections yet");
    assert.equal(changes(), 1, "canceling sent nothing");
  });

  // Proves 4.4: DELETE an analyzer filter view; PUT a page's analyzer takes its settings
  it("shows, changes, and deletes a filter view", async () => {
    const { workbench } = window;
    const preview = new MarkdownPreview(workbench.page);
    const view = await pages();
    await view.clickTitleAction("Collapse All");
    await (await view.tree.reveal("Sales", "Filter Views", "Sales: north only")).doubleClick();
    assert.match(await preview.waitForText("Filter view of a page"), /Region\s+IN\s+North/);
    await workbench.screenshot("filter-view-details");
    await (await view.tree.row("Sales: north only")).clickInlineAction("Edit Filter View");
    const tab = "Sales- north only (filter view).json";
    const editor = await workbench.editors.text(tab);
    await editor.waitForText('"North"');
    // Typing a brace over a selection would surround the selection.
    await editor.replaceAll(" ");
    await editor.append((await storedView("Sales: north only")).replace('"North"', '"South"'));
    await workbench.editors.save();
    const asked = await workbench.dialog.waitFor("Send the changed filter view Sales: north only?");
    assert.match(asked.detail, /^filters: /);
    await screenshotInThemes(window, "filter-view-send");
    await workbench.dialog.click("Send");
    await workbench.editors.waitUntilSaved(tab);
    await waitFor("the filter view on the platform", async () =>
      JSON.stringify((await state()).filterViews.find(({ name }) => name === "Sales: north only")).includes("South"),
    );
    await workbench.runCommand("View: Close All Editors");

    window.proxy.reset();
    await (await view.tree.row("My view")).chooseFromContextMenu("Delete Filter View…");
    await workbench.dialog.waitFor("Delete the filter view My view of Sales?");
    await workbench.dialog.cancel();
    assert.equal(changes(), 0);
    await (await view.tree.row("My view")).chooseFromContextMenu("Delete Filter View…");
    await workbench.dialog.waitFor("Delete the filter view My view of Sales?");
    await workbench.dialog.click("Delete");
    await view.tree.waitForNoRow("My view");
    assert.equal(changes(), 1, "canceling sent nothing");
    const sales = await page("Sales");
    assert.deepEqual(
      (await state()).filterViews.filter(({ pageId }) => pageId === sales.id).map(({ name }) => name),
      ["Sales: north only"],
    );
  });

  /** A filter view as the platform returns it. */
  async function storedView(name: string): Promise<string> {
    const view = (await state()).filterViews.find((one) => one.name === name);
    assert.ok(view);
    const { settings, id, pageId, ...rest } = view;
    const whole = { ...settings, analyzerId: id, ...rest, type: "NAMED", ownerId: "481516234", order: null };
    return JSON.stringify({ ...whole, pageUrn: String(pageId) }, undefined, 2);
  }

  // Proves 4.4: POST to a card of a page sends a card action
  it("sends a card action", async () => {
    const { workbench } = window;
    const view = await pages();
    await (await view.tree.reveal("Sales", "Sales EMEA")).chooseFromContextMenu("Send Card Action…");
    await workbench.quickInput.waitForStep("Choose a card");
    await waitFor("the cards by their titles", async () => {
      const labels = await workbench.quickInput.labels();
      return labels.filter((label) => label.endsWith(" by month")).length === 2;
    });
    await workbench.screenshot("page-cards");
    await workbench.quickInput.choose("Enter Another ID…");
    await workbench.quickInput.waitForStep("ID of the card");
    await workbench.quickInput.submit("");
    await workbench.quickInput.waitForStep("A card's ID is required.");
    await workbench.quickInput.submit("card-77");
    await workbench.quickInput.waitForStep("Body of the action");
    await workbench.quickInput.type("7");
    await workbench.quickInput.waitForStep(/an array in brackets/);
    await workbench.quickInput.submit('[{"action": "add"}]');
    await workbench.notifications.waitFor("Sent the action to card card-77 of Sales EMEA.");
    assert.ok((await page("Sales EMEA")).cardIds.includes("card-77"));
    const sent = window.proxy.requests.findLast(({ method, path }) => method === "POST" && path.endsWith("/card-77"));
    assert.equal(sent?.sentBytes, Buffer.byteLength('[{"action":"add"}]'));
    await workbench.notifications.dismissAll();
  });

  it("sends analyzer settings of a page, several as an array, after it lists them", async () => {
    const { workbench, proxy } = window;
    const view = await pages();
    await (await view.tree.row("Sales")).chooseFromContextMenu("Edit Analyzer Settings…");
    const tab = "Sales (analyzer settings).json";
    const editor = await workbench.editors.text(tab);
    // Typing a bracket over a selection would surround the selection.
    await editor.replaceAll(" ");
    await editor.append('[{"name": "East only", "filters": []}, {"name": "West only", "filters": []}]');
    proxy.reset();
    await workbench.editors.save();
    const asked = await workbench.dialog.waitFor(`Send ${tab} to the platform?`);
    assert.match(asked.detail, /^\[0\]: \{"name":"East only"/m);
    assert.equal(changes(), 0);
    await screenshotInThemes(window, "analyzer-send");
    await workbench.dialog.click("Send");
    await workbench.editors.waitUntilSaved(tab);
    await waitFor("the settings on the platform", async () => {
      const names = (await state()).filterViews.map(({ name }) => name);
      return names.includes("East only") && names.includes("West only");
    });
    await workbench.runCommand("View: Close All Editors");
  });

  // Proves 4.4: POST adminsummary lists pages for administrators
  it("shows the admin summary as a table that can be sorted by its headings", async () => {
    const { workbench, proxy } = window;
    const preview = new MarkdownPreview(workbench.page);
    await pages();
    await workbench.runCommand("Platform: Show Page Summary…");
    await workbench.quickInput.waitForStep("Show Page Summary");
    await workbench.quickInput.submit("");
    const count = (await state()).pages.length;
    await preview.waitForText(`${count} pages, by Page, ascending`);
    await screenshotInThemes(window, "page-summary");
    proxy.reset();
    await preview.clickLink("Cards");
    await preview.waitForText("by Cards, ascending");
    await preview.clickLink("Cards ▲");
    const text = await preview.waitForText("by Cards, descending");
    const max = (await state()).pages.toSorted((one, other) => other.cardIds.length - one.cardIds.length)[0];
    assert.match(text.slice(text.indexOf("Locked")), new RegExp(`^Locked\\s+[^\\n]*\\s${max?.cardIds.length}\\s`));
    assert.equal(proxy.count(), 0);
    await workbench.screenshot("page-summary-sorted");
    await workbench.runCommand("View: Close All Editors");
  });

  it("creates a page, shares it, adds an owner, and deletes it, from the menus where users look for them", async () => {
    const { workbench } = window;
    const view = await pages();
    await (await view.tree.row("Operations")).chooseFromContextMenu("Create Page…");
    await workbench.quickInput.waitForStep("Title of the page");
    await workbench.quickInput.submit("Night shift");
    const row = await view.tree.reveal("Operations", "Night shift");
    assert.deepEqual((await below("Operations")).at(-1), "Night shift");
    for (const [entry, step, question, button] of [
      ["Share Page…", "Share Night shift", "Share Night shift with Ben Sample?", "Share"],
      ["Add Page Owners…", "Add Owners to Night shift", "Add Ben Sample to the owners of Night shift?", "Add"],
    ] as const) {
      await row.chooseFromContextMenu(entry);
      await workbench.quickInput.waitForStep(step);
      await workbench.quickInput.choose("Ben Sample");
      await workbench.quickInput.accept();
      await workbench.dialog.waitFor(question);
      await workbench.screenshot(`page-${button.toLowerCase()}`);
      await workbench.dialog.click(button);
    }
    const ben = 481_516_235;
    await waitFor("the owner", async () => (await page("Night shift")).owners.some(({ id }) => id === ben));
    assert.ok((await page("Night shift")).shares.some(({ type, id }) => type === "user" && id === String(ben)));
    await (await view.tree.row("Night shift")).chooseFromContextMenu("Delete Page…");
    await workbench.dialog.waitFor("Delete the page Night shift?");
    await workbench.dialog.click("Delete");
    await view.tree.waitForNoRow("Night shift");
    assert.ok(!(await below("Operations")).includes("Night shift"));
    await workbench.notifications.dismissAll();
  });

  it("shows a failure with Retry, and asks to sign in", async () => {
    const { workbench, proxy } = window;
    const view = await pages();
    proxy.addFault({ match: { path: navigation }, action: { kind: "response", status: 500, body: "{}" } });
    await view.clickTitleAction("Refresh Pages");
    const failed = await view.tree.row("Can't load pages: 500 from the platform", 60);
    await screenshotInThemes(window, "pages-error");
    proxy.clearFaults();
    await failed.clickInlineAction("Retry");
    await view.tree.waitForNoRow(/^Can't load/);
    await view.tree.row("Operations");
    await workbench.notifications.dismissAll();
    await workbench.runCommand("Platform: Sign Out…");
    await workbench.quickInput.choose("Sample tenant");
    assert.match(await view.welcomeText(), /Sign in to see the tenant's pages/);
    await workbench.screenshot("pages-signed-out");
  });
});
