import assert from "node:assert/strict";
import type { Frame, Request } from "playwright-core";
import * as z from "zod/mini";
import { waitFor } from "../../harness/workbench/waiting.ts";
import { openedWebviewWith, webviewWith } from "../../harness/workbench/webview.ts";
import { canvasContrasts, violations } from "../accessibility.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { inThemes, screenshotInThemes } from "../themes.ts";

const executionsPath = "/api/workflow/v2/executions";
const executions = /\/v2\/executions(?:\?|$)/;
const definition = /\/versions\/1\.2\.0\/definition$/;

describe("diagrams and charts", () => {
  let window: ProxiedWindow;
  /** Addresses that anything in the window requested. */
  const asked: string[] = [];

  function noteAddress(request: Request): void {
    asked.push(request.url());
  }

  useSharedWindow((taken) => {
    window = taken;
  });
  before(async () => {
    const { workbench } = window;
    workbench.page.context().on("request", noteAddress);
    await workbench.sideBar.open("Platform");
    await workbench.sideBar.collapse("Workspaces", "App Designs");
  });
  afterEach(() => window.proxy.clearFaults());
  after(() => window?.workbench.page.context().off("request", noteAddress));

  async function focused(frame: Frame): Promise<string> {
    return frame.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName",
    );
  }

  async function showTab(name: string): Promise<void> {
    // Tabs of panels have generated names in place of a file's.
    await window.workbench.page.locator(".part.editor .tab").filter({ hasText: name }).first().click();
  }

  const metricsHeading = "Executions of Weekly sales mail";
  const definitionHeading = "Weekly sales mail v1.2.0";
  const metricsFrame = (): Promise<Frame> => webviewWith(window.workbench.page, metricsHeading);
  const definitionFrame = (): Promise<Frame> => webviewWith(window.workbench.page, definitionHeading);

  // Proves 4.6: GET a version's definition
  it("draws a version's definition, with the same content as a table", async () => {
    const { proxy, workbench } = window;
    const view = await workbench.sideBar.view("Workflows");
    const row = await view.tree.reveal(/^Weekly sales mail/, "Versions", "v1.2.0");
    proxy.reset();
    await row.clickInlineAction("Show Workflow Definition");
    const frame = await openedWebviewWith(workbench.page, definitionHeading);
    await frame.locator("[data-step]").first().waitFor();
    assert.equal(proxy.count({ path: definition }), 1);
    const steps = ["Start", "Read the request", "Check it", "Ask the owner", "End"];
    const labels = await frame
      .locator("[data-step]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    assert.deepEqual(
      labels.map((label) => steps.find((step) => label?.startsWith(`${step} `))),
      steps,
    );
    assert.match(labels[2] ?? "", /Leads to: Ask the owner \(over the limit\), End \(within the limit\)/);
    assert.equal(await frame.locator(".connection").count(), 5);
    const rows = await frame.locator("table").first().locator("tbody tr").allInnerTexts();
    assert.equal(rows.length, steps.length);
    assert.match(rows[3] ?? "", /Ask the owner\s+Service\s+Mail tools · ask\s+End/);
    assert.match(await frame.locator("table").nth(1).innerText(), /amount\s+number/);
    await screenshotInThemes(window, "workflow-definition");
  });

  it("navigates the diagram with the keyboard, and announces the selection", async () => {
    const frame = await definitionFrame();
    const { keyboard } = window.workbench.page;
    await frame.locator("[data-step]").first().focus();
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowDown");
    assert.match(await focused(frame), /^Check it/);
    await keyboard.press("Enter");
    assert.match(await frame.locator(".selection").innerText(), /Check it[\s\S]*Comes from[\s\S]*Read the request/);
    assert.match((await frame.locator("[aria-live]").textContent()) ?? "", /^Check it, Type: Gateway/);
    assert.equal(await frame.locator("[aria-pressed=true]").count(), 1);
    // Only one step can be reached with Tab.
    assert.equal(await frame.locator("[data-step][tabindex='0']").count(), 1);
    await keyboard.press("End");
    assert.match(await focused(frame), /^End/);
    const width = (): Promise<string | null> => frame.locator(".diagram svg").getAttribute("width");
    const before = Number(await width());
    await keyboard.press("+");
    assert.ok(Number(await width()) > before);
    await keyboard.press("0");
    assert.equal(Number(await width()), before);
    await window.workbench.screenshot("workflow-definition-selected");
  });

  it("charts executions by state and by trigger type, with the same figures as a table", async () => {
    const { proxy, tenant, workbench } = window;
    assert.ok(
      asked.every((address) => !address.includes("metrics.js")),
      "the chart library loads on first use",
    );
    const view = await workbench.sideBar.view("Workflows");
    proxy.reset();
    await (await view.tree.row(/^Weekly sales mail/)).clickInlineAction("Show Workflow Metrics");
    const frame = await openedWebviewWith(workbench.page, metricsHeading);
    await frame.locator("tfoot").waitFor();
    assert.equal(proxy.count({ path: executions }), 1);
    assert.equal(proxy.count({ path: `${executionsPath}/metrics` }), 1);
    const drawn = await frame.evaluate<number>(
      "(({ width, height, context }) => new Set(context.getImageData(0, 0, width, height).data).size)" +
        "((({ width, height }, context) => ({ width, height, context }))(" +
        "document.querySelector('.chart canvas'), document.querySelector('.chart canvas').getContext('2d')))",
    );
    assert.ok(drawn > 10, `${drawn} shades are drawn`);
    const foot = await frame.locator("tfoot td").allInnerTexts();
    assert.equal(await frame.locator("tbody tr").count(), 28);
    const figures = await frame.locator(".figures dd").allInnerTexts();
    // All of them, then state by state in the table's order.
    assert.deepEqual([...figures.slice(1, 5), figures[0]], foot);
    const all = await fetch(new URL(executionsPath, tenant.url), {
      headers: { authorization: `Bearer ${tenant.platformToken}` },
    });
    const own = z
      .parse(
        z.array(z.looseObject({ modelName: z.string(), status: z.string(), createdAt: z.string() })),
        await all.json(),
      )
      .filter(({ modelName }) => modelName === "Weekly sales mail");
    const failed = own.filter(({ status }) => status === "FAILED");
    const beforeThat = failed.filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > 27 * 24 * 60 * 60 * 1000);
    assert.ok(Number(figures[2]) <= failed.length && Number(figures[2]) >= failed.length - beforeThat.length);
    await screenshotInThemes(window, "workflow-metrics");
    await frame.locator("select").nth(2).selectOption("triggerType");
    assert.deepEqual(await frame.locator("thead th").allInnerTexts(), ["Day", "Manual", "Timer", "Total"]);
    assert.equal(proxy.count({ path: executions }), 1);
    await workbench.screenshot("workflow-metrics-trigger-types");
    await frame.locator("select").nth(2).selectOption("status");
  });

  it("reads another period and another version from the platform", async () => {
    const { proxy } = window;
    const frame = await metricsFrame();
    const total = async (): Promise<number> => Number(await frame.locator("tfoot td").last().innerText());
    const before = await total();
    proxy.reset();
    await frame.locator("select").first().selectOption("7");
    await waitFor("seven days", async () => (await frame.locator("tbody tr").count()) === 7);
    assert.ok((await total()) < before);
    await frame.locator("select").nth(1).selectOption("1.2.0");
    await waitFor("two reads", async () => proxy.count({ path: `${executionsPath}/metrics` }) === 2);
    assert.ok(proxy.requests.some(({ query }) => query.includes("modelVersion=1.2.0")));
    await waitFor("the page to be calm", async () => (await frame.locator("body[aria-busy]").count()) === 0);
  });

  it("filters the figures by state, trigger type, user, and end time", async () => {
    const { proxy, workbench } = window;
    const frame = await metricsFrame();
    const asked = (): string =>
      proxy.requests.findLast(({ path }) => path === `${executionsPath}/metrics`)?.query ?? "";
    await frame.getByText("More Filters", { exact: true }).click();
    proxy.reset();
    await frame
      .getByRole("group", { name: /^States/ })
      .getByRole("checkbox", { name: "Failed" })
      .check();
    await waitFor("the state", async () => new URLSearchParams(asked()).get("status") === "FAILED");
    await waitFor("one column", async () => {
      const columns = await frame.locator("thead th").allInnerTexts();
      return columns.join() === "Day,Failed,Total";
    });
    await frame
      .getByRole("group", { name: /^Trigger types/ })
      .getByRole("checkbox", { name: "Timer" })
      .check();
    await waitFor("the type", async () => new URLSearchParams(asked()).get("triggerTypes") === "TIMER");
    const person = frame.getByLabel("Started by");
    await waitFor("the people", async () => (await person.locator("option").count()) > 1);
    await person.selectOption({ index: 1 });
    await waitFor("the person", async () => /^\d+$/.test(new URLSearchParams(asked()).get("startedBy") ?? ""));
    const day = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    await frame.getByLabel("Finished before").fill(day);
    await waitFor("the day", async () =>
      (new URLSearchParams(asked()).get("finishedBefore") ?? "").startsWith(day.slice(0, 4)),
    );
    await frame.getByText("More Filters (4 set)").waitFor();
    assert.deepEqual(await violations(frame), []);
    await screenshotInThemes(window, "workflow-metrics-filters");
    await frame.getByRole("button", { name: "Clear Filters" }).click();
    await waitFor("no filter", async () => !/status|triggerTypes|startedBy|finishedBefore/.test(asked()));
    await frame.getByText("More Filters", { exact: true }).click();
    await waitFor("the page to be calm", async () => (await frame.locator("body[aria-busy]").count()) === 0);
    await workbench.screenshot("workflow-metrics-cleared");
  });

  it("reads the chart day by day to a screen reader, and hides a series", async () => {
    const frame = await metricsFrame();
    const { keyboard } = window.workbench.page;
    await frame.locator(".chart canvas").focus();
    await keyboard.press("End");
    const spoken = (await frame.locator("[aria-live]").textContent()) ?? "";
    assert.match(spoken, /^\w{3} \d+: /);
    await keyboard.press("ArrowLeft");
    assert.notEqual(await frame.locator("[aria-live]").textContent(), spoken);
    await window.workbench.screenshot("workflow-metrics-day");
    await frame.getByRole("checkbox", { name: "Completed" }).uncheck();
    for (let presses = 0; presses < 7; presses += 1) {
      await keyboard.press("Tab");
    }
    await frame.locator(".chart canvas").focus();
    await keyboard.press("Home");
    for (let day = 0; day < 7; day += 1) {
      assert.doesNotMatch((await frame.locator("[aria-live]").textContent()) ?? "", /Completed/);
      await keyboard.press("ArrowRight");
    }
    await frame.getByRole("checkbox", { name: "Completed" }).check();
  });

  it("keeps its content when hidden or reloaded, without a request", async () => {
    const { proxy, workbench } = window;
    proxy.reset();
    await showTab("Weekly sales mail v1.2.0");
    await (await definitionFrame()).locator("[data-step]").first().waitFor();
    await showTab("Weekly sales mail (metrics)");
    const frame = await metricsFrame();
    await frame.locator("tfoot").waitFor();
    assert.equal(await frame.locator("select").first().inputValue(), "7");
    assert.equal(await frame.locator("select").nth(1).inputValue(), "1.2.0");
    assert.equal(proxy.count({ path: executions }) + proxy.count({ path: definition }), 0);
    await workbench.reload();
    const again = await webviewWith(workbench.page, metricsHeading, 60);
    await again.locator("tfoot").waitFor();
    assert.equal(await again.locator("select").first().inputValue(), "7");
    assert.equal(await again.locator("tbody tr").count(), 7);
    assert.equal(proxy.count({ path: executions }) + proxy.count({ path: definition }), 0);
    await again.getByRole("button", { name: "Refresh" }).click();
    await waitFor("the executions to be read", async () => proxy.count({ path: executions }) === 1);
  });

  it("shows a failure with Retry", async () => {
    const { proxy, workbench } = window;
    const frame = await metricsFrame();
    proxy.addFault({ match: { path: executions }, action: { kind: "response", status: 503, body: "{}" } });
    await frame.getByRole("button", { name: "Refresh" }).click();
    await frame.getByRole("button", { name: "Retry" }).waitFor();
    assert.match(await frame.getByRole("alert").innerText(), /503/);
    await workbench.screenshot("workflow-metrics-failed");
    assert.deepEqual(await violations(frame), []);
    proxy.clearFaults();
    await frame.getByRole("button", { name: "Retry" }).click();
    await waitFor("the failure to go", async () => (await frame.getByRole("button", { name: "Retry" }).count()) === 0);
  });

  it("has no axe findings in any theme", async () => {
    const metrics = await metricsFrame();
    await inThemes(window, async (theme) => {
      assert.deepEqual(await violations(metrics), [], theme);
      const contrasts = await canvasContrasts(metrics, "canvas.swatch");
      assert.ok(contrasts.length > 2 && contrasts.every((one) => one >= 3), `${theme}: ${contrasts.join(", ")}`);
    });
    await showTab("Weekly sales mail v1.2.0");
    const diagram = await definitionFrame();
    await diagram.locator("[data-step]").first().waitFor();
    await inThemes(window, async (theme) => assert.deepEqual(await violations(diagram), [], theme));
  });

  it("runs with a strict content security policy, and loads nothing from other origins", async () => {
    const frame = await definitionFrame();
    const policy = (await frame.locator("meta[http-equiv]").first().getAttribute("content")) ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'nonce-[\w-]{22}'; style-src 'nonce-[\w-]{22}';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    const hosts = new Set(
      asked.filter((address) => /^https?:/.test(address)).map((address) => new URL(address).hostname),
    );
    assert.deepEqual(
      // The editor's own hostname for the extension's files. Nothing is requested from outside of this machine.
      [...hosts].filter((host) => host !== "127.0.0.1" && !host.endsWith(".vscode-resource.vscode-cdn.net")),
      [],
    );
    assert.deepEqual(
      window.printed.filter((line) => /Content Security Policy/i.test(line)),
      [],
    );
  });
});
