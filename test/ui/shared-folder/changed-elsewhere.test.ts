import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";

/** The browser under test always treats its page as focused, so the page is given another state. */
async function focus(page: Page, hasFocus: boolean): Promise<void> {
  const name = hasFocus ? "focus" : "blur";
  await page.evaluate(
    `Object.defineProperty(document, "hasFocus", { configurable: true, value: () => ${hasFocus} });
    window.dispatchEvent(new Event("${name}"));`,
  );
}

describe("a window that shows a workspace", () => {
  let window: ProxiedWindow;
  let root: string;

  useSharedFolder({ "seen.py": "state = 'first'\n" }, (taken, directory) => {
    window = taken;
    root = directory;
  });
  before(async () => {
    await window.workbench.explorer.openFile("seen.py");
    await (await window.workbench.editors.text("seen.py")).waitForText("first");
  });

  it("shows changes on the server: a file that is created, changed, and deleted", async () => {
    const { workbench } = window;
    await writeFile(join(root, "seen.py"), "state = 'second'\n");
    await writeFile(join(root, "came.py"), "here = True\n");
    await (await workbench.editors.text("seen.py")).waitForText("second", 40);
    await workbench.explorer.tree.row("came.py");
    assert.equal(await workbench.editors.isDirty("seen.py"), false);
    await workbench.explorer.openFile("came.py");
    await (await workbench.editors.text("came.py")).waitForText("here");
    await rm(join(root, "came.py"));
    await waitFor("came.py to go", async () => !(await workbench.explorer.tree.labels()).includes("came.py"), {
      seconds: 40,
    });
    await workbench.page.locator(".tab .monaco-icon-label.strikethrough", { hasText: "came.py" }).waitFor();
    await workbench.screenshot("watched");
    await workbench.editors.close("came.py");
  });

  it("sends no requests without the focus, and shows changes once it has the focus again", async () => {
    const { workbench, proxy } = window;
    // The next poll after a change comes 5 seconds later.
    await writeFile(join(root, "seen.py"), "state = 'third'\n");
    await (await workbench.editors.text("seen.py")).waitForText("third", 40);
    await focus(workbench.page, false);
    // Requests that were sent before the extension was notified.
    await proxy.quiet(2_000);
    proxy.reset();
    await writeFile(join(root, "seen.py"), "state = 'fourth'\n");
    // A window does not show that a poll was skipped. The next one would have come by then.
    await pause(8_000);
    assert.deepEqual(
      proxy.requests.map(({ method, path }) => `${method} ${path}`),
      [],
    );
    await focus(workbench.page, true);
    await (await workbench.editors.text("seen.py")).waitForText("fourth");
    await waitFor("a look at the folder", () => Promise.resolve(proxy.requests.length > 0));
  });
});
