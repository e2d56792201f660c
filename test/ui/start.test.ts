import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServedEditor, startServedEditor } from "../../scripts/start/editors.ts";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { WindowBrowser } from "../harness/editor-host/browser.ts";
import { recurringPort } from "../harness/free-port.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { Workbench } from "../harness/workbench/workbench.ts";
import { reportFailures } from "./failure-reports.ts";
import { untilFolderIsOpen } from "./tenant-window.ts";

describe("the editor that npm start serves", () => {
  const { CI } = process.env;
  let directory: string;
  let editor: ServedEditor;
  let browser: WindowBrowser | undefined;
  let workbench: Workbench;
  let tenant: SampleTenant | undefined;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-start-"));
    // Nothing opens a browser here.
    process.env.CI = "true";
    editor = await startServedEditor(directory, await recurringPort(), {});
    browser = await WindowBrowser.start(editor);
  });
  reportFailures(() => workbench);
  after(async () => {
    if (CI === undefined) delete process.env.CI;
    else process.env.CI = CI;
    await browser?.close();
    await editor?.stop();
    await tenant?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Opens the printed address in a new browser profile. */
  async function openAddress(): Promise<Workbench> {
    assert.ok(browser !== undefined);
    return Workbench.open(browser, editor, { connectionToken: editor.connectionToken });
  }

  it("writes its logs, which the output channels show", async () => {
    const logs = join(directory, "editor", "data", "logs");
    const logged = await waitFor("a line in the server's log", async () => {
      const files = await readdir(logs, { recursive: true }).catch(() => []);
      const file = files.find((name) => name.endsWith("remoteagent.log"));
      return file === undefined ? undefined : (await readFile(join(logs, file), "utf8")) || undefined;
    });
    assert.match(logged, /^\d{4}-\d\d-\d\d[T ].* \[info\] /);
  });

  it("has the settings of a new editor, except for disturbing features and updates", async () => {
    const settings = join(directory, "editor", "data");
    assert.deepEqual(JSON.parse(await readFile(join(settings, "User", "settings.json"), "utf8")), {
      "telemetry.telemetryLevel": "off",
      "update.mode": "none",
      "extensions.autoUpdate": false,
      "workbench.secondarySideBar.defaultVisibility": "hidden",
      "remote.autoForwardPorts": false,
    });
    await assert.rejects(readFile(join(settings, "Machine", "settings.json")), { code: "ENOENT" });
  });

  it("gives its half of the key of the browser's secrets only to a page with its token, and keeps it", async () => {
    const ask = (cookie: string): Promise<Response> =>
      fetch(`${editor.url}/mint-key`, { method: "POST", headers: { cookie } });
    assert.equal((await ask("")).status, 403);
    assert.equal((await ask("vscode-tkn=another")).status, 403);
    const key = await (await ask(`other=1; vscode-tkn=${editor.connectionToken}`)).bytes();
    assert.equal(key.length, 32);
    const file = join(directory, "editor", "secret-key");
    assert.deepEqual(new Uint8Array(await readFile(file)), key);
    assert.equal((await stat(file)).mode & 0o077, 0, "only the owner can read it");
  });

  it("opens the walkthrough and the Platform side bar on the first start, with pictures at 1280 x 800", async () => {
    workbench = await openAddress();
    const { page } = workbench;
    const steps = page.locator(".gettingStartedContainer .getting-started-step:visible");
    await waitFor("the steps of the walkthrough", async () => (await steps.count()) === 6);
    await steps.first().getByText("Try the Sample Tenant").first().waitFor({ state: "visible" });
    assert.ok((await workbench.sideBar.views()).includes("Workspaces"));
    const picture = page.locator(".gettingStartedContainer .getting-started-media img:visible").first();
    await waitFor("the picture of the step", async () => (await picture.count()) > 0);
    const { width = 0 } = (await picture.boundingBox()) ?? {};
    assert.ok(width > 300, `${width} pixels`);
    await workbench.screenshot("start-first");
  });

  it("shows the log of the extension", async () => {
    await workbench.runCommand("Platform: Show Log");
    const lines = workbench.page.locator(".part.panel .view-lines");
    await waitFor("a line in the log", async () => /\[info\]/.test(await lines.innerText()), {
      describe: () => lines.innerText(),
    });
  });

  it("checks off a completed step of the walkthrough, even in the window of the folder that it opens", async () => {
    const { page } = workbench;
    await page
      .locator(".gettingStartedContainer .getting-started-step.expanded")
      .getByRole("button", { name: "Try the Sample Tenant", exact: true })
      .last()
      .click();
    await untilFolderIsOpen(workbench);
    await workbench.runCommand("Welcome: Open Walkthrough...");
    await workbench.quickInput.choose(/^First Steps with Platform Workbench/);
    const done = page
      .locator(".gettingStartedContainer .getting-started-step:visible")
      .filter({ has: page.locator(".codicon-getting-started-step-checked") });
    await waitFor("the ticks of two steps", async () => (await done.count()) === 2, {
      describe: async () => JSON.stringify(await done.allInnerTexts()),
    });
    assert.match(await done.nth(0).innerText(), /^Try the Sample Tenant/);
    assert.match(await done.nth(1).innerText(), /^Open a Workspace as a Folder/);
  });

  it("opens the Welcome page instead on the second start", async () => {
    await workbench.close();
    workbench = await openAddress();
    const { page } = workbench;
    const category = page.locator(".gettingStartedContainer .getting-started-category:visible");
    await waitFor("the walkthroughs of the Welcome page", async () => (await category.count()) > 0);
    await workbench.runCommand("Platform: Focus on Workspaces View");
    const view = await workbench.sideBar.view("Workspaces");
    await waitFor("the extension", async () => /tenant/.test(await view.welcomeText()));
    // The walkthrough would have opened before an extension that activates later.
    assert.equal(await page.locator(".gettingStartedContainer .getting-started-step:visible").count(), 0);
  });

  it("keeps the credential of an added tenant when the page is reloaded", async () => {
    tenant = await startSampleTenant({ dataDirectory: join(directory, "tenant") });
    await workbench.runCommand("Platform: Add Tenant…");
    await workbench.quickInput.waitForStep("Tenant address");
    await workbench.quickInput.submit(tenant.url);
    await workbench.quickInput.waitForStep("Name of the tenant");
    await workbench.quickInput.submit("Kept");
    await workbench.quickInput.waitForStep("Sign In to Kept");
    await workbench.quickInput.submit(tenant.platformToken);
    await workbench.quickInput.waitUntilClosed();
    await (await workbench.sideBar.view("Workspaces")).tree.row(/^Sales forecasting/);
    await workbench.reload();
    await workbench.runCommand("Platform: Focus on Workspaces View");
    await (await workbench.sideBar.view("Workspaces")).tree.row(/^Sales forecasting/);
  });
});
