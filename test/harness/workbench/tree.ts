import type { Locator, Page } from "playwright-core";
import { ContextMenu } from "./context-menu.ts";
import {
  clickNow,
  clickUnderHover,
  clickWhereItStays,
  exactly,
  hoverNow,
  hoverOver,
  readingTakes,
  repeatUntil,
  waitFor,
  waitForSame,
} from "./waiting.ts";

/** The texts of a row that a user sees. */
export interface TreeRowText {
  readonly label: string;
  readonly description: string;
  /** 1 for the top level. */
  readonly level: number;
  readonly expanded: boolean | undefined;
}

interface DrawnRow extends TreeRowText {
  /** Its position among all rows, including those that would have to be scrolled to, from 0. */
  readonly index: number;
}

/** A tree in a view or in the Explorer. Labels are compared as a whole; patterns are used unchanged. */
export class Tree {
  readonly page: Page;
  /** The container of the tree: a view's body. */
  readonly container: Locator;
  readonly name: string;

  constructor(page: Page, container: Locator, name: string) {
    this.page = page;
    this.container = container;
    this.name = name;
  }

  /** The rendered rows, from top to bottom (a long tree renders only the visible ones). */
  async rows(): Promise<TreeRowText[]> {
    return (await this.#drawnRows()).map(({ index: _, ...row }) => row);
  }

  async #drawnRows(): Promise<DrawnRow[]> {
    return this.container.locator(".monaco-list-row").evaluateAll((elements) =>
      elements
        .map((element) => ({
          top: element.getBoundingClientRect().top,
          label: element.querySelector(".label-name")?.textContent?.trim() ?? element.textContent?.trim() ?? "",
          description: element.querySelector(".label-description")?.textContent?.trim() ?? "",
          level: Number(element.getAttribute("aria-level") ?? "1"),
          index: Number(element.getAttribute("data-index") ?? "-1"),
          expanded: element.hasAttribute("aria-expanded")
            ? element.getAttribute("aria-expanded") === "true"
            : undefined,
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ top: _, ...row }) => row),
    );
  }

  async labels(): Promise<string[]> {
    return (await this.rows()).map(({ label }) => label);
  }

  /** Waits until a row with this label is visible, and returns it. */
  async row(label: string | RegExp, seconds?: number): Promise<TreeRow> {
    const locator = this.#locate(label);
    await waitFor(`a row ${label} in ${this.name}`, () => locator.isVisible(), {
      ...(seconds === undefined ? {} : { seconds }),
      describe: async () => JSON.stringify(await this.labels()),
    });
    return new TreeRow(this.page, locator, `${label} in ${this.name}`);
  }

  /** Scrolls down with the mouse wheel until a row is visible, and returns it. */
  async scrollTo(label: string | RegExp): Promise<TreeRow> {
    const locator = this.#locate(label);
    await waitFor(
      `a row ${label} further down in ${this.name}`,
      async () => {
        if (await locator.isVisible()) return true;
        // A row's hover, which covers the rows below the mouse, would get the wheel. It closes when the mouse leaves.
        await this.page.mouse.move(0, 0);
        await hoverOver(this.name, this.container);
        // Fewer rows than fit into the smallest view, so that none is skipped.
        await this.page.mouse.wheel(0, 44);
        return false;
      },
      { describe: async () => JSON.stringify(await this.labels()) },
    );
    return new TreeRow(this.page, locator, `${label} in ${this.name}`);
  }

  async waitForNoRow(label: string | RegExp): Promise<void> {
    await waitFor(`the row ${label} in ${this.name} to go`, async () => (await this.#locate(label).count()) === 0);
  }

  /** Expands a path of rows and returns the last one. Each row is looked up below the previous one. */
  async reveal(first: string | RegExp, ...below: readonly (string | RegExp)[]): Promise<TreeRow> {
    let row = await this.row(first);
    for (const label of below) {
      await row.expand();
      row = await this.#child(row, label);
    }
    return row;
  }

  /** A row directly below another row. Rows elsewhere in the tree may have the same label. */
  async #child(parent: TreeRow, label: string | RegExp): Promise<TreeRow> {
    const pattern = exactly(label);
    const find = async (): Promise<string | undefined> => {
      const above = await parent.locator.getAttribute("data-index", { timeout: 2000 });
      const rows = (await this.#drawnRows()).filter(({ index }) => index >= Number(above));
      const level = (rows[0]?.level ?? 0) + 1;
      const end = rows.findIndex((row, position) => position > 0 && row.level < level);
      const children = rows.slice(1, end === -1 ? undefined : end);
      return children.find((row) => row.level === level && pattern.test(row.label))?.index.toString();
    };
    const index = await waitForSame(`a row ${label} below ${parent.name}`, find, {
      describe: async () => JSON.stringify(await this.rows()),
    });
    const all = this.#locateAll(label);
    // If a row above is added or removed, the index of the row changes, so it identifies the row only if there are
    // several.
    const locator = (await all.count()) === 1 ? all : all.and(this.page.locator(`[data-index="${index}"]`));
    return new TreeRow(this.page, locator.first(), `${label} in ${this.name}`);
  }

  #locate(label: string | RegExp): Locator {
    return this.#locateAll(label).first();
  }

  #locateAll(label: string | RegExp): Locator {
    return this.container
      .locator(".monaco-list-row")
      .filter({ has: this.page.locator(".label-name").filter({ hasText: exactly(label) }) });
  }
}

