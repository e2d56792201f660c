import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleTenant, startSampleTenant } from "../../../src/programs/sample-tenant/server.ts";
import { freePort } from "../../harness/free-port.ts";
import { clickNow, repeatUntil, waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { assertRowEntries } from "../row-entries.ts";
import { useSharedEmptyWindow } from "../shared-window.ts";
import { screenshotInThemes } from "../themes.ts";

const several = {
  view: "platformWorkbench.workspaces",
  "platformWorkbench.inBrowser": true,
  "platformWorkbench.tenants": "several",
} as const;

describe("tenants: add, sign in, edit, switch, sign out, remove", () => {
  let window: ProxiedWindow;
  let second: SampleTenant;
  let secondDirectory: string;
  let pages: Server;
  let pagesUrl: string;

  useSharedEmptyWindow((taken) => {
    window = taken;
  });
  before(async () => {
    secondDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-ui-second-"));
    second = await startSampleTenant({ dataDirectory: secondDirectory, bootSeconds: 1 });
    pages = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><title>Sign in</title>");
    });
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  });
  after(async () => {
    await second?.stop();
    pages?.closeAllConnections();
    pages?.close();
    if (secondDirectory !== undefined) await rm(secondDirectory, { recursive: true, force: true });
  });

  /** From the open address box to the box for the credential. */
  async function describeTenant(url: string, label: string): Promise<void> {
    const { quickInput } = window.workbench;
    await quickInput.waitForStep("(1/3)");
    await quickInput.submit(url);
    await quickInput.waitForStep("Name of the tenant");
    assert.match(await quickInput.title(), /2\/3/);
    await quickInput.submit(label);
    await quickInput.waitForStep(new RegExp(`Sign In to ${label}.*3/3`, "s"));
  }

  it("validates an address while it is typed: an invalid one, and HTTP to another machine", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    await view.clickWelcomeButton("Add Tenant");
    await workbench.quickInput.waitForStep("Tenant address");
    assert.match(await workbench.quickInput.title(), /Add Tenant.*1\/3/s);
    await screenshotInThemes(window, "tenant-add");
    await workbench.quickInput.type("not an address");
    await workbench.quickInput.waitForStep('"not an address" isn\'t an address');
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForStep("isn't an address");
    await screenshotInThemes(window, "tenant-malformed");
    await workbench.quickInput.type("http://acme.example.com");
    await workbench.quickInput.waitForStep(/credential would be sent to acme\.example\.com unencrypted/);
    await workbench.quickInput.type("https://acme.example.com/page?x=1");
    await workbench.quickInput.waitForStep("https://acme.example.com is used as the tenant's address");
  });

  it("tests an address immediately: the box reports a web page or no response, and keeps the address", async () => {
    const { quickInput } = window.workbench;
    for (const [address, words] of [
      [pagesUrl, /returned a web page instead of an API response\. Press Enter again to continue anyway/],
      [`http://127.0.0.1:${await freePort()}`, /can't be reached \(ECONNREFUSED\)/],
      [new URL(second.url).host, /doesn't support https\. A platform responds at http:\S+ Press Enter again to use/],
    ] as const) {
      await quickInput.submit(address);
      await quickInput.waitForStep(words);
      assert.equal(await quickInput.value(), address);
      assert.match(await quickInput.title(), /1\/3/);
    }
    await screenshotInThemes(window, "tenant-unreachable");
  });

  it("continues with a platform's address, goes back from each step, and adds no tenant if canceled", async () => {
    const { workbench } = window;
    await describeTenant(second.url, "Pages");
    assert.equal(await workbench.quickInput.isPassword(), true);
    assert.match(await workbench.quickInput.message(), /Create an access token in the administration settings of/);
    await workbench.quickInput.submit("any-token-at-all");
    await workbench.quickInput.waitForStep(/rejected this token: Unauthorized.*Create an access token/s);
    await workbench.quickInput.clickButton("Back");
    await workbench.quickInput.waitForStep("Name of the tenant");
    assert.equal(await workbench.quickInput.value(), "Pages");
    await workbench.quickInput.clickButton("Back");
    await workbench.quickInput.waitForStep("Tenant address");
    assert.equal(await workbench.quickInput.value(), second.url);
    await workbench.quickInput.cancel();
    const view = await workbench.sideBar.view("Workspaces");
    await waitFor("the welcome content", async () => /Add your platform's tenant/.test(await view.welcomeText()));
    await workbench.screenshot("tenant-given-up");
  });

  it("keeps a wrong token in the box with the server's message, and accepts a pasted header with a line break", async () => {
    const { workbench, tenant } = window;
    await workbench.sideBar.open("Explorer");
    await workbench.runCommand("Platform: Add Tenant…");
    await describeTenant(` ${tenant.url}/ `, "Acme");
    const words = await workbench.quickInput.message();
    const { host } = new URL(tenant.url);
    assert.ok(words.includes(host), words);
    const buttons = await workbench.quickInput.buttons();
    assert.ok(buttons.includes(`Open ${host} in Browser`), buttons.join());
    await workbench.quickInput.submit("wrong");
    await workbench.quickInput.waitForStep(/rejected this token: Unauthorized/);
    assert.equal(await workbench.quickInput.value(), "wrong");
    await screenshotInThemes(window, "tenant-wrong-token");
    assert.ok(!(await workbench.sideBar.views()).includes("Workspaces"));
    await workbench.quickInput.submit(`  Bearer ${tenant.platformToken} \n`);
    await workbench.quickInput.waitUntilClosed();
    // The view of the new tenant's workspaces comes to the front.
    const view = await workbench.sideBar.view("Workspaces");
    await view.tree.row(/^Sales forecasting/);
    await workbench.screenshot("tenant-listed");
  });

  it("the account is in the Accounts menu", async () => {
    const { workbench } = window;
    const titles = await accountTitles();
    assert.ok(
      titles.some((title) => title.includes(new URL(window.tenant.url).host)),
      JSON.stringify(titles),
    );
    await workbench.screenshot("tenant-accounts");
    await workbench.page.keyboard.press("Escape");
  });

  it("shows a second tenant next to the first, each with its workspaces", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Add Tenant…");
    await describeTenant(second.url, "Beta");
    await workbench.quickInput.submit(second.platformToken);
    await workbench.quickInput.waitUntilClosed();
    const view = await workbench.sideBar.view("Workspaces");
    const acme = await view.tree.row("Acme");
    await view.tree.row("Beta");
    assert.equal(await acme.description(), new URL(window.tenant.url).host);
    // As many rows as fit into the window.
    await workbench.sideBar.collapse("App Designs");
    const sales = /^Sales forecasting/;
    await waitFor("the workspaces of both", async () => {
      const labels = await view.tree.labels();
      return labels.length > 16 && labels.indexOf("Beta") > 12;
    });
    await screenshotInThemes(window, "tenant-two");
    await acme.collapse();
    await view.tree.row(sales);
    assert.equal((await view.tree.labels()).filter((label) => sales.test(label)).length, 1);
    await acme.expand();
    const titles = await accountTitles();
    assert.ok(titles.some((title) => title.includes(new URL(second.url).host)));
    await workbench.page.keyboard.press("Escape");
  });

  it("renames a tenant from its row", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Workspaces");
    await (await view.tree.row("Beta")).chooseFromContextMenu("Edit Tenant…");
    await workbench.quickInput.waitForStep("Edit Tenant Beta");
    assert.equal(await workbench.quickInput.value(), second.url);
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForStep("Name of the tenant");
    await workbench.quickInput.submit("Gamma");
    await workbench.quickInput.waitForStep("Platform type");
    await workbench.quickInput.accept();
    await view.tree.row("Gamma");
    await view.tree.waitForNoRow("Beta");
  });

  it("offers the workspaces of the tenant that was switched to", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Switch Tenant…");
    await workbench.quickInput.waitForStep("Switch Tenant");
    await workbench.screenshot("tenant-switch");
    await workbench.quickInput.choose("Acme");
    await workbench.quickInput.waitUntilClosed();
    await workbench.runCommand("Platform: Copy Workspace ID…");
    await workbench.quickInput.waitForStep("Acme");
    await workbench.screenshot("workspace-pick");
    await workbench.quickInput.cancel();
  });

  it("shows the signed-out row with Sign In after signing out, and signs in again", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Workspaces");
    await (await view.tree.row("Gamma")).chooseFromContextMenu("Sign Out…");
    const gamma = await view.tree.row("Gamma");
    await waitFor("Gamma to be signed out", async () => /signed out/.test(await gamma.accessibleName()));
    assert.deepEqual(await gamma.inlineActions(), ["Sign In…"]);
    await assertRowEntries(gamma, { ...several, viewItem: "tenant.signedOut" });
    await assertRowEntries(await view.tree.row("Acme"), { ...several, viewItem: "tenant.signedIn" });
    await gamma.chooseFromContextMenu("Remove Tenant…");
    const asked = await workbench.dialog.waitFor("Remove Gamma from this editor?");
    assert.match(asked.detail, /The tenant Gamma/);
    assert.doesNotMatch(asked.detail, /Credential/i);
    await workbench.dialog.cancel();
    await (await view.tree.row("Acme")).collapse();
    await workbench.screenshot("tenant-one-signed-out");
    const titles = await accountTitles();
    assert.ok(!titles.some((title) => title.includes(new URL(second.url).host)), JSON.stringify(titles));
    await workbench.page.keyboard.press("Escape");
    await gamma.clickInlineAction("Sign In");
    await workbench.quickInput.waitForStep("Sign In to Gamma");
    await workbench.quickInput.submit(second.platformToken);
    await workbench.quickInput.waitUntilClosed();
    await waitFor("Gamma to be signed in", async () =>
      /signed in/.test(await (await view.tree.row("Gamma")).accessibleName()),
    );
  });

  it("mentions the credential and the tokens before it removes a signed-in tenant", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Workspaces");
    await (await view.tree.row("Gamma")).chooseFromContextMenu("Remove Tenant…");
    const asked = await workbench.dialog.waitFor("Remove Gamma from this editor?");
    assert.match(
      asked.detail,
      /The tenant Gamma \(127\.0\.0\.1:\d+\)\s+Credential\s+.*Nothing changes on the platform/s,
    );
    await screenshotInThemes(window, "tenant-remove");
    await workbench.dialog.cancel();
    await view.tree.row("Gamma");
    await (await view.tree.row("Gamma")).chooseFromContextMenu("Remove Tenant…");
    await workbench.dialog.waitFor("Remove Gamma from this editor?");
    await workbench.dialog.click("Remove");
    await view.tree.waitForNoRow("Gamma");
    await view.tree.row(/^Sales forecasting/);
  });

  it("opens a window from a link to a workspace, which offers to add an unknown tenant", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Workspaces");
    await (await view.tree.row(/^Sales forecasting/)).chooseFromContextMenu("Copy Link");
    const workspace = await waitFor("the link in the clipboard", async () => {
      const text = await workbench.page.evaluate<string>("navigator.clipboard.readText()");
      return URL.canParse(text) ? (new URL(text).searchParams.get("workspace") ?? undefined) : undefined;
    });
    assert.match(workspace, /^platform-documents:\/\/[\w-]+\.127-0-0-1\/workspace-file\//);
    // Profiles of one server share their settings, so the link is one of another server's tenant, which is unknown
    // here.
    const other = await window.openOtherProfile({ workspace: workspace.replace(".127-0-0-1", ".elsewhere") });
    const asked = await other.notifications.waitFor(/The tenant "elsewhere" isn't in the settings/);
    assert.match(await other.page.title(), /Sales forecasting \(Workspace\)/);
    await other.screenshot("link-in-other-profile");
    await asked.click("Add Tenant");
    await other.quickInput.waitForStep("Tenant address");
    await other.window.close();
  });

  it("removes the last tenant from the status bar, without a message", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Workspaces");
    await workbench.waitForStatus("Acme");
    await workbench.notifications.dismissAll();
    await workbench.runCommand("Platform: Remove Tenant…");
    await workbench.dialog.waitFor("Remove Acme from this editor?");
    await workbench.dialog.click("Remove");
    await waitFor("the welcome content", async () => /Add your platform's tenant/.test(await view.welcomeText()));
    await waitFor("the status bar without the tenant", async () => !(await workbench.statusBar()).includes("Acme"));
    assert.deepEqual(await workbench.notifications.texts(), []);
  });

  /** Opens the Accounts menu and returns its entries. The menu stays open. */
  async function accountTitles(): Promise<readonly string[]> {
    const { page } = window.workbench;
    const accounts = page.locator(".part.activitybar .action-label[aria-label^='Accounts']").first();
    const items = page.locator(".monaco-menu .action-label:visible");
    await repeatUntil(
      "the Accounts menu to open",
      () => clickNow(accounts),
      async () => (await items.count()) > 0,
    );
    return items.allInnerTexts();
  }
});
