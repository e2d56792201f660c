import type { Locator, Page } from "playwright-core";
import { clickNow, effectTakes, hoverOver, repeatUntil, waitFor } from "./waiting.ts";

/** The menu that a right-click or a `…` button opened. */
export class ContextMenu {
  readonly page: Page;
  readonly name: string;
  readonly #click: () => Promise<void>;

  private constructor(page: Page, name: string, click: () => Promise<void>) {
    this.page = page;
    this.name = name;
    this.#click = click;
  }

  /** Clicks until the menu is open, and returns it. */
  static async opened(page: Page, name: string, click: () => Promise<void>): Promise<ContextMenu> {
    const menu = new ContextMenu(page, name, click);
    await menu.#untilOpen();
    return menu;
  }

  async isOpen(): Promise<boolean> {
    return (await this.#items().count()) > 0;
  }

  /** Titles from top to bottom. */
  async titles(): Promise<string[]> {
    return waitFor(`entries in the menu of ${this.name}`, async () => {
      await this.#untilOpen();
      const titles = await this.#items().evaluateAll((elements) =>
        elements.map((element) => element.querySelector(".action-label")?.textContent?.trim() ?? ""),
      );
      return titles.length > 0 && titles;
    });
  }

  /** Chooses an entry; several titles lead through submenus. */
  async choose(...titles: readonly string[]): Promise<void> {
    for (const [index, title] of titles.entries()) {
      const item = this.#items().filter({ has: this.page.getByText(title, { exact: true }) });
      const isThere = async (): Promise<boolean> => {
        await this.#untilOpen();
        return (await item.count()) > 0;
      };
      await waitFor(`${title} in the menu of ${this.name}`, isThere, {
        describe: async () => JSON.stringify(await this.titles()),
      });
      await hoverOver(`${title} in the menu of ${this.name}`, item.last());
      if (index < titles.length - 1) await item.last().press("ArrowRight");
      // The editor ignores a click in the first 100 ms of a menu. After a click with an effect, a second one finds no menu.
      else await this.#untilClosed(() => clickNow(item.last()), 300);
    }
  }

  async dismiss(): Promise<void> {
    await this.#untilClosed(() => this.page.keyboard.press("Escape"));
  }

  /** Opens the menu again if it has closed: a toolbar that is drawn again takes its menu along. */
  #untilOpen(): Promise<void> {
    return repeatUntil(`the menu of ${this.name}`, this.#click, () => this.isOpen());
  }

  /** `repeatAfter`: milliseconds. */
  #untilClosed(act: () => Promise<void>, repeatAfter = effectTakes): Promise<void> {
    const isClosed = async (): Promise<boolean> => !(await this.isOpen());
    return repeatUntil(`the menu of ${this.name} to close`, act, isClosed, { repeatAfter });
  }

  #items(): Locator {
    return this.page.locator(".monaco-menu .action-item:not(.disabled) .action-menu-item:visible");
  }
}