export class TreeRow {
  readonly page: Page;
  readonly locator: Locator;
  readonly name: string;

  constructor(page: Page, locator: Locator, name: string) {
    this.page = page;
    this.locator = locator;
    this.name = name;
  }

  /** Clicks the row. The click is repeated if the row was rendered again between press and release. */
  async click(): Promise<void> {
    await waitFor(`a click on the row ${this.name}`, async () => {
      await clickWhereItStays(this.#label());
      return true;
    });
  }

  async doubleClick(): Promise<void> {
    await waitFor(`a double-click on the row ${this.name}`, async () => {
      await hoverNow(this.#label());
      await this.#label().dblclick();
      return true;
    });
  }

  async isExpanded(): Promise<boolean> {
    return (await this.locator.getAttribute("aria-expanded")) === "true";
  }

  async expand(): Promise<void> {
    await repeatUntil(
      `the row ${this.name} to expand`,
      () => clickNow(this.#twistie()),
      () => this.isExpanded(),
    );
  }

  async collapse(): Promise<void> {
    await repeatUntil(
      `the row ${this.name} to collapse`,
      () => clickNow(this.#twistie()),
      async () => !(await this.isExpanded()),
    );
  }

  async description(): Promise<string> {
    const description = this.locator.locator(".label-description");
    return (await description.count()) === 0 ? "" : ((await description.first().textContent()) ?? "").trim();
  }

  /** The name that a screen reader announces. */
  async accessibleName(): Promise<string> {
    return (await this.locator.getAttribute("aria-label")) ?? "";
  }

  /** Titles of the actions on the row itself. */
  async inlineActions(): Promise<string[]> {
    await hoverOver(`the row ${this.name}`, this.locator);
    return this.locator
      .locator(".actions .action-label")
      .evaluateAll((elements) => elements.map((element) => element.getAttribute("aria-label") ?? ""));
  }

  async clickInlineAction(title: string): Promise<void> {
    const action = this.locator.locator(`.actions .action-label[aria-label^="${title}"]`).first();
    await clickUnderHover(`the action ${title} on the row ${this.name}`, this.locator, action, async () =>
      JSON.stringify(await this.inlineActions()),
    );
  }

  /**
   * Opens the row's menu. If rows moved under the mouse, the menu is that of another row: the clicked row has the focus.
   * That menu is closed, and the click is repeated.
   */
  async openContextMenu(): Promise<ContextMenu> {
    return waitFor(`the menu of ${this.name}`, async () => {
      const click = (): Promise<void> => clickNow(this.#label(), { button: "right", timeout: 5000 });
      const menu = await ContextMenu.opened(this.page, this.name, click);
      const hasFocus = await this.locator.evaluate((row) => row.matches(".focused, .passive-focused"), undefined, {
        timeout: readingTakes,
      });
      if (hasFocus) return menu;
      await menu.dismiss();
      return undefined;
    });
  }

  async chooseFromContextMenu(...titles: readonly string[]): Promise<void> {
    const menu = await this.openContextMenu();
    await menu.choose(...titles);
  }

  /**
   * The text of the hover card, with single spaces, once it contains this part. The mouse stays on the row. If no card
   * appears, the mouse is moved again, because the row may have been rendered again. Other cards can stay visible,
   * because a busy window shows them late.
   */
  async tooltip(part: string): Promise<string> {
    const cards = this.page.locator(".monaco-hover:not(.hidden):visible");
    const texts = async (): Promise<string[]> =>
      (await cards.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
    let hoverAgainAt = 0;
    return waitFor(
      `the tooltip of ${this.name} with ${part}`,
      async () => {
        if (Date.now() >= hoverAgainAt) {
          await this.page.mouse.move(5, 5);
          await hoverNow(this.#label());
          hoverAgainAt = Date.now() + 15_000;
        }
        return (await texts()).find((text) => text.includes(part));
      },
      { describe: async () => JSON.stringify(await texts()) },
    );
  }

  #label(): Locator {
    return this.locator.locator(".label-name").first();
  }

  #twistie(): Locator {
    return this.locator.locator(".monaco-tl-twistie");
  }
}
