import type { Frame, Page } from "playwright-core";
import { waitFor } from "./waiting.ts";

/** The editor's Markdown preview, which is rendered in a separate frame. */
export class MarkdownPreview {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Waits until a preview contains this text, and returns all its text. */
  async waitForText(text: string | RegExp, seconds?: number): Promise<string> {
    return waitFor(
      `a Markdown preview with ${text}`,
      async () => {
        for (const shown of await this.#texts()) {
          if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return shown;
        }
        return undefined;
      },
      {
        ...(seconds === undefined ? {} : { seconds }),
        describe: async () => JSON.stringify(await this.#texts()),
      },
    );
  }

  /** Clicks a link by its text. */
  async clickLink(text: string): Promise<void> {
    const frame = await waitFor(`the link ${text} in a Markdown preview`, async () => {
      for (const one of this.#frames()) {
        const link = one.getByRole("link", { name: text, exact: true });
        if ((await link.count()) > 0 && (await link.first().isVisible())) return one;
      }
      return undefined;
    });
    await frame.getByRole("link", { name: text, exact: true }).first().click();
  }

  /** The frame of the preview that contains this text. */
  async frameWith(text: string): Promise<Frame> {
    return waitFor(`a Markdown preview with ${text}`, async () => {
      for (const frame of this.#frames()) {
        const body = frame.locator(".markdown-body", { hasText: text });
        if ((await body.count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    });
  }

  async #texts(): Promise<string[]> {
    const texts: string[] = [];
    for (const frame of this.#frames()) {
      const body = frame.locator(".markdown-body");
      // A frame that is removed meanwhile has no text.
      if ((await body.count().catch(() => 0)) > 0) texts.push(await body.innerText({ timeout: 1000 }).catch(() => ""));
    }
    return texts;
  }

  #frames(): Frame[] {
    return this.page.frames().filter((frame) => frame !== this.page.mainFrame());
  }
}
