import type { Locator, Page } from "playwright-core";
import { repeatUntil, waitFor } from "./waiting.ts";

/** The menu that a right-click or a `…` button opened. */
export class ContextMenu {
  readonly page: Page;
  readonly name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
  }

  /** Clicks until the menu is open, and returns it. */
  static async opened(page: Page, name: string, click: () => Promise<void>): Promise<ContextMenu> {
    const menu = new ContextMenu(page, name);
    await repeatUntil(`the menu of ${name}`, click, () => menu.isOpen());
    return menu;
  }

  async isOpen(): Promise<boolean> {
    return (await this.#items().count()) > 0;
  }

  /** Titles from top to bottom. */
  async titles(): Promise<string[]> {
    await waitFor(`the menu of ${this.name}`, () => this.isOpen());
    return this.#items().evaluateAll((elements) =>
      elements.map((element) => element.querySelector(".action-label")?.textContent?.trim() ?? ""),
    );
  }

  /** Chooses an entry; several titles lead through submenus. */
  async choose(...titles: readonly string[]): Promise<void> {
    for (const [index, title] of titles.entries()) {
      const item = this.#items().filter({ has: this.page.getByText(title, { exact: true }) });
      await waitFor(`${title} in the menu of ${this.name}`, async () => (await item.count()) > 0, {
        describe: async () => JSON.stringify(await this.titles()),
      });
      await item.last().hover();
      if (index < titles.length - 1) await item.last().press("ArrowRight");
      // The editor ignores a click immediately after a menu has opened.
      else await this.#untilClosed(() => item.last().click({ timeout: 2000 }));
    }
  }

  async dismiss(): Promise<void> {
    await this.#untilClosed(() => this.page.keyboard.press("Escape"));
  }

  #untilClosed(act: () => Promise<void>): Promise<void> {
    return repeatUntil(`the menu of ${this.name} to close`, act, async () => !(await this.isOpen()));
  }

  #items(): Locator {
    return this.page.locator(".monaco-menu .action-item:not(.disabled) .action-menu-item:visible");
  }
}
