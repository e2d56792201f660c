import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../../harness/workbench/waiting.ts";
import { openedWebviewWith } from "../../harness/workbench/webview.ts";
import type { Workbench } from "../../harness/workbench/workbench.ts";
import { type ProxiedWindow, withoutEditorMessages } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";
import { workspaceNamed } from "../tenant-window.ts";

// The last file of its folder: it leaves the window without the workspace's notebook token.

/** What the views ask for after the user has signed out. */
const views = [
  { title: "Workspaces", content: /Sign in to see the tenant's workspaces/ },
  { title: "App Designs", content: /Sign in to see the tenant's app designs/ },
  { title: "Sandbox", content: /Sign in to see the tenant's sandbox repositories/ },
  { title: "Workflows", content: /Sign in to see the tenant's workflows/ },
] as const;

describe("signing out", () => {
  let window: ProxiedWindow;
  let root: string;
  let token: string;

  useSharedFolder({ "kept.py": "one = 1\n", "reports/deep.py": "deep = 1\n" }, (taken, directory) => {
    window = taken;
    root = directory;
    token = window.tenant.notebookToken(workspaceNamed(window, "Sales forecasting").id);
  });

  describe("while a workspace is open", () => {
    it("clears the views, the search results, and saved editors without a message, and keeps unsaved files", async () => {
      const { workbench } = window;
      for (const name of ["clean.py", "forecast.ipynb"]) {
        await workbench.explorer.openFile(name);
        await workbench.editors.waitForTab(name);
      }
      await workbench.runCommand("Platform: Show Workflow Metrics…");
      await workbench.quickInput.choose("Weekly sales mail");
      await openedWebviewWith(workbench.page, "Executions of Weekly sales mail");
      // A webview may take the focus again a moment after it has loaded, which closes a list: a text editor in between.
      await workbench.explorer.openFile("reports/deep.py");
      const deep = await workbench.editors.text("deep.py");
      await deep.waitForText("deep = 1");
      await deep.append("deeper = 2\n");
      await workbench.editors.waitUntilDirty("deep.py");
      await workbench.runCommand("Platform: Show Workflow Definition…");
      await workbench.quickInput.choose("Weekly sales mail");
      await workbench.quickInput.choose("v1.2.0");
      await openedWebviewWith(workbench.page, "Weekly sales mail v1.2.0");
      await workbench.explorer.openFile("README.md");
      await workbench.editors.waitForTab("README.md", { active: true });
      await workbench.runCommand("Markdown: Open Preview");
      await workbench.page.locator(".part.editor .tab", { hasText: "Preview README.md" }).waitFor();
      await workbench.editors.show("deep.py");
      await workbench.runCommand("Platform: Show Page Summary…");
      await workbench.quickInput.submit("");
      await workbench.page.locator(".part.editor .tab", { hasText: "Preview Pages (summary)" }).waitFor();
      await workbench.explorer.openFile("kept.py");
      const text = await workbench.editors.text("kept.py");
      await text.waitForText("one = 1");
      await text.append("two = 2\n");
      await workbench.editors.waitUntilDirty("kept.py");
      await workbench.runCommand("Platform: Search in Workspace…");
      await workbench.quickInput.waitForStep("Search in Workspace");
      await workbench.quickInput.submit("one = 1");
      const results = await workbench.panel.view("Search Results");
      await results.tree.row("kept.py");

      await workbench.sideBar.open("Platform");
      for (const { title } of views) {
        const { tree } = await workbench.sideBar.view(title);
        await waitFor(`rows of ${title}`, async () => (await tree.rows()).length > 1);
      }
      await workbench.runCommand("Platform: Sign Out…");
      await workbench.quickInput.choose("Sample tenant");
      await waitFor(
        "the search results to go",
        async () => !(await workbench.panel.containers()).includes("Search Results"),
      );
      for (const { title, content } of views) {
        assert.match(await (await workbench.sideBar.view(title)).welcomeText(), content);
      }
      await workbench.screenshot("signed-out-views");
      await workbench.explorer.open();
      assert.ok(!(await workbench.panel.containers()).includes("Search Results"));
      await waitFor(
        "saved editors to close",
        async () => (await workbench.editors.tabs()).toSorted().join() === "deep.py,kept.py",
        { describe: async () => (await workbench.editors.tabs()).join() },
      );
      await waitFor("the Explorer to empty", async () => !(await workbench.explorer.names()).includes("kept.py"));
      const offer = await workbench.sideBar.view("Signed Out of Sample tenant");
      assert.match(await offer.welcomeText(), /Sign in to see its files/);
      assert.deepEqual(withoutEditorMessages(await workbench.notifications.texts()), []);
      assert.equal(await workbench.editors.isDirty("kept.py"), true);
      await workbench.screenshot("signed-out");
    });

    it("sends nothing anymore: a save reports that the user is signed out, and nothing is lost", async () => {
      const { workbench, proxy } = window;
      proxy.reset();
      await workbench.editors.show("kept.py");
      await workbench.editors.save();
      const told = await workbench.notifications.waitFor(/^Failed to save 'kept\.py'/);
      await workbench.screenshot("signed-out-save");
      assert.match(
        await told.text(),
        /\(Can't save kept\.py: you aren't signed in to Sample tenant\. Sign in, and the file is saved automatically\.\)$/,
      );
      assert.equal((await workbench.notifications.texts()).length, 1);
      assert.equal(proxy.count(), 0);
      assert.equal(await readFile(join(root, "kept.py"), "utf8"), "one = 1\n");
      assert.equal(await workbench.editors.isDirty("kept.py"), true);
    });

    it("reports the same for a file in a subfolder, with the same remedy", async () => {
      const { workbench, proxy } = window;
      await workbench.editors.show("deep.py");
      await workbench.editors.save();
      const told = await workbench.notifications.waitFor(/^Failed to save 'deep\.py'/);
      await workbench.screenshot("signed-out-save-in-folder");
      assert.match(
        await told.text(),
        /you aren't signed in to Sample tenant\. Sign in, and the file is saved automatically\./,
      );
      assert.equal((await workbench.notifications.texts()).length, 2);
      assert.equal(proxy.count(), 0);
      assert.equal(await workbench.editors.isDirty("deep.py"), true);
    });

    it("saves both after signing in again and entering the notebook token", async () => {
      const { workbench, tenant } = window;
      const told = await workbench.notifications.waitFor(/^Failed to save 'kept\.py'/);
      await workbench.sideBar.open("Platform");
      await told.clickLink("Sign in");
      await workbench.quickInput.waitForStep("Sign In to Sample tenant");
      assert.match(
        await workbench.quickInput.message(),
        /^Enter the token from the tenant file \/\S+\.json, or create one/,
      );
      await workbench.quickInput.submit(tenant.platformToken);
      const tokenTold = await workbench.notifications.waitFor(/there is no notebook token for Sales forecasting/);
      await tokenTold.clickLink("Enter it");
      await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
      await workbench.quickInput.submit(token);
      await workbench.editors.waitUntilSaved("kept.py");
      await workbench.editors.waitUntilSaved("deep.py");
      assert.equal(await readFile(join(root, "reports", "deep.py"), "utf8"), "deep = 1\ndeeper = 2\n");
      assert.equal(await readFile(join(root, "kept.py"), "utf8"), "one = 1\ntwo = 2\n");
      // The Explorer is not brought to the front, and shows the folder again when the user opens it.
      assert.ok((await workbench.sideBar.views()).includes("Workspaces"));
      await workbench.explorer.reveal("kept.py");
    });
  });

  describe("while another window shows the tenant", () => {
    let other: Workbench;

    before(async () => {
      const workspace = new URL(window.workbench.page.url()).searchParams.get("workspace") ?? "";
      // In a browser, each window has its own secrets.
      other = await window.openOtherProfile({ workspace });
      await other.explorer.openFile("forecast.ipynb");
      await other.editors.notebook("forecast.ipynb");
      await other.explorer.openFile("clean.py");
      await (await other.editors.text("clean.py")).append("ours = True\n");
      await other.editors.waitUntilDirty("clean.py");
    });

    it("also signs out there: the Explorer and saved editors are cleared, and unsaved files stay open", async () => {
      const { workbench } = window;
      await workbench.sideBar.open("Platform");
      await workbench.runCommand("Platform: Sign Out…");
      await workbench.quickInput.choose("Sample tenant");
      assert.match(await (await workbench.sideBar.view("Workspaces")).welcomeText(), /Sign in/);
      await waitFor("saved editors to close", async () => (await other.editors.tabs()).join() === "clean.py", {
        describe: async () => (await other.editors.tabs()).join(),
      });
      await waitFor("the Explorer to empty", async () => !(await other.explorer.names()).includes("README.md"));
      await other.waitForStatus(/signed out/);
      await other.screenshot("signed-out-elsewhere");
      await other.editors.save();
      const told = await other.notifications.waitFor(/^Failed to save 'clean\.py'/);
      assert.match(await told.text(), /you aren't signed in to Sample tenant\. Sign in, and the file is saved/);
    });

    it("stays signed out after a reload, even if the environment provides the tenant and its credential", async () => {
      const { workbench } = window;
      await workbench.reload();
      await workbench.sideBar.open("Platform");
      assert.match(await (await workbench.sideBar.view("Workspaces")).welcomeText(), /Sign in/);
      await workbench.waitForStatus(/signed out/);
      await workbench.screenshot("signed-out-reloaded");
    });

    it("says that the tenant file lists its tenant again before it removes it", async () => {
      const { workbench } = window;
      const { dialog } = workbench;
      await workbench.runCommand("Platform: Remove Tenant…");
      const { detail } = await dialog.waitFor("Remove Sample tenant from this editor?");
      assert.match(detail, /New windows list the tenant again until you remove it from the tenant file \/\S+\.json\.$/);
      await dialog.cancel();
    });

    it("signing in again in one window doesn't change the other one", async () => {
      const { workbench, tenant } = window;
      await (await workbench.sideBar.view("Workspaces")).clickWelcomeButton("Sign In");
      await workbench.quickInput.waitForStep("Sign In to Sample tenant");
      await workbench.quickInput.submit(tenant.platformToken);
      await (await workbench.sideBar.view("Workspaces")).tree.row(/^Sales forecasting/);
      await other.waitForStatus(/signed out/);
      assert.equal(await other.editors.isDirty("clean.py"), true);
    });

    it("signing in as someone else shows nothing of the first account", async () => {
      const { workbench, tenant, proxy } = window;
      const { quickInput } = workbench;
      await workbench.runCommand("Platform: Go to Anything on the Platform…");
      await quickInput.type("Order board");
      await quickInput.choose("Order board");
      const details = workbench.page.locator(".part.editor .tab", { hasText: "Order board" });
      await details.waitFor();
      await workbench.sideBar.open("Platform");
      await workbench.runCommand("Platform: Sign Out…");
      await quickInput.choose("Sample tenant");
      const workspaces = await workbench.sideBar.view("Workspaces");
      assert.match(await workspaces.welcomeText(), /Sign in/);

      const respond = (path: string, body: unknown): void => {
        proxy.addFault({ match: { path }, action: { kind: "response", status: 200, body: JSON.stringify(body) } });
      };
      respond("/api/content/v2/users/me", { id: 481_516_235, displayName: "Ben Sample" });
      respond("/api/datascience/v1/search/workspaces", { workspaces: [{ id: "b-1", name: "Notes of Ben" }] });
      respond("/api/apps/v1/designs", []);
      await workspaces.clickWelcomeButton("Sign In");
      await quickInput.waitForStep("Sign In to Sample tenant");
      await quickInput.submit(tenant.platformToken);
      await workspaces.tree.row(/^Notes of Ben/);
      await workspaces.tree.waitForNoRow(/^Sales forecasting/);
      assert.match(
        await (await workbench.sideBar.view("App Designs")).welcomeText(),
        /no app designs that you can see/,
      );
      await waitFor("the first account's details to close", async () => (await details.count()) === 0);
      await workbench.runCommand("Platform: Go to Anything on the Platform…");
      await waitFor("the list for Ben", async () => (await quickInput.labels()).includes("Notes of Ben"));
      assert.ok(!(await quickInput.labels()).includes("Order board"));
      await workbench.screenshot("signed-in-as-another");
      await quickInput.cancel();
      proxy.clearFaults();
    });
  });
});
