import type { Locator, Page } from "playwright-core";
import { clickNow, clickUnderHover, exactly, repeatUntil, waitFor } from "./waiting.ts";

/** The notifications at the lower right of the window, including those that are only in the notification center. */
export class Notifications {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Texts of all notifications. If there are any, their list stays open. */
  async texts(): Promise<string[]> {
    await this.#openList();
    const shown = await this.#items().locator(".notification-list-item-message").allInnerTexts();
    if (shown.length === 0) await this.#closeList();
    return [...new Set(shown)].map((text) => text.trim());
  }

  /** Waits for a notification that contains the text. */
  async waitFor(text: string | RegExp, seconds?: number): Promise<Notification> {
    const item = this.#items()
      .filter({ has: this.page.locator(".notification-list-item-message").filter({ hasText: text }) })
      .first();
    const looksAgainAt = Date.now() + 2000;
    await waitFor(
      `a notification ${text}`,
      async () => {
        if (await item.isVisible()) return true;
        // An editor that is driven by tests shows no toasts, and a toast disappears after some seconds. The list has all.
        if (Date.now() < looksAgainAt && (await this.#newMark().count()) === 0) return false;
        await this.#openList();
        return item.isVisible();
      },
      {
        ...(seconds === undefined ? {} : { seconds }),
        describe: async () => JSON.stringify(await this.texts()),
      },
    );
    return new Notification(this.page, item);
  }

  /** Waits until no notification contains this text anymore, such as one with progress. */
  async waitForNone(text: string | RegExp, seconds?: number): Promise<void> {
    const message = this.#items().locator(".notification-list-item-message").filter({ hasText: text });
    await waitFor(
      `the notification ${text} to go`,
      async () => (await message.count()) === 0,
      seconds === undefined ? {} : { seconds },
    );
  }

  async dismissAll(): Promise<void> {
    await this.#openList();
    for (let left = 20; left > 0 && (await this.#items().count()) > 0; left -= 1) {
      const item = this.#items().first();
      await item.hover({ timeout: 1000 }).catch(() => {});
      await item
        .locator(".codicon-notifications-clear")
        .click({ timeout: 1000 })
        .catch(() => {});
    }
    await this.#closeList();
  }

  #list(): Locator {
    return this.page.locator(".notifications-center.visible");
  }

  #bell(): Locator {
    return this.page.locator(".statusbar-item").filter({ has: this.page.locator("[class*=codicon-bell]") });
  }

  /** The bell's mark while there are notifications that were not shown yet. */
  #newMark(): Locator {
    return this.page.locator(".statusbar-item [class*=codicon-bell][class*=-dot]");
  }

  async #openList(): Promise<void> {
    await this.#toggleList(true);
  }

  async #closeList(): Promise<void> {
    await this.#toggleList(false);
  }

  async #toggleList(isOpen: boolean): Promise<void> {
    await repeatUntil(
      `the list of notifications to be ${isOpen ? "open" : "closed"}`,
      () => clickNow(this.#bell().first()),
      async () => (await this.#list().count()) > 0 === isOpen,
    );
  }

  #items(): Locator {
    return this.page.locator(
      ".notifications-toasts.visible .notification-list-item, .notifications-center.visible .notification-list-item",
    );
  }
}

export class Notification {
  readonly page: Page;
  readonly locator: Locator;

  constructor(page: Page, locator: Locator) {
    this.page = page;
    this.locator = locator;
  }

  async text(): Promise<string> {
    return (await this.locator.locator(".notification-list-item-message").innerText()).trim();
  }

  /** Titles of its buttons. */
  async actions(): Promise<string[]> {
    return this.#buttons().allInnerTexts();
  }

  async click(action: string): Promise<void> {
    // The buttons of a notification appear when it is fully visible.
    const button = this.#buttons()
      .filter({ hasText: exactly(action) })
      .first();
    await clickUnderHover(`the button ${action} on the notification`, this.locator, button, async () =>
      JSON.stringify(await this.actions()),
    );
  }

  /** Clicks a link in its text. */
  async clickLink(label: string): Promise<void> {
    const link = this.locator.locator(".notification-list-item-message a").filter({ hasText: exactly(label) });
    await clickUnderHover(`the link ${label} in the notification`, this.locator, link.first());
  }

  async dismiss(): Promise<void> {
    const button = this.locator.locator(".codicon-notifications-clear");
    await clickUnderHover("the button that puts the notification away", this.locator, button);
  }

  #buttons(): Locator {
    return this.locator.locator(".notification-list-item-buttons-container .monaco-button");
  }
}
