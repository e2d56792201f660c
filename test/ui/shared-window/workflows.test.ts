import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { MarkdownPreview } from "../../harness/workbench/markdown-preview.ts";
import type { View } from "../../harness/workbench/side-bar.ts";
import { clickOnce, waitFor } from "../../harness/workbench/waiting.ts";
import { openedWebviewWith } from "../../harness/workbench/webview.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { waitForRows } from "../shown-rows.ts";
import { screenshotInThemes } from "../themes.ts";

const listPath = "/api/workflow/v1/models";
const models = z.array(z.looseObject({ id: z.string(), name: z.string() }));
const modelShape = z.looseObject({
  description: z.nullish(z.string()),
  versions: z.array(z.looseObject({ version: z.string(), description: z.nullish(z.string()) })),
});
const triggersShape = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    modelId: z.string(),
    modelVersion: z.string(),
    entityId: z.string(),
    metadata: z.looseObject({ cron: z.optional(z.string()), timeZone: z.optional(z.string()) }),
    deletedAt: z.nullish(z.string()),
  }),
);

describe("the Workflows view", () => {
  let window: ProxiedWindow;

  useSharedWindow((taken) => {
    window = taken;
  });
  before(async () => {
    await window.workbench.sideBar.open("Platform");
    // One view is enough, and has room.
    await window.workbench.sideBar.collapse("Workspaces", "App Designs");
  });
  afterEach(() => window.workbench.notifications.dismissAll());

  function workflows(): Promise<View> {
    return window.workbench.sideBar.view("Workflows");
  }

  /** The state on the platform itself, without the proxy and the editor. */
  async function platform<Shape extends z.ZodMiniType>(path: string, shape: Shape): Promise<z.output<Shape>> {
    const headers = { authorization: `Bearer ${window.tenant.platformToken}` };
    const response = await fetch(new URL(path, window.tenant.url), { headers });
    assert.equal(response.status, 200, path);
    return z.parse(shape, await response.json());
  }

  async function modelNamed(name: string): Promise<string> {
    const found = (await platform(listPath, models)).find((model) => model.name === name);
    assert.ok(found !== undefined, name);
    return found.id;
  }

  async function ownTriggers(name: string): Promise<z.output<typeof triggersShape>> {
    const modelId = await modelNamed(name);
    const { id } = await platform("/api/content/v2/users/me", z.looseObject({ id: z.union([z.number(), z.string()]) }));
    const holders = [`ODYSSEY_WORKFLOW_MODEL/${modelId}`, `USER/${id}`];
    const lists = await Promise.all(
      holders.map((holder) => platform(`/api/workflow/v2/triggers/entity/${holder}`, triggersShape)),
    );
    return lists.flat().filter((trigger) => trigger.modelId === modelId);
  }

  it("lists the workflows with one request, and the parts of a workflow below it", async () => {
    const { proxy, workbench } = window;
    // Other views read their own content while they are visible.
    const asked = (): number => proxy.count({ path: /^\/api\/workflow\// });
    const view = await workflows();
    await view.tree.row(/^Weekly sales mail/);
    proxy.reset();
    await view.clickTitleAction("Refresh Workflows");
    await waitFor("the list", async () => proxy.count({ path: listPath }) === 1);
    assert.equal(asked(), 1);
    const workflow = await view.tree.row(/^Weekly sales mail/);
    assert.match(await workflow.description(), /^updated /);
    proxy.reset();
    await workflow.expand();
    await view.tree.row("Versions");
    assert.equal(asked(), 1);
    await (await view.tree.row("Versions")).expand();
    const active = await view.tree.row("v1.2.0");
    assert.match(await active.description(), /^active · .* runs$/);
    assert.match(await active.accessibleName(), /^v1\.2\.0, active/);
    assert.equal(await active.locator.locator(".codicon-pass").count(), 1);
    assert.deepEqual(
      (await view.tree.labels()).filter((label) => label.startsWith("v")),
      ["v1.3.0", "v1.2.0", "v1.1.0", "v1.0.0"],
    );
    // The workflow's own response contained the versions.
    assert.equal(asked(), 1);
    await waitFor("the version beside the name", async () => /^v1\.2\.0 · /.test(await workflow.description()));
    for (const group of ["Triggers", "Locks", "Permissions", "Usage"]) {
      await (await view.tree.row(group)).expand();
    }
    const timer = await view.tree.row("Regular run");
    await waitFor("its next run", async () => /^next \w{3}, .* · timer · v1\.2\.0$/.test(await timer.description()));
    await view.tree.row("No versions are locked");
    assert.match(await (await view.tree.row("Ada Example")).description(), /admin, share/);
    await (await view.tree.row("Mail tools")).expand();
    await workbench.page.mouse.move(800, 500);
    await screenshotInThemes(window, "workflows-view");
    for (const group of ["Usage", "Permissions", "Locks", "Triggers", "Versions"]) {
      await (await view.tree.row(group)).collapse();
    }
  });

  // Proves 1: Workflows: models, versions, executions, triggers
  it("lists executions newest first, 30 at a time, with state and duration", async () => {
    const { proxy, workbench } = window;
    const view = await workflows();
    proxy.reset();
    const group = await view.tree.row("Executions");
    await group.expand();
    // Until all rows are drawn, the first one may be any row.
    const first = await waitFor("the newest execution", async () => {
      const [row] = (await view.tree.rows()).filter(({ level }) => level === 3);
      return row !== undefined && /\d[mh] ago · .* · /.test(row.description) && row;
    });
    assert.match(first.label, /^(Completed|Failed|Canceled|In Progress|Not Started)$/);
    const completed = await view.tree.row("Completed");
    assert.equal(await completed.locator.locator(".codicon-pass").count(), 1);
    assert.match(await completed.accessibleName(), /^Completed, /);
    assert.deepEqual(await completed.inlineActions(), ["Show Execution Outputs…"]);
    await workbench.screenshot("workflow-executions");
    const count = (): number => proxy.count({ path: "/api/workflow/v2/executions" });
    assert.equal(count(), 1);
    await completed.click();
    const preview = new MarkdownPreview(workbench.page);
    assert.match(await preview.waitForText("Duration"), /Weekly sales mail/);
    const tab = workbench.page.locator(".part.editor .tab.active .label-name");
    assert.match(await tab.innerText(), /^Preview Weekly sales mail, .*\d:\d\d\s[AP]M$/);
    await workbench.screenshot("execution-with-one-click");
    const more = await view.tree.scrollTo(/^Load \d+ More \(30 of \d+\)$/);
    proxy.reset();
    await more.click();
    await view.tree.waitForNoRow(/\(30 of/);
    // The platform had already returned all of them.
    assert.equal(count(), 0);
    await workbench.page.keyboard.press("Home");
    await (await view.tree.row("Executions")).collapse();
    const workflow = await view.tree.row(/^Weekly sales mail/);
    await waitFor("its last run", async () => /^v1\.2\.0 · last run /.test(await workflow.description()));
  });

  it("filters by name", async () => {
    const { workbench } = window;
    const view = await workflows();
    await view.clickTitleAction("Filter Workflows");
    await workbench.quickInput.waitForStep("Filter Workflows");
    await workbench.quickInput.submit("REQUEST");
    await view.waitForMessage('Workflows with "REQUEST" in their name');
    await waitForRows(view, ["Vacation request", "Access request"]);
    await view.clickTitleAction("Change Workflow Filter");
    await workbench.quickInput.waitForStep("Filter Workflows");
    await workbench.quickInput.submit("nothing like this");
    await view.tree.row("No matching workflows");
    await view.clickTitleAction("Clear Workflow Filter");
    await view.tree.row(/^Invoice approval/);
  });

  it("shows a start form for a trigger and a deployment, and immediately without them", async () => {
    const { proxy, workbench } = window;
    const { quickInput } = workbench;
    const preview = new MarkdownPreview(workbench.page);
    const modelId = await modelNamed("Weekly sales mail");
    const path = `/api/workflow/v2/models/${modelId}/versions/1.2.0/form`;
    const asked = (): URLSearchParams =>
      new URLSearchParams(proxy.requests.findLast((one) => one.path === path)?.query);
    proxy.reset();
    await workbench.runCommand("Platform: Show Start Form…");
    await quickInput.type("Weekly");
    await quickInput.choose("Weekly sales mail");
    await quickInput.choose("v1.2.0");
    await quickInput.waitForStep("Show the form, or choose a trigger or deployment first");
    await quickInput.choose("Trigger");
    await quickInput.waitForStep("Trigger of version 1.2.0");
    await quickInput.choose("Regular run");
    await quickInput.choose("Deployment");
    await quickInput.waitForStep("Choose a deployment from the executions");
    await workbench.screenshot("start-form-deployments");
    await quickInput.choose(/^Weekly sales mail, /);
    await quickInput.waitForStep("Show the form, or choose a trigger or deployment first");
    await workbench.page.mouse.move(800, 700);
    await workbench.screenshot("start-form-options");
    await quickInput.choose("Show Form");
    assert.match(await preview.waitForText("Start form of Weekly sales mail v1.2.0"), /Filled in for Regular run/);
    const [trigger] = (await ownTriggers("Weekly sales mail")).filter(({ name }) => name === "Regular run");
    assert.deepEqual([asked().get("triggerId"), asked().get("deploymentId")?.length], [trigger?.id, 36]);
    await screenshotInThemes(window, "start-form");
    await workbench.runCommand("View: Close All Editors");
    proxy.reset();
    const view = await workflows();
    await (await view.tree.reveal(/^Weekly sales mail/, "Versions", "v1.2.0", "Start Form")).doubleClick();
    await preview.waitForText("Start form of Weekly sales mail v1.2.0");
    assert.equal(asked().size, 0);
    await workbench.runCommand("View: Close All Editors");
    await (await view.tree.row(/^Weekly sales mail/)).collapse();
  });

  it("shows the triggers that are attached to versions of a workflow", async () => {
    const { proxy, workbench } = window;
    const { quickInput } = workbench;
    const preview = new MarkdownPreview(workbench.page);
    const modelId = await modelNamed("Weekly sales mail");
    const path = `/api/workflow/v2/triggers/entity/ODYSSEY_WORKFLOW_MODEL/${modelId}`;
    const asked = (): URLSearchParams =>
      new URLSearchParams(proxy.requests.findLast((one) => one.path === path)?.query);
    const attached = await platform(
      path,
      z.array(z.looseObject({ name: z.string(), entityVersion: z.nullish(z.string()) })),
    );
    const [first] = attached;
    assert.ok(typeof first?.entityVersion === "string");
    await workbench.runCommand("Platform: Show Triggers of Version…");
    await quickInput.type("Weekly");
    await quickInput.choose("Weekly sales mail");
    await quickInput.waitForStep("Select none for the triggers of all versions");
    await quickInput.choose(`v${first.entityVersion}`);
    await workbench.screenshot("triggers-by-version");
    await quickInput.accept();
    const text = await preview.waitForText(`Triggers of Weekly sales mail v${first.entityVersion}`);
    assert.ok(text.includes(first.name), text);
    assert.equal(asked().get("entityVersions"), first.entityVersion);
    await screenshotInThemes(window, "triggers-of-version");
    await workbench.runCommand("View: Close All Editors");
  });

  // Proves 4.6: POST models creates a workflow, from an empty object by default
  // Proves 4.6: POST the first version of a workflow that has none, in version v1
  it("creates a workflow without a version, and its first version with the call for that", async () => {
    const { proxy, workbench } = window;
    const view = await workflows();
    await view.clickTitleAction("Create Workflow");
    await workbench.quickInput.waitForStep("Name of the workflow");
    await workbench.screenshot("workflow-create");
    await workbench.quickInput.submit("A made up workflow");
    await workbench.quickInput.waitForStep("Description (optional)");
    await workbench.quickInput.submit("For trying");
    await workbench.quickInput.waitForStep("Leave empty to create the workflow without a version");
    assert.equal(await workbench.quickInput.value(), "1.0.0");
    await workbench.quickInput.submit("");
    await workbench.quickInput.waitUntilClosed();
    const modelId = await waitFor(
      "the workflow",
      async () => (await platform(listPath, models)).find(({ name }) => name === "A made up workflow")?.id,
    );
    const row = await view.tree.row(/^A made up workflow/);
    proxy.reset();
    await row.chooseFromContextMenu("Create Workflow Version…");
    await workbench.quickInput.waitForStep("Version number");
    await workbench.quickInput.type("1.0");
    await workbench.quickInput.waitForStep("Enter a semantic version");
    await workbench.quickInput.submit("1.0.0");
    await workbench.quickInput.choose("A Start and an End");
    await workbench.quickInput.waitUntilClosed();
    const model = await waitFor("the version", async () => {
      const read = await platform(`${listPath}/${modelId}`, modelShape);
      return read.versions.length > 0 ? read : undefined;
    });
    assert.equal(model.description, "For trying");
    assert.deepEqual(
      model.versions.map(({ version }) => version),
      ["1.0.0"],
    );
    // The proxy counts a request when its response has ended, after the platform has handled it.
    const count = (): number => proxy.count({ method: "POST", path: `${listPath}/${modelId}/versions` });
    await waitFor("the request", async () => count() === 1, { describe: async () => `${count()} requests` });
  });

  // Proves 4.6: POST versions creates a version, from an empty object by default
  it("creates another version from the previous one", async () => {
    const { proxy, workbench } = window;
    const view = await workflows();
    const modelId = await modelNamed("A made up workflow");
    proxy.reset();
    await (await view.tree.row(/^A made up workflow/)).chooseFromContextMenu("Create Workflow Version…");
    await workbench.quickInput.choose("v1.0.0");
    await workbench.quickInput.waitForStep("Version number");
    assert.equal(await workbench.quickInput.value(), "1.1.0");
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForStep("What's new in this version");
    await workbench.quickInput.submit("More of it");
    await workbench.quickInput.waitUntilClosed();
    const model = await waitFor("the version", async () => {
      const read = await platform(`${listPath}/${modelId}`, modelShape);
      return read.versions.length === 2 ? read : undefined;
    });
    assert.equal(model.versions.find(({ version }) => version === "1.1.0")?.description, "More of it");
    await waitForRows(view, ["v1.1.0", "v1.0.0"], (label) => label.startsWith("v"));
    assert.equal(proxy.count({ method: "POST", path: `/api/workflow/v2/models/${modelId}/versions` }), 1);
  });

  // Proves 4.6: POST a trigger
  it("builds a timer step by step, with Back and the next five runs in its time zone", async () => {
    const { workbench } = window;
    const { quickInput } = workbench;
    const view = await workflows();
    await (await view.tree.row(/^A made up workflow/)).chooseFromContextMenu("Create Workflow Trigger…");
    await quickInput.waitForStep("Choose what starts the workflow");
    assert.ok((await quickInput.labels()).includes("Page access requested"));
    await quickInput.choose("Timer");
    await quickInput.waitForStep("Version to start");
    await quickInput.choose("v1.0.0");
    await quickInput.waitForStep("Name of the trigger");
    await clickOnce("Back", workbench.page.locator(".quick-input-widget .codicon-quick-input-back"));
    await quickInput.waitForStep("Version to start");
    await quickInput.choose("v1.1.0");
    await quickInput.waitForStep("Name of the trigger");
    await quickInput.submit("Early riser");
    await quickInput.waitForStep("Choose how often the workflow runs");
    await workbench.screenshot("timer-kind");
    await quickInput.choose("Every Weekday");
    await quickInput.waitForStep("Time zone of the schedule");
    await quickInput.type("Tokyo");
    await quickInput.choose("Asia/Tokyo");
    await quickInput.waitForStep("Time of day in Asia/Tokyo");
    await quickInput.type("25:00");
    await quickInput.waitForStep("Enter a time from 00:00 to 23:59");
    await quickInput.type("6:45");
    await quickInput.waitForStep(/Next runs: \w{3}, .*6:45 AM GMT\+9/);
    await workbench.screenshot("timer-time");
    await quickInput.accept();
    await quickInput.waitForStep("0 45 6 ? * MON,TUE,WED,THU,FRI in Asia/Tokyo");
    const shown = await waitFor("the runs", async () => {
      const labels = await quickInput.labels();
      return labels.length >= 6 ? labels : undefined;
    });
    assert.equal(shown.filter((label) => /^\w{3}, .* 6:45 AM GMT\+9$/.test(label)).length, 5);
    await workbench.screenshot("timer-preview");
    await quickInput.choose("Create Trigger");
    await workbench.notifications.waitFor(
      /Created the trigger Early riser. It next starts A made up workflow at \w{3}, .*6:45 AM GMT\+9/,
    );
    const [trigger] = (await ownTriggers("A made up workflow")).filter(({ name }) => name === "Early riser");
    assert.equal(trigger?.type, "TIMER");
    assert.equal(trigger.modelVersion, "1.1.0");
    assert.equal(trigger.metadata.cron, "0 45 6 ? * MON,TUE,WED,THU,FRI");
    assert.equal(trigger.metadata.timeZone, "Asia/Tokyo");
  });

  it("builds a timer for some days of the week", async () => {
    const { workbench } = window;
    const { quickInput } = workbench;
    const view = await workflows();
    await (await view.tree.row(/^A made up workflow/)).chooseFromContextMenu("Create Workflow Trigger…");
    await quickInput.choose("Timer");
    await quickInput.waitForStep("Version to start");
    await quickInput.choose("v1.1.0");
    await quickInput.waitForStep("Name of the trigger");
    await quickInput.submit("Twice a week");
    await quickInput.waitForStep("Choose how often the workflow runs");
    await quickInput.choose("Every Week");
    await quickInput.waitForStep("Time zone of the schedule");
    await quickInput.type("UTC");
    await quickInput.choose("UTC");
    await quickInput.waitForStep("Days of the week");
    const ticked = quickInput.widget.locator(".quick-input-count");
    for (const [day, count] of [
      ["Friday", 2],
      ["Wednesday", 3],
      ["Monday", 2],
    ] as const) {
      await quickInput.choose(day);
      await waitFor(`${count} days`, async () => (await ticked.innerText()).startsWith(`${count} `));
    }
    await workbench.screenshot("timer-days");
    await quickInput.accept();
    await quickInput.waitForStep("Time of day in UTC");
    await quickInput.type("18:05");
    await quickInput.waitForStep(/Next runs: (?:Wed|Fri), .*6:05 PM UTC/);
    await quickInput.accept();
    await quickInput.waitForStep("0 5 18 ? * WED,FRI in UTC");
    await quickInput.choose("Create Trigger");
    await workbench.notifications.waitFor(
      /Created the trigger Twice a week. It next starts A made up workflow at (?:Wed|Fri), .*6:05 PM/,
    );
    const [trigger] = (await ownTriggers("A made up workflow")).filter(({ name }) => name === "Twice a week");
    assert.deepEqual([trigger?.metadata.cron, trigger?.metadata.timeZone], ["0 5 18 ? * WED,FRI", "UTC"]);
  });

  // Proves 3: Deleting an active trigger deletes it softly
  it("deletes a trigger after a confirmation; canceling keeps it, and a deleted one is struck through", async () => {
    const { proxy, workbench } = window;
    const view = await workflows();
    const group = await view.tree.reveal(/^A made up workflow/, "Triggers");
    await group.expand();
    const row = await view.tree.row("Early riser");
    proxy.reset();
    await row.clickInlineAction("Delete Workflow Trigger");
    const asked = await workbench.dialog.waitFor("Delete the trigger Early riser of A made up workflow?");
    assert.match(asked.detail, /no longer starts the workflow/);
    await workbench.screenshot("trigger-delete");
    await workbench.dialog.cancel();
    assert.equal(proxy.count({ method: "DELETE" }), 0);
    await row.clickInlineAction("Delete Workflow Trigger");
    await workbench.dialog.waitFor("Delete the trigger Early riser of A made up workflow?");
    await workbench.dialog.click("Delete");
    const struck = await view.tree.row([..."Early riser"].map((letter) => `${letter}\u0336`).join(""));
    assert.match(await struck.description(), /^deleted now · timer/);
    assert.match(await struck.accessibleName(), /^Early riser, deleted/);
    assert.deepEqual(await struck.inlineActions(), []);
    await screenshotInThemes(window, "trigger-deleted");
    const [trigger] = (await ownTriggers("A made up workflow")).filter(({ name }) => name === "Early riser");
    assert.ok(trigger?.deletedAt);
    assert.equal(proxy.count({ method: "DELETE" }), 1);
  });

  // Proves 4.6: DELETE a workflow
  it("deletes a workflow after naming what is deleted with it, and reports the platform's refusal", async () => {
    const { proxy, workbench } = window;
    const view = await workflows();
    proxy.reset();
    await (await view.tree.row(/^A made up workflow/)).chooseFromContextMenu("Delete Workflow…");
    const asked = await workbench.dialog.waitFor("Delete the workflow A made up workflow?");
    assert.match(asked.detail, /^Version 1\.1\.0\nVersion 1\.0\.0\n/);
    await workbench.dialog.cancel();
    // Away from the rows, whose cards would cover the next one that is clicked.
    await workbench.page.mouse.move(800, 500);
    assert.equal(proxy.count({ method: "DELETE" }), 0);
    await (await view.tree.row(/^A made up workflow/)).chooseFromContextMenu("Delete Workflow…");
    await workbench.dialog.waitFor("Delete the workflow A made up workflow?");
    await workbench.dialog.click("Delete");
    await view.tree.waitForNoRow(/^A made up workflow/);
    assert.equal(proxy.count({ method: "DELETE" }), 1, "canceling sent nothing");
    assert.ok((await platform(listPath, models)).every(({ name }) => name !== "A made up workflow"));
    await (await view.tree.row(/^Budget alert/)).chooseFromContextMenu("Delete Workflow…");
    const active = await workbench.dialog.waitFor("Delete the workflow Budget alert?");
    assert.match(active.detail, /Version 1\.0\.0 \(active\)/);
    assert.match(active.detail, /Trigger By alert/);
    await workbench.screenshot("workflow-delete");
    await workbench.dialog.click("Delete");
    await workbench.notifications.waitFor(/^Can't delete workflow Budget alert: .*Deactivate it first/);
    assert.ok((await platform(listPath, models)).some(({ name }) => name === "Budget alert"));
  });

  it("uses a file as the definition of a first version, and reports one without a definition", async () => {
    const { proxy, workbench } = window;
    const { quickInput } = workbench;
    const folder = join(window.dataDirectory, "definitions");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "other.json"), '{"name": "no definition"}');
    const weekly = `/api/workflow/v2/models/${await modelNamed("Weekly sales mail")}/versions/1.2.0/definition`;
    const definition = await platform(weekly, z.looseObject({ designElements: z.array(z.unknown()) }));
    await writeFile(join(folder, "weekly.json"), JSON.stringify(definition));
    const view = await workflows();
    await view.clickTitleAction("Create Workflow");
    await quickInput.waitForStep("Name of the workflow");
    await quickInput.submit("Like the weekly mail");
    await quickInput.waitForStep("Description (optional)");
    await quickInput.submit("");
    await quickInput.waitForStep("Leave empty to create the workflow without a version");
    await quickInput.submit("");
    const row = await view.tree.row(/^Like the weekly mail/);
    proxy.reset();
    await row.chooseFromContextMenu("Create Workflow Version…");
    await quickInput.waitForStep("Version number");
    await quickInput.submit("2.0.0");
    for (const file of ["other.json", "weekly.json"]) {
      await quickInput.choose("A Definition from a File…");
      await quickInput.submitPath("Definition of the Version", join(folder, file));
      if (file === "other.json") {
        await workbench.notifications.waitFor(/other\.json isn't a workflow definition: it has no designElements list/);
        assert.equal(proxy.count({ method: "POST" }), 0);
      }
    }
    await view.tree.row("v2.0.0");
    const modelId = await modelNamed("Like the weekly mail");
    const made = `/api/workflow/v2/models/${modelId}/versions/2.0.0/definition`;
    assert.deepEqual((await platform(made, z.looseObject({ designElements: z.unknown() }))).designElements, [
      ...definition.designElements,
    ]);
    assert.equal(proxy.count({ method: "POST", path: `${listPath}/${modelId}/versions` }), 1);
    await row.collapse();
  });

  it("shows details with people's names, links to related items, a start form, and outputs", async () => {
    const { workbench } = window;
    const view = await workflows();
    const preview = new MarkdownPreview(workbench.page);
    await (await view.tree.row(/^Weekly sales mail/)).chooseFromContextMenu("Show Details");
    const details = await preview.waitForText("Sends the week's figures on Monday");
    for (const part of ["Owner", "Versions", "v1.2.0", "Regular run", "Permissions", "Analysts"]) {
      assert.ok(details.includes(part), details);
    }
    assert.doesNotMatch(details, /User \d/);
    await workbench.screenshot("workflow-details");
    await preview.clickLink("Weekly sales mail v1.2.0");
    const version = await preview.waitForText("Start form");
    for (const part of ["Read the request", "over the limit", "Mail tools · ask", "Amount"]) {
      assert.ok(version.includes(part), version);
    }
    await workbench.screenshot("workflow-version-details");
    await (await view.tree.reveal(/^Weekly sales mail/, "Executions")).expand();
    await (await view.tree.row("Completed")).clickInlineAction("Show Execution Outputs");
    assert.match(await preview.waitForText("Outputs"), /approved/);
    await workbench.screenshot("execution-details");
    await (await view.tree.row("Executions")).collapse();
  });

  it("asks for the workflow and the version in the palette without a selection", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Show Workflow Definition…");
    await workbench.quickInput.waitForStep("Search workflows by name");
    await workbench.quickInput.type("Price");
    await workbench.quickInput.choose("Price change");
    await workbench.quickInput.waitForStep("Version of Price change");
    await workbench.screenshot("workflow-version-pick");
    await workbench.quickInput.choose("v1.0.0");
    await openedWebviewWith(workbench.page, "Price change v1.0.0");
    // A webview may take the focus again, which closes a list.
    await workbench.runCommand("View: Close All Editors");
    await workbench.runCommand("Platform: Find Workflows That Use a Function…");
    await workbench.quickInput.choose("Mail tools");
    await workbench.quickInput.waitForStep("Workflows That Use Mail tools");
    await workbench.quickInput.choose("Weekly sales mail");
    await new MarkdownPreview(workbench.page).waitForText("Sends the week's figures on Monday");
  });

  it("runs a workflow with the values of its start form, and cancels the execution", async () => {
    const { workbench } = window;
    const view = await workflows();
    await (await view.tree.row(/^Weekly sales mail/)).chooseFromContextMenu("Run Workflow…");
    await workbench.quickInput.waitForStep("Amount");
    await workbench.quickInput.submit("250");
    await workbench.quickInput.waitForStep("Comment (optional)");
    await workbench.quickInput.submit("");
    const asked = await workbench.dialog.waitFor("Run Weekly sales mail v1.2.0?");
    assert.match(asked.detail, /^amount: 250\n/);
    await workbench.dialog.click("Run");
    await workbench.notifications.waitFor("Started Weekly sales mail v1.2.0.");
    await workbench.screenshot("workflow-run");
    const running = await view.tree.reveal(/^Weekly sales mail/, "Executions", "In Progress");
    await running.chooseFromContextMenu("Cancel Execution…");
    await workbench.dialog.waitFor("Cancel the execution Weekly sales mail,");
    await workbench.dialog.click("Cancel Execution");
    await view.tree.waitForNoRow("In Progress");
    await (await view.tree.row("Executions")).collapse();
  });

  it("shows in the menu what to use instead of editing a trigger", async () => {
    const { workbench } = window;
    const view = await workflows();
    const trigger = await view.tree.reveal(/^Weekly sales mail/, "Triggers", "Regular run");
    await trigger.chooseFromContextMenu("Edit Workflow Trigger…");
    const instead = await workbench.notifications.waitFor(
      "Platform Workbench replaces triggers instead of changing them. Create a new one, then delete Regular run.",
    );
    await workbench.screenshot("trigger-edit");
    assert.deepEqual((await instead.actions()).toSorted(), ["Create Trigger", "Delete Trigger"]);
    await instead.click("Create Trigger");
    await workbench.quickInput.waitForStep("Create Trigger for Weekly sales mail");
    await workbench.quickInput.cancel();
    await (await view.tree.row("Triggers")).collapse();
  });

  it("opens the diagram of a workflow from its row, and that of a version with Enter", async () => {
    const { workbench } = window;
    const view = await workflows();
    await (await view.tree.row(/^Weekly sales mail/)).chooseFromContextMenu("Show Workflow Definition…");
    await workbench.quickInput.waitForStep("Version of Weekly sales mail");
    await workbench.quickInput.choose("v1.2.0");
    await openedWebviewWith(workbench.page, "Weekly sales mail v1.2.0");
    await (await view.tree.reveal(/^Weekly sales mail/, "Versions", "v1.1.0")).click();
    await workbench.page.keyboard.press("Enter");
    await openedWebviewWith(workbench.page, "Weekly sales mail v1.1.0");
  });

  it("shows an error row with Retry while the platform fails", async () => {
    const { proxy } = window;
    const view = await workflows();
    proxy.addFault({ match: { path: listPath }, action: { kind: "response", status: 500, body: "{}" } });
    await view.clickTitleAction("Refresh Workflows");
    const failed = await view.tree.row("Can't load workflows: 500 from the platform", 60);
    await screenshotInThemes(window, "workflows-error");
    proxy.clearFaults();
    await failed.clickInlineAction("Retry");
    await view.tree.waitForNoRow(/^Can't load workflows/);
    await view.tree.row(/^Weekly sales mail/);
  });
});
