import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openProxiedWindow, type ProxiedWindow, withoutEditorMessages } from "./proxied-window.ts";
import { untilFolderIsOpen, workspaceNamed } from "./tenant-window.ts";

describe("the notebook token of a workspace", () => {
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
    await writeFile(join(root, "kept.py"), "one = 1\n");
    await writeFile(join(root, "also.py"), "first = 1\n");
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("is requested when the workspace is opened, with instructions on where to find it and which server receives it", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
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
    await workbench.quickInput.submit("0123456789abcdef");
    await workbench.quickInput.waitForStep(/rejected this token: .*Forbidden.*Copy a new one/s);
    await workbench.screenshot("notebook-token-refused");
    assert.equal(await workbench.quickInput.value(), "0123456789abcdef");
    assert.equal(proxy.count({ path: window.contentPath }), 1);
  });

  it("opens the folder after a correct token, even if the complete header is pasted", async () => {
    const { workbench } = window;
    await workbench.quickInput.submit(`Authorization: token ${token}`);
    await untilFolderIsOpen(workbench);
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
    proxy.addFault({
      match: { path: contentPath },
      action: { kind: "answer", status: 403, body: JSON.stringify({ message: "Forbidden", reason: null }) },
    });
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
    const about = withoutEditorMessages(await workbench.notifications.texts());
    await workbench.screenshot("notebook-token-invalid");
    assert.equal(about.length, 1, JSON.stringify(about));
    assert.match(about[0] ?? "", /^Can't .* README\.md: the notebook token for Sales forecasting is no longer valid/);
    assert.deepEqual(await asked.actions(), ["Enter New Token", "Show Log"]);
    assert.equal(await workbench.editors.isDirty("kept.py"), true);
    assert.equal(await workbench.editors.isDirty("also.py"), true);

    await keptTold.clickLink("Enter a new one");
    await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
    await workbench.quickInput.submit("another-that-is-wrong");
    await workbench.quickInput.waitForStep("rejected this token");
    proxy.clearFaults();
    await workbench.quickInput.submit(token);
    await workbench.quickInput.waitUntilClosed();
    await workbench.editors.waitUntilSaved("kept.py");
    await workbench.editors.waitUntilSaved("also.py");
    assert.equal(await readFile(join(root, "kept.py"), "utf8"), "one = 1\ntwo = 2\n");
    assert.equal(await readFile(join(root, "also.py"), "utf8"), "first = 1\nsecond = 2\n");
    await waitFor("README.md to show", async () => (await workbench.editors.problem()) === "");
    await (await workbench.editors.text("README.md")).waitForText("# ");
    await workbench.screenshot("notebook-token-saved");
  });
});
