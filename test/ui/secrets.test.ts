import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openProxiedWindow, type ProxiedWindow } from "./proxied-window.ts";
import { untilFolderIsOpen, workspaceNamed } from "./tenant-window.ts";

/** A place where something was written, and the text. */
interface Written {
  readonly place: string;
  readonly text: string;
}

describe("secrets, in a run with the most detailed log level", () => {
  const wrongPlatformToken = "0badc0de0badc0de0badc0de0badc0de";
  const wrongNotebookToken = "feedfacefeedfacefeedfacefeedface";
  const addresses: string[] = [];
  let window: ProxiedWindow;
  let root: string;
  let notebookToken: string;

  before(async () => {
    window = await openProxiedWindow({ withoutNotebookTokens: true, separateEditor: true });
    const { id } = workspaceNamed(window, "Sales forecasting");
    root = window.tenant.contentRoot(id);
    notebookToken = window.tenant.notebookToken(id);
    await writeFile(join(root, "kept.py"), "marker_of_the_body = 1\n");
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

  it("adds a tenant and signs in, with a wrong token first", async () => {
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
    await workbench.sideBar.open("Platform");
    const view = await workbench.sideBar.view("Workspaces");
    await view.tree.row("Direct");
    await view.tree.row(/^Sales forecasting/);
  });

  it("opens a workspace with a wrong notebook token, then the right one", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Workspaces");
    await (await view.tree.row("Direct")).collapse();
    await (await view.tree.row(/^Sales forecasting/)).doubleClick();
    await workbench.quickInput.choose(/This Window/);
    await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
    await workbench.quickInput.submit(wrongNotebookToken);
    await workbench.quickInput.waitForStep("rejected this token");
    await workbench.quickInput.submit(`Authorization: token ${notebookToken}`);
    await untilFolderIsOpen(workbench);
    await traceEverything();
    const asked = await workbench.notifications.waitFor("no notebook token for Sales forecasting", 30);
    await asked.click("Enter Notebook Token");
    await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
    await workbench.quickInput.submit(notebookToken);
    await workbench.quickInput.waitUntilClosed();
  });

  it("opens, edits, and saves a file, and fails a save because of its token", async () => {
    const { workbench, proxy, contentPath } = window;
    await workbench.explorer.openFile("kept.py");
    const editor = await workbench.editors.text("kept.py");
    await editor.waitForText("marker_of_the_body");
    await editor.append("two = 2\n");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved("kept.py");
    proxy.addFault({
      match: { path: contentPath },
      action: {
        kind: "answer",
        status: 403,
        // Servers repeat what they receive.
        body: JSON.stringify({ message: `Forbidden: ${notebookToken}`, reason: null, token: notebookToken }),
      },
    });
    await editor.append("third = 3\n");
    await workbench.editors.save();
    const told = await workbench.notifications.waitFor(/no longer valid/);
    await workbench.screenshot("secrets-refused");
    for (const text of await workbench.notifications.texts()) assert.ok(!text.includes(notebookToken), text);
    proxy.clearFaults();
    await told.clickLink("Enter a new one");
    await workbench.quickInput.waitForStep("Notebook Token for Sales forecasting");
    await workbench.quickInput.submit(notebookToken);
    await workbench.editors.waitUntilSaved("kept.py");
  });

  it("are not in anything that the run wrote, printed, stored, or visited", async () => {
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
    const found = [window.tenant.platformToken, notebookToken, wrongPlatformToken, wrongNotebookToken].flatMap(
      (secret, index) =>
        formsOf(secret).flatMap((form) =>
          written
            .filter(({ text }) => text.includes(form))
            .map(({ place, text }) => {
              const at = text.indexOf(form);
              const around = text.slice(Math.max(0, at - 120), at);
              return `secret ${index} as ${form.slice(0, 4)}… in ${place} after: ${around}`;
            }),
        ),
    );
    assert.deepEqual(found, []);
  });
});

/**
 * A secret in all forms in which it can appear in a text: unchanged, encoded, and within base64 at each of its three
 * offsets.
 */
function formsOf(secret: string): readonly string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.from("-".repeat(offset) + secret);
    const first = Math.ceil((offset * 8) / 6);
    return bytes.toString("base64").slice(first, Math.floor((bytes.length * 8) / 6));
  });
  return [...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex"), ...base64])];
}

async function everythingWritten(window: ProxiedWindow, addresses: readonly string[]): Promise<readonly Written[]> {
  const { workbench, dataDirectory } = window;
  // Repeated if the editor removes a file meanwhile, such as the backup of a saved file: its text may have moved.
  const files = await waitFor("files that the editor keeps", () => filesIn(dataDirectory));
  return [
    ...files,
    { place: "printed by the extension host and the window", text: workbench.window.log() },
    { place: "printed by the server", text: window.serverOutput() },
    { place: "visited addresses", text: addresses.join("\n") },
    { place: "stored in the window", text: await workbench.page.evaluate<string>(storedInWindow) },
  ];
}

async function filesIn(directory: string): Promise<readonly Written[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const place = join(entry.parentPath, entry.name);
        return { place, text: await readFile(place, "latin1") };
      }),
  );
}

/** A script for the window that returns its databases, local storage, and session storage as one text. */
const storedInWindow = String.raw`(async () => {
  const result = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const textOf = (value) =>
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer
      ? new TextDecoder("latin1").decode(value)
      : typeof value === "string" ? value : JSON.stringify(value);
  const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const { name } of await indexedDB.databases()) {
    const database = await result(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([result(objects.getAllKeys()), result(objects.getAll())]);
      texts.push(...keys.map((key, index) => name + "/" + store + "/" + String(key) + ": " + textOf(values[index])));
    }
    database.close();
  }
  return texts.join("\n");
})()`;
