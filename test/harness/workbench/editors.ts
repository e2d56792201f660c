import type { Locator, Page } from "playwright-core";
import { ContextMenu } from "./context-menu.ts";
import { Dialog } from "./dialog.ts";
import { NotebookEditor } from "./notebook-editor.ts";
import { Notifications } from "./notifications.ts";
import { TextEditor, visibleTextOf } from "./text-editor.ts";
import { clickNow, clickOnce, clickUnderHover, exactly, repeatUntil, shownText, waitFor } from "./waiting.ts";

/** The tabs of the editor area. A tab is identified by its visible name. */
export class Editors {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Names of the open tabs. */
  async tabs(): Promise<string[]> {
    return this.page
      .locator(".part.editor .tab")
      .evaluateAll((elements) => elements.map((element) => element.getAttribute("data-resource-name") ?? ""));
  }

  async activeTab(): Promise<string> {
    const [name] = await this.#activeTab().evaluateAll((elements) =>
      elements.map((element) => element.getAttribute("data-resource-name") ?? ""),
    );
    return name ?? "";
  }

  /** Moves the focus to the tab of the active editor, if there is one. */
  async focusActiveTab(): Promise<void> {
    const active = this.#activeTab();
    if ((await active.count()) > 0) await active.first().focus();
  }

  /** Waits until a tab is visible; with `active`, until it is the active one. */
  async waitForTab(name: string, options: { active?: boolean; seconds?: number } = {}): Promise<Locator> {
    const tab = this.#tab(name);
    await waitFor(
      `the editor tab ${name}`,
      async () => (await tab.count()) > 0 && (options.active !== true || (await this.activeTab()) === name),
      {
        ...(options.seconds === undefined ? {} : { seconds: options.seconds }),
        describe: async () => `${JSON.stringify(await this.tabs())}, active: ${await this.activeTab()}`,
      },
    );
    return tab;
  }

  /** Waits until the window has stored that the editor is open, which it does every few seconds. */
  async waitUntilStored(name: string): Promise<void> {
    await waitFor(`the window to store the editor ${name}`, async () =>
      (await this.page.evaluate<string[]>(storedEditors)).some((state) => state.includes(name)),
    );
  }

  async show(name: string): Promise<void> {
    await this.#bringToFront(name, await this.waitForTab(name));
  }

  /** The same for a webview, whose tab has only its label. */
  async showWebview(label: string | RegExp): Promise<void> {
    await this.#bringToFront(String(label), this.page.locator(".part.editor .tab").filter({ hasText: exactly(label) }));
  }

  async isDirty(name: string): Promise<boolean> {
    return /\bdirty\b/.test((await (await this.waitForTab(name)).getAttribute("class")) ?? "");
  }

  async waitUntilDirty(name: string, dirty = true, seconds?: number): Promise<void> {
    await waitFor(
      `the editor ${name} to be ${dirty ? "dirty" : "saved"}`,
      async () => (await this.isDirty(name)) === dirty,
      { ...(seconds === undefined ? {} : { seconds }), describe: () => this.#describeSaving(name) },
    );
  }

  async waitUntilSaved(name: string, seconds?: number): Promise<void> {
    await this.waitUntilDirty(name, false, seconds);
  }

  /** Presses Ctrl+S in the active editor; does not wait. */
  async save(): Promise<void> {
    await this.page.keyboard.press("ControlOrMeta+s");
  }

  /**
   * Saves the active notebook, whose cells have just run. The editor adds the execution counts to a notebook's metadata
   * a moment after its cells have ended: if the save was faster, the notebook is saved again.
   */
  async saveAfterRun(name: string): Promise<void> {
    await repeatUntil(
      `the notebook ${name} to be saved`,
      () => this.save(),
      async () => !(await this.isDirty(name)),
      { describe: () => this.#describeSaving(name) },
    );
  }

  /** Closes a tab with its button; a tab with unsaved changes asks in a dialog. */
  async close(name: string): Promise<void> {
    const tab = await this.waitForTab(name);
    await clickUnderHover(`the close button of ${name}`, tab, tab.locator(".tab-actions .action-label").first());
  }

  async waitUntilClosed(name: string): Promise<void> {
    await waitFor(`the editor tab ${name} to close`, async () => (await this.#tab(name).count()) === 0);
  }

  /** Opens the menu of a tab with a right-click. */
  async openTabMenu(name: string): Promise<ContextMenu> {
    const tab = await this.waitForTab(name);
    return ContextMenu.opened(this.page, `the tab ${name}`, () => clickNow(tab, { button: "right" }));
  }

  /** Titles of the icons above the active editor. */
  async titleActions(): Promise<string[]> {
    return this.#titleActions().evaluateAll((elements) =>
      elements.map((element) => element.getAttribute("aria-label") ?? ""),
    );
  }

  /** Clicks the icon above the active editor whose title begins with this text. */
  async clickTitleAction(title: string): Promise<void> {
    const action = this.#titleActions().and(this.page.locator(`[aria-label^="${title}"]`));
    await clickOnce(`the icon ${title} above the editor`, action);
  }

  /** Opens the `…` menu above the active editor. */
  async openTitleMenu(): Promise<ContextMenu> {
    const more = this.#titleActions().and(this.page.locator(".codicon-toolbar-more"));
    const name = `the actions of ${await this.activeTab()}`;
    return ContextMenu.opened(this.page, name, () => clickNow(more));
  }

  /** The text editor of a tab, once it is visible. */
  async text(name: string): Promise<TextEditor> {
    await this.show(name);
    const editor = new TextEditor(
      this.page,
      this.page.locator(".editor-group-container.active .editor-instance"),
      name,
    );
    await editor.waitUntilReady();
    return editor;
  }

  /** The notebook editor of a tab, once its cells are visible. */
  async notebook(name: string): Promise<NotebookEditor> {
    await this.show(name);
    const editor = new NotebookEditor(this.page, name);
    await editor.waitUntilReady();
    return editor;
  }

  /** Waits until the editor in front shows all of these: of a comparison or a merge editor, all sides together. */
  async waitForTexts(...texts: readonly string[]): Promise<void> {
    const inFront = this.page.locator(".editor-group-container.active .editor-instance");
    await waitFor(
      `${texts.join(" and ")} in the editor in front`,
      async () => {
        const seen = await visibleTextOf(inFront);
        return texts.every((text) => seen.includes(text));
      },
      { describe: () => visibleTextOf(inFront) },
    );
  }

  /** The message in place of an editor if a file can't be opened; empty if an editor is visible. */
  async problem(): Promise<string> {
    return shownText(this.page.locator(".monaco-editor-pane-placeholder"));
  }

  /** What may keep an editor from being saved: another one is active, the focus, a dialog, and notifications. */
  async #describeSaving(name: string): Promise<string> {
    const focused = await this.page
      .locator(":focus")
      .evaluateAll((elements) => elements.map((element) => element.outerHTML.slice(0, 200)));
    const dialog = await shownText(new Dialog(this.page).box);
    // A dialog covers the list of notifications.
    const notifications = dialog === "" ? await new Notifications(this.page).texts() : [];
    const tab = await this.#tab(name).evaluateAll((elements) => elements.map((element) => element.className));
    return JSON.stringify({ tab, active: await this.activeTab(), focused, dialog, notifications });
  }

  async #bringToFront(name: string, tab: Locator): Promise<void> {
    await repeatUntil(
      `the editor tab ${name} to be the active one`,
      () => clickNow(tab),
      // Not by its name, because the tab of a comparison has the same name.
      () => tab.evaluate((element) => element.matches(".editor-group-container.active .tab.active")),
      { describe: async () => `${JSON.stringify(await this.tabs())}, active: ${await this.activeTab()}` },
    );
  }

  #titleActions(): Locator {
    return this.page.locator(".part.editor .editor-group-container.active .editor-actions .action-label");
  }

  #activeTab(): Locator {
    return this.page.locator(".part.editor .editor-group-container.active .tab.active");
  }

  #tab(name: string): Locator {
    return this.page.locator(`.part.editor .tab[data-resource-name="${name.replaceAll('"', '\\"')}"]`).first();
  }
}

/** An expression for the states of editors that a window has stored. Its types are the browser's. */
const storedEditors = `(async () => {
  const resultOf = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const states = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db-")) continue;
    const database = await resultOf(indexedDB.open(name));
    try {
      const items = database.transaction("ItemTable").objectStore("ItemTable");
      states.push(String(await resultOf(items.get("memento/workbench.parts.editor"))));
    } finally {
      database.close();
    }
  }
  return states;
})()`;
