// The window that the test files of this folder use one after the other: opening one takes five seconds of processor
// time. Rows may be expanded, and lists may have been read, so a file counts requests from a refresh, or from an action.
import type { WindowOptions } from "../../harness/editor-host/window.ts";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { Workbench } from "../../harness/workbench/workbench.ts";
import { beforeEditorIsTaken } from "../editor.ts";
import { reportFailures } from "../failure-reports.ts";
import { openProxiedWindow, type ProxiedWindow } from "../proxied-window.ts";
import { themeSettings } from "../themes.ts";

type Size = Required<WindowOptions>["size"];

/** Pixels. */
const usualSize: Size = { width: 1280, height: 800 };

const options = {
  settings: {
    ...themeSettings,
    "files.simpleDialog.enable": true,
    // Typed text appears in documents unchanged.
    "editor.autoIndent": "none",
    "editor.autoClosingBrackets": "never",
  },
  bootSeconds: 3,
};

/** A window that a file has left, with the address at which it was opened. */
interface LeftWindow {
  readonly window: ProxiedWindow;
  readonly address: string;
}

let left: LeftWindow | undefined;
beforeEditorIsTaken(async () => {
  const { window } = left ?? {};
  left = undefined;
  await window?.close();
});

/**
 * Gives the tests of the suite around it a window with a signed-in tenant behind a proxy. Reports failures. If not all tests
 * have passed, or if the window shows another folder now, it isn't used again.
 */
export function useSharedWindow(receive: (window: ProxiedWindow) => void, size: Size = usualSize): void {
  let taken: LeftWindow | undefined;
  const window = (): ProxiedWindow => {
    if (taken === undefined) throw new Error("the window isn't open");
    return taken.window;
  };
  before(async () => {
    const earlier = left;
    left = undefined;
    taken = earlier ?? (await opened());
    await window().workbench.page.setViewportSize(size);
    if (earlier !== undefined) await tidy(earlier.window);
    receive(window());
  });
  reportFailures(() => window().workbench);
  after(async function () {
    if (taken === undefined) return;
    const hasPassed = this.test?.parent?.tests.every(({ state }) => state === "passed") === true;
    if (hasPassed && taken.window.workbench.page.url() === taken.address) left = taken;
    else await taken.window.close();
  });
}

async function opened(): Promise<LeftWindow> {
  const window = await openProxiedWindow(options);
  return { window, address: window.workbench.page.url() };
}

/** Closes what the earlier file has left in front, and shows what a new window does, with only one view expanded. */
async function tidy({ workbench, proxy }: ProxiedWindow): Promise<void> {
  const { notifications, sideBar } = workbench;
  await closeEditors(workbench);
  await notifications.dismissAll();
  await sideBar.open("Platform");
  const views = await sideBar.views();
  await sideBar.collapse(...views.filter((view) => view !== "Workspaces"));
  await sideBar.view("Workspaces");
  await sideBar.open("Explorer");
  proxy.clearFaults();
  proxy.reset();
}

/** Closes all editors, also those with unsaved changes. */
async function closeEditors(workbench: Workbench): Promise<void> {
  const { editors, page } = workbench;
  const tabs = page.locator(".part.editor .tab");
  const fewerThan = (count: number): Promise<unknown> =>
    waitFor("an editor to be closed", async () => (await tabs.count()) < count, {
      describe: async () => JSON.stringify(await editors.tabs()),
    });
  for (let count = await tabs.count(); count > 0; count = await tabs.count()) {
    const isDirty = (await page.locator(".part.editor .tab.dirty").count()) > 0;
    await workbench.runCommand(isDirty ? "View: Revert and Close Editor" : "View: Close All Editors");
    await fewerThan(isDirty ? count : 1);
  }
}
