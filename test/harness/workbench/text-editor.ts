import type { Locator, Page } from "playwright-core";
import { clickNow, repeatUntil, waitFor } from "./waiting.ts";

/** A visible text editor. */
export class TextEditor {
  readonly page: Page;
  readonly locator: Locator;
  readonly name: string;

  constructor(page: Page, container: Locator, name: string) {
    this.page = page;
    this.locator = container.locator(".monaco-editor").first();
    this.name = name;
  }

  async waitUntilReady(): Promise<void> {
    await waitFor(`the text editor of ${this.name}`, () => this.locator.locator(".view-lines").first().isVisible());
  }

  async focus(): Promise<void> {
    await focusIn(this.locator, this.name);
  }

  /** The rendered lines (a long file renders only the visible ones). */
  async visibleText(): Promise<string> {
    return visibleTextOf(this.locator);
  }

  async waitForText(text: string | RegExp, seconds?: number): Promise<void> {
    await waitFor(
      `the text ${text} in ${this.name}`,
      async () => {
        const seen = await this.visibleText();
        return typeof text === "string" ? seen.includes(text) : text.test(seen);
      },
      { ...(seconds === undefined ? {} : { seconds }), describe: async () => JSON.stringify(await this.visibleText()) },
    );
  }

  /** Replaces the whole text. */
  async replaceAll(text: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  /** Types at the start of the file. */
  async prepend(text: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.press("ControlOrMeta+Home");
    await this.page.keyboard.insertText(text);
  }

  /** Types at the end of the file. */
  async append(text: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.press("ControlOrMeta+End");
    await this.page.keyboard.insertText(text);
  }
}

/** Puts the cursor into a text editor. */
export async function focusIn(editor: Locator, name: string): Promise<void> {
  await repeatUntil(
    `the focus in ${name}`,
    () => clickNow(editor.locator(".view-lines").first(), { timeout: 5000 }),
    () => editor.evaluate((element) => element.matches(":focus-within")),
  );
}

/** The rendered lines of a text editor, from top to bottom. */
export async function visibleTextOf(editor: Locator): Promise<string> {
  const lines = await editor.locator(".view-lines .view-line").evaluateAll((elements) =>
    elements
      .map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent ?? "" }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text),
  );
  // The editor renders spaces as no-break spaces.
  return lines.join("\n").replace(/\u00a0/g, " ");
}
