import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { workspaceNamed } from "../tenant-window.ts";
import { screenshotInThemes } from "../themes.ts";

type Configuration = Readonly<Record<string, unknown>>;

describe("a workspace's configuration as a document", () => {
  const tab = "Customer churn (configuration).json";
  let window: ProxiedWindow;
  let id: string;
  let first: Configuration;
  let text: string;

  useSharedWindow((taken) => {
    window = taken;
  });
  before(async () => {
    id = workspaceNamed(window, "Customer churn").id;
    first = await onPlatform();
  });

  /** The current workspace on the platform. */
  async function onPlatform(): Promise<Configuration> {
    const response = await fetch(address(), { headers: headers() });
    assert.equal(response.status, 200);
    return (await response.json()) as Configuration;
  }

  /** Another user's change. */
  async function changeElsewhere(change: Configuration): Promise<void> {
    const body = JSON.stringify({ ...(await onPlatform()), ...change });
    const response = await fetch(address(), { method: "PUT", headers: headers(), body });
    assert.equal(response.status, 200, await response.text());
  }

  function address(): string {
    return `${window.tenant.url}/api/datascience/v1/workspaces/${id}`;
  }

  function headers(): Record<string, string> {
    return { authorization: `Bearer ${window.tenant.platformToken}`, "content-type": "application/json" };
  }

  /** Replaces the content of the document, as a user who types. */
  async function write(words: string): Promise<void> {
    const { workbench } = window;
    await workbench.editors.show(tab);
    const editor = await workbench.editors.text(tab);
    await editor.replaceAll(" ");
    await editor.append(words);
    await workbench.editors.waitUntilDirty(tab);
  }

  /** The content of the document, copied from it. */
  async function documentText(): Promise<string> {
    const { workbench } = window;
    await (await workbench.editors.text(tab)).focus();
    await workbench.page.keyboard.press("ControlOrMeta+a");
    await workbench.page.keyboard.press("ControlOrMeta+c");
    return workbench.page.evaluate<string>("navigator.clipboard.readText()");
  }

  /** The text of a configuration with one value replaced. */
  function changed(text: string, from: string, to: string): string {
    assert.ok(text.includes(from), `${from} in ${text}`);
    return text.replace(from, to);
  }

  /** Nothing was sent, and the change is still in the editor. */
  async function unchanged(): Promise<void> {
    assert.equal(sent(), 0);
    assert.equal((await onPlatform()).description, first.description);
    assert.equal(await window.workbench.editors.isDirty(tab), true);
  }

  function sent(): number {
    return window.proxy.count({ method: "PUT", path: "/api/datascience/" });
  }

  it("opens from the row's menu, with a readable name in the tab", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    await (await view.tree.row(/^Customer churn/)).chooseFromContextMenu("Edit Workspace Configuration…");
    await workbench.editors.waitForTab(tab, { active: true });
    await (await workbench.editors.text(tab)).waitForText('"name": "Customer churn"');
    await screenshotInThemes(window, "configuration");
    text = await documentText();
    assert.deepEqual(JSON.parse(text), first);
  });

  it("rejects invalid JSON with the reason, before anything is sent", async () => {
    const { workbench, proxy } = window;
    proxy.reset();
    await write('{ "name": "Customer churn", }');
    await workbench.editors.save();
    const told = await workbench.notifications.waitFor(/wasn't sent/);
    const words = await told.text();
    await workbench.screenshot("configuration-invalid");
    assert.match(words, /Customer churn \(configuration\)\.json wasn't sent: /);
    assert.equal(proxy.count(), 0);
    assert.equal(await workbench.editors.isDirty(tab), true);
    await workbench.notifications.dismissAll();
  });

  it("shows a change as a comparison and asks; canceling keeps it in the editor", async () => {
    const { workbench } = window;
    await write(changed(text, String(first.description), "Who leaves, and why?"));
    await workbench.editors.save();
    const asked = await workbench.dialog.waitFor("Send the changed configuration of Customer churn to 127.0.0.1");
    assert.match(asked.detail, /description: .*can it be predicted.* → .*Who leaves, and why/);
    assert.deepEqual((await workbench.dialog.buttons()).sort(), ["Cancel", "Send"]);
    await screenshotInThemes(window, "configuration-send");
    await workbench.dialog.cancel();
    await unchanged();
  });

  it("also asks for a save from the editor's own menu, and reports a cancellation clearly", async () => {
    const { workbench } = window;
    await workbench.runCommand("File: Save");
    await workbench.dialog.waitFor("Send the changed configuration of Customer churn to 127.0.0.1");
    await workbench.dialog.cancel();
    const told = await workbench.notifications.waitFor("wasn't sent. Your changes stay in the editor");
    assert.doesNotMatch(await told.text(), /FileSystemError|Unavailable/);
    assert.equal((await workbench.notifications.texts()).length, 1, "giving up before was told as a failure");
    await workbench.notifications.dismissAll();
    await unchanged();
  });

  // Proves 4.1: PUT a workspace takes a configuration object
  it("sends the complete configuration after Send, and changes nothing else on the platform", async () => {
    const { workbench } = window;
    await workbench.editors.save();
    await workbench.dialog.waitFor("Send the changed configuration");
    await workbench.dialog.click("Send");
    await waitFor("the change on the platform", async () => (await onPlatform()).description !== first.description);
    const now = await onPlatform();
    assert.deepEqual({ ...now, updated: "" }, { ...first, description: "Who leaves, and why?", updated: "" });
    await workbench.editors.waitUntilSaved(tab);
    await waitFor("the comparison to close", async () => (await workbench.editors.tabs()).length === 1, {
      describe: async () => JSON.stringify(await workbench.editors.tabs()),
    });
    await workbench.screenshot("configuration-sent");
  });

  it("names someone else's changes before it replaces them", async () => {
    const { workbench } = window;
    await waitFor("what was sent in the document", async () =>
      isDeepStrictEqual(JSON.parse(await documentText()), await onPlatform()),
    );
    await write(changed(await documentText(), '"timeoutHours": 8', '"timeoutHours": 4'));
    await changeElsewhere({ description: "Changed by somebody else" });
    await workbench.editors.save();
    const asked = await workbench.dialog.waitFor("Send the changed configuration");
    assert.match(asked.detail, /timeoutHours: 8 → 4/);
    assert.match(
      asked.detail,
      /Someone else has changed it since you opened it.*description: .*Changed by somebody else/s,
    );
    assert.deepEqual((await workbench.dialog.buttons()).sort(), ["Cancel", "Send Anyway"]);
    await workbench.screenshot("configuration-contested");
    await workbench.dialog.cancel();
    assert.equal((await onPlatform()).description, "Changed by somebody else");
    await workbench.notifications.dismissAll();
  });
});
