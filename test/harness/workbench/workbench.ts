import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { WindowBrowser } from "../editor-host/browser.ts";
import type { EditorServer } from "../editor-host/server.ts";
import {
  type EditorWindow,
  openWindow,
  saveScreenshot,
  takesScreenshots,
  type WindowOptions,
} from "../editor-host/window.ts";
import { Dialog } from "./dialog.ts";
import { Editors } from "./editors.ts";
import { Explorer } from "./explorer.ts";
import { Notifications } from "./notifications.ts";
import { Panel } from "./panel.ts";
import { QuickInput } from "./quick-input.ts";
import { SideBar } from "./side-bar.ts";
import { effectTakes, repeatUntil, waitFor } from "./waiting.ts";
import { isInWebview } from "./webview.ts";

/** A window of the editor from the view of a user. */
export class Workbench {
  readonly window: EditorWindow;
  readonly page: Page;
  readonly sideBar: SideBar;
  readonly panel: Panel;
  readonly explorer: Explorer;
  readonly editors: Editors;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly dialog: Dialog;

  constructor(window: EditorWindow) {
    this.window = window;
    this.page = window.page;
    this.sideBar = new SideBar(this.page);
    this.panel = new Panel(this.page);
    this.explorer = new Explorer(this.page);
    this.editors = new Editors(this.page);
    this.quickInput = new QuickInput(this.page);
    this.notifications = new Notifications(this.page);
    this.dialog = new Dialog(this.page);
  }

  /** Opens a window and waits until its activity bar and status bar are visible. */
  static async open(browser: WindowBrowser, server: EditorServer, options: WindowOptions = {}): Promise<Workbench> {
    const workbench = new Workbench(await openWindow(browser, server, options));
    await workbench.waitUntilReady();
    return workbench;
  }

  async waitUntilReady(): Promise<void> {
    await waitFor(
      "the workbench",
      async () =>
        (await this.page.locator(".part.activitybar").getByRole("tab").count()) > 0 &&
        (await this.page.locator(".part.statusbar .statusbar-item").count()) > 0,
    );
    // Until then, a new profile has no notebook editor and opens a notebook as text.
    await waitFor("the extensions to be registered", () =>
      this.page.evaluate(() => performance.getEntriesByName("code/didLoadExtensions").length > 0),
    );
  }

  /** Runs a command through the palette by its visible title, such as `Platform: Refresh Workspaces`. */
  async runCommand(title: string): Promise<void> {
    const typed = `>${title}`;
    // A window that has just opened may not react to keys yet, an editor that comes to the front closes the palette, a
    // palette that opens twice loses the typed text, and a palette that adds similar commands under the mouse loses the
    // click.
    let openAgainAt = 0;
    let clickAgainAt = 0;
    const done: string[] = [];
    await waitFor(
      `the command ${title} in the palette`,
      async () => {
        const shown = await this.quickInput.shown();
        if (clickAgainAt > 0 && shown?.value !== typed) return true;
        // Another box, such as one that a failed test has left open, gives way to the palette.
        if (shown === undefined || !shown.value.startsWith(">")) {
          if (Date.now() < openAgainAt) return false;
          await this.#focusTabOfWebview();
          await this.page.keyboard.press("F1");
          done.push("opened");
          openAgainAt = Date.now() + 5000;
          return false;
        }
        // If it was open and has closed, it can be opened again at once.
        openAgainAt = 0;
        if (shown.value !== typed) {
          done.push("typed");
          await this.quickInput.typeNow(typed);
        }
        if (Date.now() < clickAgainAt || !(await this.quickInput.chooseIfThere(title))) return false;
        done.push("clicked");
        clickAgainAt = Date.now() + effectTakes;
        return (await this.quickInput.value()) !== typed;
      },
      {
        describe: async () =>
          JSON.stringify([
            done.slice(-10),
            await this.quickInput.value(),
            (await this.quickInput.labels()).slice(0, 10),
            await this.page
              .locator(":focus")
              .evaluateAll((elements) => elements.map((element) => element.outerHTML.slice(0, 200))),
          ]),
      },
    );
  }

  /**
   * Moves the focus from a webview to its tab. When the palette closes, the editor gives the focus back to where it was,
   * to a webview asynchronously: on a busy machine, that comes after the command has shown a list, and closes the list
   * (microsoft/vscode#75209 and #93950). Also needed before the palette opens again, because a webview that takes the
   * focus late closes it.
   */
  async #focusTabOfWebview(): Promise<void> {
    if (await isInWebview(this.page)) await this.editors.focusActiveTab();
  }

  /**
   * Labels of the commands that the palette finds for a text, such as `Platform: Refresh Workspaces`. It stays open.
   */
  async commandsFor(text: string): Promise<readonly string[]> {
    await repeatUntil(
      "the palette",
      () => this.page.keyboard.press("F1"),
      () => this.quickInput.isOpen(),
    );
    await this.quickInput.type(">");
    const labels = async (): Promise<string> => JSON.stringify(await this.quickInput.labels());
    const all = await waitFor("the commands in the palette", async () =>
      (await this.quickInput.labels()).length > 1 ? labels() : undefined,
    );
    await this.quickInput.type(`>${text}`);
    // Similar commands are added a little later than the matching ones, and the palette does not show that it is complete.
    await waitFor(`the commands for ${text}`, async () => {
      const first = await labels();
      if (first === all) return false;
      await delay(500);
      return (await labels()) === first;
    });
    return this.quickInput.labels();
  }

  /** Reloads the window. A reload of the page alone could come before the window has stored its editors. */
  async reload(): Promise<void> {
    await this.reopenedBy(() => this.runCommand("Developer: Reload Window"));
  }

  /**
   * Runs an action that opens another folder in this window, and waits until the window has reloaded. Without this
   * wait, the next steps would find the old workbench.
   */
  async reopenedBy(action: () => Promise<void>): Promise<void> {
    const navigated = this.page.waitForEvent("framenavigated", {
      predicate: (frame) => frame === this.page.mainFrame(),
      timeout: 150_000,
    });
    // Awaited below; if the action fails, a rejection must not be unhandled.
    navigated.catch(() => {});
    await action();
    await navigated;
    await this.waitUntilReady();
  }

  /** Texts of the status bar's items. */
  async statusBar(): Promise<string[]> {
    const texts = await this.page.locator(".part.statusbar .statusbar-item:visible").allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== "");
  }

  /** Waits until the status bar shows a text. */
  async waitForStatus(text: string | RegExp): Promise<void> {
    await waitFor(
      `${text} in the status bar`,
      async () =>
        (await this.statusBar()).some((item) => (typeof text === "string" ? item.includes(text) : text.test(item))),
      { describe: async () => JSON.stringify(await this.statusBar()) },
    );
  }

  /** Writes `test-results/screenshots/NAME.png` if this run takes screenshots for people to look at. */
  async screenshot(name: string): Promise<void> {
    if (takesScreenshots) await saveScreenshot(this.page, name);
  }

  async close(): Promise<void> {
    await this.window.close();
  }
}
