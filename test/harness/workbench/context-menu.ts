import type { Locator, Page } from "playwright-core";
import { waitFor } from "./waiting.ts";

/** The menu that a right click or a `…` button opened. */
export class ContextMenu {
  readonly page: Page;
  readonly name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
  }

  /** Titles from top to bottom. */
  async titles(): Promise<string[]> {
    await waitFor(`the menu of ${this.name}`, async () => (await this.#items().count()) > 0);
    return this.#items().evaluateAll((elements) =>
      elements.map((element) => element.querySelector(".action-label")?.textContent?.trim() ?? ""),
    );
  }

  /** Chooses an entry; more than one title goes through submenus. */
  async choose(...titles: readonly string[]): Promise<void> {
    for (const [index, title] of titles.entries()) {
      const item = this.#items().filter({ has: this.page.getByText(title, { exact: true }) });
      await waitFor(`${title} in the menu of ${this.name}`, async () => (await item.count()) > 0, {
        describe: async () => JSON.stringify(await this.titles()),
      });
      await item.last().hover();
      if (index === titles.length - 1) await item.last().click();
      else await item.last().press("ArrowRight");
    }
    await waitFor(`the menu of ${this.name} to close`, async () => (await this.#items().count()) === 0);
  }

  async dismiss(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await waitFor(`the menu of ${this.name} to close`, async () => (await this.#items().count()) === 0);
  }

  #items(): Locator {
    return this.page.locator(".monaco-menu .action-item:not(.disabled) .action-menu-item:visible");
  }
}
