import type { Locator, Page } from "playwright-core";
import { clickNow, exactly, repeatUntil, shownText, waitFor } from "./waiting.ts";

/** The modal dialog. */
export class Dialog {
  readonly page: Page;
  readonly box: Locator;

  constructor(page: Page) {
    this.page = page;
    this.box = page.locator(".monaco-dialog-box");
  }

  async isOpen(): Promise<boolean> {
    return this.box.isVisible();
  }

  /** Waits for a dialog whose message or detail contains the text; returns both. */
  async waitFor(text: string | RegExp, seconds?: number): Promise<{ message: string; detail: string }> {
    return waitFor(
      `a dialog ${text}`,
      async () => {
        if (!(await this.box.isVisible())) return undefined;
        const message = await shownText(this.box.locator(".dialog-message-text"));
        const detail = await shownText(this.box.locator(".dialog-message-detail"));
        const all = `${message}\n${detail}`;
        return (typeof text === "string" ? all.includes(text) : text.test(all)) ? { message, detail } : undefined;
      },
      {
        ...(seconds === undefined ? {} : { seconds }),
        describe: async () => ((await this.isOpen()) ? await shownText(this.box) : "no dialog"),
      },
    );
  }

  /** Titles of its buttons. */
  async buttons(): Promise<string[]> {
    return this.#buttons().allInnerTexts();
  }

  /** Clicks a button and waits until the dialog is closed. */
  async click(button: string | RegExp): Promise<void> {
    const target = this.#buttons()
      .filter({ hasText: exactly(button) })
      .first();
    await waitFor(`the button ${button} in the dialog`, () => target.isVisible(), {
      describe: async () => JSON.stringify(await this.buttons()),
    });
    await repeatUntil(
      "the dialog to close",
      () => clickNow(target),
      async () => !(await target.isVisible()),
    );
  }

  async cancel(): Promise<void> {
    await repeatUntil(
      "the dialog to close",
      () => this.page.keyboard.press("Escape"),
      async () => !(await this.isOpen()),
    );
  }

  #buttons(): Locator {
    return this.box.locator(".dialog-buttons .monaco-button:not(.monaco-dropdown-button)");
  }
}
