// The windows that the test files of a folder use one after the other: opening one takes five seconds of processor time.
// Rows may be expanded, and lists may have been read, so a file counts requests from a refresh, or from an action, unless it
// is the first one to show a view.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Suite } from "mocha";
import type { WindowOptions } from "../harness/editor-host/window.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import type { Workbench } from "../harness/workbench/workbench.ts";
import { beforeEditorIsTaken } from "./editor.ts";
import { reportFailures } from "./failure-reports.ts";
import { openProxiedWindow, type ProxiedWindow } from "./proxied-window.ts";
import { type OpenedWorkspace, workspaceNamed } from "./tenant-window.ts";
import { themeSettings } from "./themes.ts";

type Size = Required<WindowOptions>["size"];

/** Pixels. */
const usualSize: Size = { width: 1280, height: 800 };

const settings = {
  ...themeSettings,
  "files.simpleDialog.enable": true,
  // Typed text appears in documents unchanged.
  "editor.autoIndent": "none",
  "editor.autoClosingBrackets": "never",
};

/** The running workspace of the sample tenant. */
const workspaceName = "Sales forecasting";

/** What a window shows: no tenant, only the views of a tenant, or also the folder of a workspace. */
type Content = "nothing" | "tenant" | "workspace";

/** A window that a file has left, with the address at which it was opened. */
interface LeftWindow {
  readonly content: Content;
  readonly window: ProxiedWindow;
  readonly address: string;
}

let left: LeftWindow | undefined;
beforeEditorIsTaken(async () => {
  const { window } = left ?? {};
  left = undefined;
  await window?.close();
});

/** Gives the tests of the suite around it a window without a tenant. One that it doesn't know yet is running. */
export function useSharedEmptyWindow(receive: (window: ProxiedWindow) => void): void {
  share("nothing", {
    open: () => openProxiedWindow({ settings: themeSettings, signedIn: false }),
    arrange: async (window) => receive(window),
  });
}

/** Gives the tests of the suite around it a window without a folder, with a signed-in tenant behind a proxy. */
export function useSharedWindow(receive: (window: ProxiedWindow) => void, size: Size = usualSize): void {
  share("tenant", {
    open: () => openProxiedWindow({ settings, bootSeconds: 3 }),
    async arrange(window, isNew) {
      await window.workbench.page.setViewportSize(size);
      if (!isNew) await showOneView(window.workbench);
      receive(window);
    },
  });
}

/**
 * Gives the tests of the suite around it a window that shows the folder of a running workspace, with these files, and the
 * directory of its content. Files of other suites may be there, too. If a test stops a workspace, it must start it again.
 */
export function useSharedFolder(
  files: Required<OpenedWorkspace>["files"],
  receive: (window: ProxiedWindow, root: string) => void,
  size: Size = usualSize,
): void {
  share("workspace", {
    open: () =>
      openProxiedWindow({
        // A limit in megabytes that files of tests can exceed quickly.
        settings: { ...settings, "platformWorkbench.files.offerDownloadAbove": 4.5 },
        // A workspace boots until the test lets it run.
        bootSeconds: 3_000,
        workspace: { name: workspaceName, files },
      }),
    async arrange(window, isNew) {
      const root = window.tenant.contentRoot(workspaceNamed(window, workspaceName).id);
      await window.workbench.page.setViewportSize(size);
      if (!isNew) {
        for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
        await showAgain(window.workbench, root);
      }
      receive(window, root);
    },
  });
}

interface Sharing {
  open(): Promise<ProxiedWindow>;
  /** Prepares the window, which is new or was left by an earlier file. */
  arrange(window: ProxiedWindow, isNew: boolean): Promise<void>;
}

/**
 * Takes the window that an earlier file has left, if it has this content, or opens one. Reports failures. If not all tests
 * have passed, or if the window shows another folder now, it isn't used again.
 */
function share(content: Content, { open, arrange }: Sharing): void {
  let taken: LeftWindow | undefined;
  const window = (): ProxiedWindow => {
    if (taken === undefined) throw new Error("the window isn't open");
    return taken.window;
  };
  before(async () => {
    if (left?.content === content) {
      taken = left;
      left = undefined;
      await tidy(taken.window);
      await arrange(taken.window, false);
    } else {
      const opened = await open();
      taken = { content, window: opened, address: opened.workbench.page.url() };
      await arrange(opened, true);
    }
  });
  reportFailures(() => window().workbench);
  after(async function () {
    if (taken === undefined) return;
    const suite = this.test?.parent;
    const hasPassed = suite !== undefined && havePassed(suite);
    if (hasPassed && taken.window.workbench.page.url() === taken.address) left = taken;
    else await taken.window.close();
  });
}

function havePassed({ tests, suites }: Suite): boolean {
  return tests.every(({ state }) => state === "passed") && suites.every(havePassed);
}

/** Closes what the earlier file has left in front. */
async function tidy({ workbench, proxy }: ProxiedWindow): Promise<void> {
  await closeEditors(workbench);
  await workbench.notifications.dismissAll();
  proxy.clearFaults();
  proxy.reset();
}

/** Shows what a new window does, with only one view expanded. */
async function showOneView({ sideBar }: Workbench): Promise<void> {
  await sideBar.open("Platform");
  const views = await sideBar.views();
  await sideBar.collapse(...views.filter((view) => view !== "Workspaces"));
  await sideBar.view("Workspaces");
  await sideBar.open("Explorer");
}

/** Shows the folder with all directories collapsed and its current content. Rows don't move away afterward. */
async function showAgain(workbench: Workbench, root: string): Promise<void> {
  const { explorer } = workbench;
  await explorer.open();
  for (const { label, level, expanded } of await explorer.tree.rows()) {
    if (level === 2 && expanded === true) await (await explorer.tree.row(label)).collapse();
  }
  await workbench.runCommand("Refresh Explorer");
  const visible = (await readdir(root)).filter((name) => !name.startsWith("."));
  const expected = [workspaceName, ...visible].toSorted().join();
  await waitFor("exactly these rows in the Explorer", async () => (await sortedRows()) === expected, {
    describe: async () => `${expected}, not ${await sortedRows()}`,
  });

  async function sortedRows(): Promise<string> {
    return (await explorer.names()).toSorted().join();
  }
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
