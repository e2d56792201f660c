import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { people } from "../../../src/programs/sample-tenant/seed/organization.ts";
import { MarkdownPreview } from "../../harness/workbench/markdown-preview.ts";
import type { View } from "../../harness/workbench/side-bar.ts";
import type { TreeRowText } from "../../harness/workbench/tree.ts";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { waitForRows } from "../shown-rows.ts";
import { storedState } from "../tenant-window.ts";
import { screenshotInThemes } from "../themes.ts";

describe("the App Designs view", () => {
  const list = "/api/apps/v1/designs";
  let window: ProxiedWindow;
  let folder: string;

  useSharedWindow(
    (taken) => {
      window = taken;
    },
    { width: 1280, height: 960 },
  );
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "platform-workbench-designs-"));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function designs(): Promise<View> {
    const { sideBar } = window.workbench;
    await sideBar.open("Platform");
    await sideBar.collapse("Workspaces");
    return sideBar.view("App Designs");
  }

  /** Labels of the rows below a row of the second level. */
  function below(rows: readonly TreeRowText[], label: string): readonly string[] {
    const at = rows.findIndex((row) => row.label === label && row.level === 2);
    const end = rows.findIndex((row, index) => index > at && row.level <= 2);
    return rows.slice(at + 1, end).map((row) => row.label);
  }

  /** Comparisons have no file name. */
  async function waitForTab(label: string): Promise<void> {
    const active = window.workbench.page.locator(".part.editor .tab.active .label-name");
    await waitFor(`the tab ${label}`, async () => (await active.first().innerText()) === label, {
      describe: () => active.first().innerText(),
    });
  }

  const state = () => storedState(window);

  // Proves 4.3: GET designs lists them by limit and offset, 30 a page
  // Proves 8: 30 designs a page
  it("lists a page of designs with version and admins next to the name, and the next page on demand", async () => {
    const { proxy, workbench } = window;
    const view = await designs();
    const stored = (await state()).designs.filter(
      ({ name }) => !["Salary planner", "Travel board", "Budget form (old)"].includes(name),
    );
    const [first] = stored.toSorted((one, other) => other.updated.localeCompare(one.updated));
    assert.ok(first);
    await view.tree.row(first.name);
    // The view is visible from the start, so it may have read its list for an earlier file.
    proxy.reset();
    await view.clickTitleAction("Refresh App Designs");
    await waitFor("the list", async () => proxy.count({ path: list }) === 1);
    const row = await view.tree.row(first.name);
    const owners = first.owners.length === 1 ? "1 admin" : `${first.owners.length} admins`;
    assert.equal(await row.description(), `v${first.versions[0]?.version} · ${owners}`);
    await row.click();
    await workbench.page.keyboard.press("End");
    const more = await view.tree.row(/^Load 30 More/);
    await more.click();
    await view.tree.waitForNoRow(/^Load /);
    const queries = proxy.requests.filter(({ path }) => path === list).map(({ query }) => query);
    assert.deepEqual(
      queries.map((query) => new URLSearchParams(query).get("offset")),
      ["0", "30"],
    );
    await workbench.page.keyboard.press("Home");
    await workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "designs-view");
  });

  it("loads all remaining pages with one click", async () => {
    const { proxy, workbench } = window;
    const view = await designs();
    const [count, pageSize] = [200, 30];
    const all = Array.from({ length: count }, (_, index) => ({
      id: `made-up-${index}`,
      name: `Made up ${String(index + 1).padStart(3, "0")}`,
    }));
    for (let offset = 0; offset < count; offset += pageSize) {
      const body = JSON.stringify(all.slice(offset, offset + pageSize));
      const path = new RegExp(`^${list}\\?.*\\boffset=${offset}(?!\\d)`);
      proxy.addFault({ match: { path }, action: { kind: "response", status: 200, body } });
    }
    await view.clickTitleAction("Refresh App Designs");
    await (await view.tree.row("Made up 001")).click();
    await workbench.page.keyboard.press("End");
    await (await view.tree.row(/^Load 30 More/)).clickInlineAction("Load All");
    await view.tree.waitForNoRow(/^Load /);
    await (await view.tree.scrollTo("Made up 200")).click();
    proxy.clearFaults();
    await view.clickTitleAction("Refresh App Designs");
    await workbench.page.keyboard.press("Home");
    await view.tree.row("Order board");
  });

  it("shows the versions, newest first, the admins, and the cards of a design below it", async () => {
    const view = await designs();
    const stored = (await state()).designs.find(({ name }) => name === "Order board");
    assert.ok(stored);
    await view.tree.reveal("Order board", "Versions", `v${stored.versions[0]?.version}`);
    const versions = stored.versions.map(({ version }) => `v${version}`);
    await waitFor("the versions", async () => below(await view.tree.rows(), "Versions").length === versions.length);
    assert.deepEqual(below(await view.tree.rows(), "Versions"), versions);
    const [newest] = stored.versions;
    const row = await view.tree.row(`v${newest?.version}`);
    assert.match(await row.description(), newest?.released === null ? /^\d+\w+ ago · draft$/ : /^\d+\w+ ago$/);
    assert.deepEqual(await row.inlineActions(), ["Compare App Design Versions…", "Download App Design Source…"]);
    await (await view.tree.row("Admins")).expand();
    // The role that was granted on the design, not the one in the tenant.
    assert.equal(await (await view.tree.row("Ada Example")).description(), "Admin");
    await waitFor("the admins", async () => below(await view.tree.rows(), "Admins").length === stored.owners.length);
    await (await view.tree.row("Cards")).expand();
    await view.tree.row(stored.cards[0]?.title ?? "No cards use this design");
    await window.workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "design-below");
  });

  it("shows a card with the thumbnail, the people, and the dates", async () => {
    const view = await designs();
    const row = await view.tree.row("Order board");
    const text = await row.tooltip("Latest version");
    for (const part of ["Order board", "Admins", "Ada Example", "Creator", "Updated", "Open in Browser"]) {
      assert.ok(text.includes(part), text);
    }
    const image = window.workbench.page.locator('.monaco-hover img[src^="data:image/png;base64,"]');
    await waitFor("the thumbnail", async () => (await image.count()) === 1 && image.isVisible());
    await window.workbench.screenshot("design-card");
    await window.workbench.page.mouse.move(800, 500);
  });

  it("browses a version's files read-only, from a single download and without writing to disk", async () => {
    const { proxy, workbench } = window;
    const view = await designs();
    proxy.reset();
    await view.tree.reveal("Order board", "Versions", "v1.3.0", "styles", "app.css");
    const file = await view.tree.row("app.js");
    await file.doubleClick();
    const editor = await workbench.editors.text("app.js");
    await editor.waitForText("const rows = [");
    await workbench.page.keyboard.type("x");
    await workbench.screenshot("design-file");
    assert.equal(await workbench.editors.isDirty("app.js"), false);
    await (await view.tree.row("thumbnail.png")).doubleClick();
    await workbench.editors.waitForTab("thumbnail.png", { active: true });
    assert.equal(proxy.count({ path: /versions\/1\.3\.0\/assets/ }), 1);
    await workbench.runCommand("View: Close All Editors");
  });

  it("compares two versions in the multi-file diff editor", async () => {
    const { workbench } = window;
    const view = await designs();
    await view.tree.reveal("Order board", "Versions", "v1.3.0");
    await (await view.tree.row("v1.3.0")).clickInlineAction("Compare App Design Versions");
    await workbench.quickInput.waitForStep("Version to compare with v1.3.0");
    assert.ok(!(await workbench.quickInput.labels()).includes("v1.3.0"));
    await workbench.quickInput.choose("v1.2.0");
    await waitForTab("Order board v1.2.0 ↔ v1.3.0 (3 files)");
    const shown = workbench.page.locator(".multiDiffEntry .file-path .title.modified");
    await waitFor("the files", async () => (await shown.count()) === 3, {
      describe: async () => JSON.stringify(await shown.allInnerTexts()),
    });
    await screenshotInThemes(window, "design-versions-compared");
    const told = await workbench.notifications.waitFor("thumbnail.png also differs (binary).");
    await told.click("Show…");
    const breadcrumbs = workbench.page.locator(".part.editor .breadcrumbs-control");
    await waitFor(
      "the editor for images",
      async () => (await breadcrumbs.innerText()).includes("thumbnail v1.3.0.png"),
      {
        describe: () => breadcrumbs.innerText(),
      },
    );
    await waitForTab("thumbnail v1.2.0.png ↔ thumbnail v1.3.0.png");
    await workbench.screenshot("design-images-compared");
    await workbench.notifications.dismissAll();
    await workbench.runCommand("View: Close All Editors");
  });

  // Proves 1: App designs: list, read, versions, source archive, access
  it("downloads a version's source as an archive and as a folder", async () => {
    const { workbench } = window;
    const view = await designs();
    await view.tree.reveal("Order board", "Versions", "v1.3.0");
    await (await view.tree.row("v1.3.0")).clickInlineAction("Download App Design Source");
    await workbench.quickInput.choose("As a ZIP Archive…");
    await workbench.quickInput.submitPath("Download Order board v1.3.0", join(folder, "source.zip"));
    await workbench.notifications.waitFor(/^Downloaded .*source\.zip \(/);
    assert.equal((await readFile(join(folder, "source.zip"))).subarray(0, 2).toString(), "PK");
    await workbench.notifications.dismissAll();

    await workbench.runCommand("Platform: Download App Design Source…");
    await workbench.quickInput.waitForStep("Download App Design Source · Sample tenant");
    await workbench.quickInput.choose("Order board");
    await workbench.quickInput.waitForStep("Download App Design Source · Order board");
    await workbench.quickInput.choose("v1.3.0");
    await workbench.quickInput.choose("As an Unpacked Folder…");
    await workbench.quickInput.submitPath("Download Order board v1.3.0", `${folder}/`);
    await workbench.notifications.waitFor(/^Unpacked 6 files/);
    const files = await readdir(join(folder, "Order board v1.3.0"), { recursive: true });
    assert.deepEqual(files.toSorted(), [
      ...["README.md", "app.js", "index.html", "manifest.json", "styles", "styles/app.css", "thumbnail.png"],
    ]);
    assert.deepEqual((await readdir(folder)).toSorted(), ["Order board v1.3.0", "source.zip"]);
    await workbench.notifications.dismissAll();
  });

  it("compares a version with a local folder, whose files can be edited", async () => {
    const { workbench } = window;
    const mine = join(folder, "mine");
    await mkdir(mine);
    const unpacked = join(folder, "Order board v1.3.0");
    for (const name of ["README.md", "index.html", "manifest.json", "thumbnail.png"]) {
      await writeFile(join(mine, name), await readFile(join(unpacked, name)));
    }
    await writeFile(join(mine, "app.js"), "const rows = [];\n");
    await writeFile(join(mine, "new.js"), "export {};\n");
    const view = await designs();
    const row = await view.tree.reveal("Order board", "Versions", "v1.3.0");
    await row.chooseFromContextMenu("Compare App Design with Local Folder…");
    await workbench.quickInput.submitPath("Compare Order board v1.3.0 with a Folder", `${mine}/`);
    await waitForTab("Order board v1.3.0 ↔ mine (3 files)");
    const shown = workbench.page.locator(".multiDiffEntry .file-path .title.modified");
    await waitFor(
      "what is new here",
      async () => (await shown.allInnerTexts()).some((text) => text.startsWith("new.js")),
      {
        describe: async () => JSON.stringify(await shown.allInnerTexts()),
      },
    );
    await workbench.notifications.dismissAll();
    await workbench.screenshot("design-folder-compared");
    await workbench.runCommand("View: Close All Editors");
  });

  // Proves 2.7: the owners are the whole access list of a design
  it("adds admins and shows who has access; canceling changes nothing", async () => {
    const { workbench, proxy } = window;
    const view = await designs();
    const before = (await state()).designs.find(({ name }) => name === "Order board");
    assert.ok(before);
    proxy.reset();
    await view.tree.reveal("Order board", "Admins");
    await (await view.tree.row("Admins")).clickInlineAction("Add App Design Admins");
    await workbench.quickInput.waitForStep("Add App Design Admins · Order board");
    const newcomer = people.find(({ id }) => !before.owners.includes(id));
    assert.ok(newcomer);
    await waitFor("everybody", async () => (await workbench.quickInput.labels()).includes(newcomer.name));
    const selected = workbench.quickInput.widget.locator(".quick-input-count");
    assert.match(await selected.innerText(), /^0 /, "nothing is selected before the user does");
    await screenshotInThemes(window, "people-picker");
    await workbench.quickInput.cancel();
    assert.equal(proxy.count({ method: "POST" }), 0);

    await (await view.tree.row("Admins")).clickInlineAction("Add App Design Admins");
    await waitFor("everybody", async () => (await workbench.quickInput.labels()).includes(newcomer.name));
    await workbench.quickInput.choose(newcomer.name);
    await workbench.quickInput.accept();
    await workbench.notifications.waitFor(`${newcomer.name} is now an admin of Order board.`);
    await view.tree.row(newcomer.name);
    const after = (await state()).designs.find(({ name }) => name === "Order board");
    assert.deepEqual(after?.owners.toSorted(), [...before.owners, newcomer.id].toSorted());
    assert.equal(proxy.count({ method: "POST" }), 1, "canceling sent nothing");
    await waitFor("the number of admins beside the name", async () =>
      (await (await view.tree.row("Order board")).description()).includes(`${before.owners.length + 1} admins`),
    );
    await workbench.notifications.dismissAll();
  });

  it("shows details of a design and of a version, with links between them", async () => {
    const { workbench } = window;
    const preview = new MarkdownPreview(workbench.page);
    const view = await designs();
    await (await view.tree.row("Order board")).doubleClick();
    const text = await preview.waitForText(/Versions[\s\S]*Admins[\s\S]*Cards/);
    assert.match(text, /App design/);
    assert.match(text, /Ada Example\s+user481516234@example\.com/);
    await screenshotInThemes(window, "design-details");
    await preview.clickLink("Order board v1.3.0");
    await preview.waitForText("Version of an app design");
    await workbench.screenshot("design-version-details");
    await (await view.tree.row("Order board")).chooseFromContextMenu("Show Raw JSON");
    const json = await workbench.editors.text("Order board.json");
    await json.waitForText('"name": "Order board"');
    await workbench.runCommand("View: Close All Editors");
  });

  it("shows details of an admin and of a card, with the names of people", async () => {
    const { workbench } = window;
    const preview = new MarkdownPreview(workbench.page);
    const view = await designs();
    const detailsBelow = async (group: string, heading: string): Promise<string> => {
      const label = await waitFor(`a row in ${group}`, async () => below(await view.tree.rows(), group).at(-1));
      await (await view.tree.row(label)).chooseFromContextMenu("Show Details");
      const text = await preview.waitForText(heading);
      await workbench.screenshot(`design-${heading.toLowerCase()}-details`);
      return text.replace(/\s+/g, " ");
    };
    await (await view.tree.reveal("Order board", "Admins")).expand();
    assert.match(await detailsBelow("Admins", "Role"), / Role \w+ State active .* Invited by Ada Example/);
    await (await view.tree.row("Cards")).expand();
    assert.match(
      await detailsBelow("Cards", "Datasets"),
      / Type Custom app .*Owners .* Ada Example user .* No datasets\./,
    );
    await workbench.runCommand("View: Close All Editors");
  });

  it("filters by deletion, permission, and order with More Options, keeps the filter on a refresh, and clears it", async () => {
    const { workbench, proxy } = window;
    const view = await designs();
    proxy.reset();
    await view.clickTitleAction("Filter App Designs");
    await workbench.quickInput.waitForStep("Filter App Designs");
    await workbench.quickInput.type("budget");
    await workbench.screenshot("designs-filter-name");
    await workbench.quickInput.clickButton("More Options…");
    await workbench.quickInput.waitForStep("Choose a filter to change it");
    await workbench.quickInput.choose("Deleted");
    await workbench.quickInput.choose("Order");
    await workbench.quickInput.choose("Your Permission");
    await workbench.quickInput.waitForStep("Show designs for which you have this permission");
    await workbench.quickInput.choose("Read");
    await workbench.quickInput.waitForStep("Choose a filter to change it");
    await workbench.page.mouse.move(800, 700);
    await workbench.screenshot("designs-filter-options");
    await workbench.quickInput.choose("Apply Filter");
    const message = 'App designs with "budget" in their name · deleted · permission: Read · oldest update first';
    await view.waitForMessage(message);
    await waitForRows(view, ["Budget form (old)"]);
    assert.match(await (await view.tree.row("Budget form (old)")).description(), /^deleted · v1\.0\.0/);
    const last = (): URLSearchParams =>
      new URLSearchParams(proxy.requests.findLast(({ path }) => path === list)?.query);
    const asked = ["search", "deleted", "withPermission", "direction"];
    const wanted = ["budget", "true", "READ", "asc"];
    assert.deepEqual(
      asked.map((name) => last().get(name)),
      wanted,
    );
    proxy.reset();
    await view.clickTitleAction("Refresh App Designs");
    await waitFor("the list to be read again", async () => proxy.count({ path: list }) === 1);
    assert.deepEqual(
      asked.map((name) => last().get(name)),
      wanted,
    );
    await view.waitForMessage(message);
    await screenshotInThemes(window, "designs-filtered");
    await view.clickTitleAction("Clear App Design Filter");
    await view.tree.row("Order board");
    assert.deepEqual(
      asked.map((name) => last().get(name)),
      ["", "false", "ADMIN", "desc"],
    );
  });

  it("filters on the server, and shows a failure with Retry", async () => {
    const { workbench, proxy } = window;
    const view = await designs();
    proxy.reset();
    await view.clickTitleAction("Filter App Designs");
    await workbench.quickInput.waitForStep("Filter App Designs");
    await workbench.quickInput.submit("supplier p");
    await view.waitForMessage('App designs with "supplier p" in their name');
    await waitForRows(view, ["Supplier planner"]);
    assert.equal(proxy.count({ path: list }), 1);
    proxy.addFault({ match: { path: list }, action: { kind: "response", status: 500, body: "{}" } });
    await view.clickTitleAction("Clear App Design Filter");
    const failed = await view.tree.row("Can't load app designs: 500 from the platform", 60);
    await screenshotInThemes(window, "designs-error");
    proxy.clearFaults();
    await failed.clickInlineAction("Retry");
    await view.tree.row("Order board");
  });
});
