import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openProxiedWindow, type ProxiedWindow, withoutEditorMessages } from "./proxied-window.ts";
import { untilFolderIsOpen, workspaceNamed } from "./tenant-window.ts";
import { everythingWritten, placesOf } from "./written-places.ts";

describe("tokens, in a run with the most detailed log level", () => {
  const wrongPlatformToken = "0badc0de0badc0de0badc0de0badc0de";
  const wrongNotebookToken = "feedfacefeedfacefeedfacefeedface";
  const addresses: string[] = [];
  let window: ProxiedWindow;
  let root: string;
  let token: string;
  let host: string;

  before(async () => {
    window = await openProxiedWindow({ withoutNotebookTokens: true });
    const { id } = workspaceNamed(window, "Sales forecasting");
    root = window.tenant.contentRoot(id);
    token = window.tenant.notebookToken(id);
    host = new URL(window.proxy.url).host;
    await writeFile(join(root, "kept.py"), "marker_of_the_body = 1\n");
    await writeFile(join(root, "also.py"), "first = 1\n");
    window.workbench.page.on("request", (request) => addresses.push(request.url()));
    window.workbench.page.on("framenavigated", (frame) => addresses.push(frame.url()));
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  async function traceEverything(): Promise<void> {
    const { quickInput } = window.workbench;
    await window.workbench.runCommand("Developer: Set Log Level...");
    await quickInput.choose(/^\s*Trace/);
    await quickInput.waitUntilClosed();
  }

  describe("the platform token", () => {
    it("signs in to an added tenant, after a wrong one", async () => {
      const { workbench, tenant } = window;
      await traceEverything();
      await workbench.runCommand("Platform: Add Tenant…");
      await workbench.quickInput.waitForStep("Tenant address");
      await workbench.quickInput.submit(tenant.url);
      await workbench.quickInput.waitForStep("Name of the tenant");
      await workbench.quickInput.submit("Direct");
      await workbench.quickInput.waitForStep("Sign In to Direct");
      await workbench.quickInput.submit(wrongPlatformToken);
      await workbench.quickInput.waitForStep("rejected this token");
      await workbench.quickInput.submit(`Bearer ${tenant.platformToken}`);
      await workbench.quickInput.waitUntilClosed();
      // The command shows the view. A click on its icon at the same time would hide it again.
      const view = await workbench.sideBar.view("Workspaces");
      await view.tree.row("Direct");
      await view.tree.row(/^Sales forecasting/);
    });
  });

  describe("the notebook token of a workspace", () => {
    // Proves 4.1: The notebook token is found by a helper that the description
    it("is requested when the workspace is opened, with instructions on where to find it and which server receives it", async () => {
      const { workbench } = window;
      await workbench.sideBar.open("Platform");
      const view = await workbench.sideBar.view("Workspaces");
      await (await view.tree.row("Direct")).collapse();
      await (await view.tree.row(/^Sales forecasting/)).doubleClick();
      await workbench.quickInput.choose(/This Window/);
      await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
      assert.equal(await workbench.quickInput.isPassword(), true);
      const words = await workbench.quickInput.message();
      assert.match(words, /developer tools \(F12\).*Network.*api\/contents.*Authorization/s);
      assert.ok(words.includes(host), words);
      assert.deepEqual(await workbench.quickInput.buttons(), ["Open Sales forecasting in Browser"]);
      assert.match(await workbench.quickInput.placeholder(), /Token/);
      await workbench.screenshot("notebook-token");
    });

    it("is tested immediately: a wrong token stays in the box with the server's message, an invalid one is rejected while typing", async () => {
      const { workbench, proxy } = window;
      proxy.reset();
      await workbench.quickInput.type("two words");
      await workbench.quickInput.waitForStep("contains a space");
      assert.equal(proxy.count(), 0);
      await workbench.quickInput.submit(wrongNotebookToken);
      await workbench.quickInput.waitForStep(/rejected this token: .*Forbidden.*Copy a new one/s);
      await workbench.screenshot("notebook-token-refused");
      assert.equal(await workbench.quickInput.value(), wrongNotebookToken);
      assert.equal(proxy.count({ path: window.contentPath }), 1);
    });

    it("opens the folder after a correct token, even if the complete header is pasted", async () => {
      const { workbench } = window;
      await workbench.quickInput.submit(`Authorization: token ${token}`);
      await untilFolderIsOpen(workbench);
      await traceEverything();
    });

    it("is requested with one message if a folder has none, and the files show once it is entered", async () => {
      // This editor in the browser loses secrets each time the window loads.
      const { workbench } = window;
      const asked = await workbench.notifications.waitFor("no notebook token for Sales forecasting", 30);
      assert.equal((await workbench.notifications.texts()).length, 1);
      await workbench.screenshot("notebook-token-missing");
      await asked.click("Enter Notebook Token");
      await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
      await workbench.quickInput.submit(`  ${token}\n`);
      await workbench.quickInput.waitUntilClosed();
      await workbench.explorer.reveal("kept.py");
    });

    it("that is no longer valid blocks saves with one message per file, which are retried after a new token", async () => {
      const { workbench, proxy, contentPath } = window;
      for (const [name, text] of [
        ["kept.py", "two = 2\n"],
        ["also.py", "second = 2\n"],
      ] as const) {
        await workbench.explorer.openFile(name);
        const editor = await workbench.editors.text(name);
        await editor.waitForText("= 1");
        await editor.append(text);
        await workbench.editors.waitUntilDirty(name);
      }
      await workbench.notifications.dismissAll();
      // With the token, the editor has read the folder again, which must not receive the faults below.
      await proxy.quiet(1_500);
      proxy.reset();
      const reject = (response: object): void => {
        proxy.clearFaults();
        proxy.addFault({
          match: { path: contentPath },
          action: { kind: "response", status: 403, body: JSON.stringify({ reason: null, ...response }) },
        });
      };
      // Servers repeat what they receive, and a hostile one sends what it has learned elsewhere.
      reject({ message: `Forbidden: ${token}`, token, also: window.tenant.platformToken });
      await workbench.editors.save();
      const told = await workbench.notifications.waitFor(/^Failed to save 'also\.py'/);
      assert.match(await told.text(), /the notebook token for Sales forecasting is no longer valid\. Enter a new one/);
      await workbench.editors.show("kept.py");
      await workbench.editors.save();
      const keptTold = await workbench.notifications.waitFor(/^Failed to save 'kept\.py'/);
      assert.deepEqual(withoutEditorMessages(await workbench.notifications.texts()), []);
      // More failures for the same reason. The folder's content stays visible, even if it is requested now.
      await workbench.runCommand("Refresh Explorer");
      await (await workbench.explorer.reveal("README.md")).click();
      await workbench.dialog.waitFor("Unable to open 'README.md'");
      await workbench.dialog.click("OK");
      const asked = await workbench.notifications.waitFor(/^(?!Failed to save).*Forbidden/s);
      assert.ok(proxy.count({ path: contentPath }) >= 3);
      for (const text of await workbench.notifications.texts()) assert.ok(!text.includes(token), text);
      const about = withoutEditorMessages(await workbench.notifications.texts());
      await workbench.screenshot("notebook-token-invalid");
      assert.equal(about.length, 1, JSON.stringify(about));
      assert.match(about[0] ?? "", /^Can't .* README\.md: the notebook token for Sales forecasting is no longer valid/);
      assert.deepEqual(await asked.actions(), ["Enter New Token", "Show Log"]);
      assert.equal(await workbench.editors.isDirty("kept.py"), true);
      assert.equal(await workbench.editors.isDirty("also.py"), true);

      reject({ message: "Forbidden" });
      await keptTold.clickLink("Enter a new one");
      await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
      await workbench.quickInput.submit(wrongNotebookToken);
      await workbench.quickInput.waitForStep("rejected this token");
      proxy.clearFaults();
      await workbench.quickInput.submit(token);
      await workbench.quickInput.waitUntilClosed();
      await workbench.editors.waitUntilSaved("kept.py");
      await workbench.editors.waitUntilSaved("also.py");
      assert.equal(await readFile(join(root, "kept.py"), "utf8"), "marker_of_the_body = 1\ntwo = 2\n");
      assert.equal(await readFile(join(root, "also.py"), "utf8"), "first = 1\nsecond = 2\n");
      await waitFor("README.md to show", async () => (await workbench.editors.problem()) === "");
      await (await workbench.editors.text("README.md")).waitForText("# ");
      await workbench.screenshot("notebook-token-saved");
    });
  });

  describe("any of them", () => {
    it("is in nothing that the run wrote, printed, stored, or visited", async () => {
      const written = await everythingWritten(window, addresses);
      // In each kind of place, the search must find a text that is known to be there.
      for (const [place, text] of [
        [/Platform Workbench\.log$/, "api/contents/kept.py"],
        [/Platform Workbench\.log$/, "marker_of_the_body"],
        [/Platform Workbench\.log$/, "[redacted]"],
        [/settings\.json$/, "workbench.startupEditor"],
        [/^stored in the window/, "platformWorkbench"],
        [/^printed/, "platformWorkbench"],
        [/^visited/, "code-workspace"],
      ] as const) {
        assert.ok(
          written.some((one) => place.test(one.place) && one.text.includes(text)),
          `no ${text} in ${place}, among ${written.map((one) => one.place).join("\n")}`,
        );
      }
      const secrets = [window.tenant.platformToken, token, wrongPlatformToken, wrongNotebookToken];
      assert.deepEqual(placesOf(secrets, written), []);
    });
  });
});
