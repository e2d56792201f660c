import type { Locator, Page } from "playwright-core";
import { ContextMenu } from "./context-menu.ts";
import { focusIn, visibleTextOf } from "./text-editor.ts";
import { clickNow, clickOnce, readingTakes, waitFor } from "./waiting.ts";

/** A visible notebook editor. Cells are counted from 0; a cell that isn't visible is scrolled to. */
export class NotebookEditor {
  readonly page: Page;
  readonly name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
  }

  async waitUntilReady(): Promise<void> {
    await waitFor(`the cells of ${this.name}`, async () => (await this.#cells().count()) > 0);
  }

  /** The number of all cells, although a long notebook only renders the visible ones. */
  async cellCount(): Promise<number> {
    return Number((await this.#cells().first().getAttribute("aria-setsize", { timeout: readingTakes })) ?? "0");
  }

  async cellText(index: number): Promise<string> {
    await this.#scrollTo(index);
    return visibleTextOf(this.#cell(index).locator(".cell-editor-part .monaco-editor").first());
  }

  /** Waits for a text in a rendered Markdown cell or in an output, which are rendered in a separate frame. */
  async waitForRendered(text: string | RegExp, seconds?: number): Promise<void> {
    await waitFor(
      `the rendered text ${text} in ${this.name}`,
      async () => {
        const frames = this.page
          .frames()
          .filter((frame) => frame.name() === "active-frame" || /fake\.html/.test(frame.url()));
        for (const frame of frames) if ((await frame.getByText(text).count()) > 0) return true;
        return false;
      },
      seconds === undefined ? {} : { seconds },
    );
  }

  /** Waits for a loaded picture in an output with at least this width in pixels. */
  async waitForPicture(width: number): Promise<void> {
    await waitFor(`a picture of ${width} pixels or more in ${this.name}`, async () => {
      for (const frame of this.page.frames()) {
        const widths = await frame
          .locator(".output_container img")
          .evaluateAll((images) => images.map((image) => Number(Reflect.get(image, "naturalWidth"))))
          // A frame that is removed meanwhile has no text.
          .catch(() => []);
        if (widths.some((found) => found >= width)) return true;
      }
      return false;
    });
  }

  /** Clicks a link in a rendered output. */
  async followLink(text: string): Promise<void> {
    await waitFor(`the link ${text} in ${this.name}`, async () => {
      for (const frame of this.page.frames()) {
        const link = frame.locator(".output_container a", { hasText: text }).first();
        // A frame that is removed meanwhile has no link.
        const isShown = await link.isVisible().catch(() => false);
        if (isShown) {
          await clickNow(link, { timeout: 5000 });
          return true;
        }
      }
      return false;
    });
  }

  /** Waits until the cursor is in a line of a code cell, counted from 1. */
  async waitForCursor(index: number, line: number): Promise<void> {
    const editor = this.#cell(index).locator(".cell-editor-part .monaco-editor.focused");
    const topsOf = async (selector: string): Promise<readonly number[]> => {
      const tops = await editor
        .locator(selector)
        .evaluateAll((elements) => elements.map((element) => Math.round(element.getBoundingClientRect().top)));
      return tops.toSorted((one, other) => one - other);
    };
    await waitFor(`the cursor in line ${line} of cell ${index} of ${this.name}`, async () => {
      const [cursor] = await topsOf(".cursors-layer .cursor");
      return cursor !== undefined && (await topsOf(".view-lines .view-line"))[line - 1] === cursor;
    });
  }

  /** Puts the cursor into a code cell. */
  async editCell(index: number): Promise<void> {
    await this.#scrollTo(index);
    const editor = this.#cell(index).locator(".cell-editor-part .monaco-editor").first();
    await focusIn(editor, `cell ${index} of ${this.name}`);
  }

  /** Replaces the text of a code cell. */
  async replaceCell(index: number, text: string): Promise<void> {
    await this.editCell(index);
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
    await this.#waitForCellText(index, text);
  }

  /** Types at the end of a code cell. */
  async appendToCell(index: number, text: string): Promise<void> {
    await this.editCell(index);
    await this.page.keyboard.press("ControlOrMeta+End");
    await this.page.keyboard.insertText(text);
    await this.#waitForCellText(index, text);
  }

  /** Adds a code cell below the given one, with this text. */
  async insertCodeCellBelow(index: number, text: string): Promise<void> {
    const count = await this.cellCount();
    await this.#selectCell(index);
    await this.#clickAction("Code");
    await waitFor(`a new cell in ${this.name}`, async () => (await this.cellCount()) === count + 1);
    await this.replaceCell(index + 1, text);
  }

  /** Waits until the toolbar names this kernel as the notebook's. */
  async waitForKernel(name: string | RegExp): Promise<void> {
    const toolbar = this.page.locator(".notebookOverlay:visible .notebook-toolbar-container");
    const label = toolbar.locator(".notebook-toolbar-right", { hasText: name });
    // The label is also there before the kernel is selected. Then the toolbar gets the kernel's actions, and a click meanwhile
    // is lost.
    const action = toolbar.locator(".notebook-action-view-item", { hasText: "Restart Kernel…" });
    const isSelected = async (): Promise<boolean> => (await label.count()) > 0 && (await action.count()) > 0;
    await waitFor(`the kernel ${name} of ${this.name}`, isSelected, { seconds: 60 });
  }

  /** Titles of the toolbar's actions: those with a label, then those in its `…` menu. */
  async toolbarActions(): Promise<readonly string[]> {
    const toolbar = this.page.locator(".notebookOverlay:visible .notebook-toolbar-container");
    const labels = (await toolbar.locator(".notebook-action-view-item").allInnerTexts()).map((text) => text.trim());
    const more = toolbar.locator(".codicon-toolbar-more");
    if ((await more.count()) === 0) return labels;
    const menu = await ContextMenu.opened(this.page, `the toolbar of ${this.name}`, () => clickNow(more.first()));
    const others = await menu.titles();
    await menu.dismiss();
    return [...labels, ...others];
  }

  /** Runs all cells, as the toolbar's button does. */
  async runAll(): Promise<void> {
    await this.#clickAction("Run All");
  }

  /** Runs a code cell, and stays in it. */
  async runCell(index: number): Promise<void> {
    await this.editCell(index);
    await this.page.keyboard.press("Control+Enter");
  }

  /** Waits until a cell shows that it runs. */
  async waitForRunning(index: number): Promise<void> {
    await this.#scrollTo(index);
    const icon = this.#cell(index).locator(".codicon-notebook-state-executing");
    await waitFor(`cell ${index} of ${this.name} to run`, async () => (await icon.count()) > 0);
  }

  /** True if a visible cell shows that it ran without an error. */
  async hasSucceeded(index: number): Promise<boolean> {
    return (await this.#cell(index).locator(".codicon-notebook-state-success").count()) > 0;
  }

  /** Waits until a cell shows that it ran without an error. */
  async waitForSuccess(index: number): Promise<void> {
    await this.#scrollTo(index);
    await waitFor(`cell ${index} of ${this.name} to have run`, () => this.hasSucceeded(index));
  }

  /** Scrolls until the cell is visible. */
  async showCell(index: number): Promise<void> {
    await this.#scrollTo(index);
  }

  /** Turns the wheel until the upper part of the cell is visible. */
  async #scrollTo(index: number): Promise<void> {
    const list = this.page.locator(".notebookOverlay:visible .cell-list-container").first();
    await waitFor(`cell ${index} of ${this.name} to come into sight`, async () => {
      const area = await list.boundingBox();
      if (area === null) return false;
      const drawn = await this.#cells().evaluateAll((rows) =>
        rows.map((row) => Number(row.getAttribute("data-index"))),
      );
      // A row that is rendered again meanwhile is looked up again.
      const row = drawn.includes(index) ? await this.#cell(index).boundingBox({ timeout: 2000 }) : null;
      const nearest = index > Math.max(...drawn) ? Math.max(...drawn) : Math.min(...drawn);
      // The height of the cells between is unknown: an estimate, corrected once the cell is rendered.
      const offset = row === null ? (index - nearest || 1) * 100 : row.y - area.y;
      if (row !== null && offset >= 0 && offset + Math.min(row.height, 60) <= area.height) return true;
      await this.page.mouse.move(area.x + area.width - 40, area.y + area.height / 2);
      // One turn of the wheel moves the list by 50 pixels, whatever the requested distance.
      const turns = Math.ceil(Math.abs(row === null ? offset : offset - 60) / 50);
      for (let turn = 0; turn < Math.min(turns, 40); turn += 1) {
        await this.page.mouse.wheel(0, offset < 0 ? -100 : 100);
      }
      return false;
    });
  }

  /** Clicks an action of the toolbar, which is rendered again whenever the state of the kernel or of a cell changes. */
  async #clickAction(label: string): Promise<void> {
    const toolbar = this.page.locator(".notebookOverlay:visible .notebook-toolbar-container");
    const action = toolbar.locator(".notebook-action-view-item", { hasText: new RegExp(`^\\s*${label}\\s*$`) });
    await clickOnce(`${label} of ${this.name}`, action);
  }

  /** Selects a whole cell: the toolbar adds new cells below it. */
  async #selectCell(index: number): Promise<void> {
    await this.#scrollTo(index);
    const cell = this.#cell(index);
    if (await cell.locator(".cell-editor-part .monaco-editor").first().isVisible()) await this.editCell(index);
    else await cell.click();
    await this.page.keyboard.press("Escape");
    await waitFor(
      `cell ${index} of ${this.name} to be selected`,
      async () =>
        /\bfocused\b/.test((await cell.getAttribute("class")) ?? "") &&
        !(await cell.locator(".cell-editor-part").evaluate((element) => element.matches(":focus-within"))),
    );
  }

  async #waitForCellText(index: number, text: string): Promise<void> {
    const first = text.trim().split("\n")[0] ?? "";
    await waitFor(
      `the text in cell ${index} of ${this.name}`,
      async () => (await this.cellText(index)).includes(first),
      { describe: () => this.cellText(index) },
    );
  }

  #cells(): Locator {
    return this.page.locator(
      ".notebookOverlay:visible .cell-list-container > .monaco-list > .monaco-scrollable-element > .monaco-list-rows > .monaco-list-row",
    );
  }

  #cell(index: number): Locator {
    // Rows are rendered in any order; their index is the cell's.
    return this.page.locator(
      `.notebookOverlay:visible .cell-list-container > .monaco-list > .monaco-scrollable-element > .monaco-list-rows > .monaco-list-row[data-index="${index}"]`,
    );
  }
}
