import type { Locator, Page } from "playwright-core";
import { clickNow, clickWhereItStays, exactly, repeatUntil, shownText, waitFor } from "./waiting.ts";

/** The texts of an open quick pick or input box. */
interface ShownQuickInput {
  readonly title: string;
  readonly placeholder: string;
  /** The prompt, or the validation message in its place. */
  readonly message: string;
  readonly value: string;
  /** True if typed text is shown as dots. */
  readonly isPassword: boolean;
}

/** The quick pick or input box at the window's top. */
export class QuickInput {
  readonly page: Page;
  readonly widget: Locator;

  constructor(page: Page) {
    this.page = page;
    this.widget = page.locator(".quick-input-widget");
  }

  /** What is open now; `undefined` if nothing is. */
  async shown(): Promise<ShownQuickInput | undefined> {
    const [shown] = await this.widget.evaluateAll((widgets) =>
      widgets
        .filter((widget) => widget.checkVisibility({ visibilityProperty: true }))
        .map((widget) => {
          const textOf = (selector: string): string => {
            const found = widget.querySelector(selector);
            return found !== null && "innerText" in found && found.checkVisibility({ visibilityProperty: true })
              ? String(found.innerText).trim()
              : "";
          };
          const box = widget.querySelector(".quick-input-box input");
          return {
            title: textOf(".quick-input-title"),
            placeholder: box?.getAttribute("placeholder") ?? "",
            message: textOf(".quick-input-message"),
            value: box === null ? "" : String(Reflect.get(box, "value")),
            isPassword: box?.getAttribute("type") === "password",
          };
        }),
    );
    return shown;
  }

  async isOpen(): Promise<boolean> {
    return this.widget.isVisible();
  }

  async waitUntilOpen(seconds?: number): Promise<void> {
    await waitFor("a quick pick or input box", () => this.isOpen(), seconds === undefined ? {} : { seconds });
  }

  async waitUntilClosed(): Promise<void> {
    await waitFor("the quick pick or input box to close", async () => !(await this.isOpen()), {
      describe: () => shownText(this.widget),
    });
  }

  /** Waits until the visible box has this title, placeholder, or prompt: for flows of several steps. */
  async waitForStep(text: string | RegExp): Promise<void> {
    await waitFor(
      `a quick pick or input box with ${text}`,
      async () => {
        const shown = await this.shown();
        if (shown === undefined) return false;
        const all = `${shown.title}\n${shown.placeholder}\n${shown.message}`;
        return typeof text === "string" ? all.includes(text) : text.test(all);
      },
      { describe: async () => JSON.stringify(await this.shown()) ?? "none" },
    );
  }

  async title(): Promise<string> {
    return (await this.shown())?.title ?? "";
  }

  async placeholder(): Promise<string> {
    return (await this.shown())?.placeholder ?? "";
  }

  async message(): Promise<string> {
    return (await this.shown())?.message ?? "";
  }

  async value(): Promise<string> {
    return (await this.shown())?.value ?? "";
  }

  async isPassword(): Promise<boolean> {
    return (await this.shown())?.isPassword ?? false;
  }

  /** Replaces the text in the box. */
  async type(text: string): Promise<void> {
    await this.waitUntilOpen();
    await this.#box().fill(text);
  }

  /** Replaces the text in the box if it is open. Throws if it isn't, because an editor that opens closes it. */
  async typeNow(text: string): Promise<void> {
    await this.#box().fill(text, { timeout: 2000 });
  }

  async accept(): Promise<void> {
    await this.#box().press("Enter");
  }

  /** Types a text and accepts the input box. */
  async submit(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Enters a path in the editor's own file dialog, and waits until it is accepted. */
  async submitPath(title: string, path: string): Promise<void> {
    await this.waitForStep(title);
    await waitFor("the dialog's own path", async () => /^\/./.test(await this.value()));
    const ok = this.widget.locator(".quick-input-action .monaco-button", { hasNotText: "Show Local" }).first();
    await repeatUntil(
      `the dialog "${title}" to take ${path}`,
      async () => {
        // While it reads a folder, the dialog may replace the typed text.
        await this.typeNow(path);
        if ((await this.value()) === path) await clickNow(ok);
      },
      async () => !(await this.isOpen()) || !(await this.title()).includes(title),
      { describe: async () => JSON.stringify([await this.title(), await this.value(), await this.message()]) },
    );
  }

  async cancel(): Promise<void> {
    // Pressed in the box, because the focus may have moved.
    await repeatUntil(
      "the quick pick or input box to close",
      () => this.#box().press("Escape", { timeout: 1000 }),
      async () => !(await this.isOpen()),
      { describe: () => shownText(this.widget) },
    );
  }

  /** Labels of the rendered rows. */
  async labels(): Promise<string[]> {
    return this.#rows().evaluateAll((elements) =>
      elements.map(
        (element) => element.querySelector(".quick-input-list-label .label-name")?.textContent?.trim() ?? "",
      ),
    );
  }

  /**
   * Waits for a row with this label and clicks it once. A second click on a row that stays, such as one that turns an
   * option on, would undo the first.
   */
  async choose(label: string | RegExp, seconds?: number): Promise<void> {
    await this.waitUntilOpen();
    await waitFor(`${label} in the quick pick`, () => this.chooseIfThere(label), {
      ...(seconds === undefined ? {} : { seconds }),
      describe: async () => ((await this.isOpen()) ? JSON.stringify(await this.labels()) : "no quick pick"),
    });
  }

  /**
   * Clicks the row with this label, if it exists now. Throws if the row received no click: the list may be rendered
   * again under the mouse, or a hover may cover the row.
   */
  async chooseIfThere(label: string | RegExp): Promise<boolean> {
    const row = this.#row(label);
    if ((await row.count()) === 0) return false;
    await clickWhereItStays(row);
    return true;
  }

  /** Names of the buttons in the title bar. */
  async buttons(): Promise<string[]> {
    return this.widget
      .locator(".quick-input-titlebar .action-label")
      .evaluateAll((elements) => elements.map((element) => element.getAttribute("aria-label") ?? ""));
  }

  /** Clicks a button of the title bar, such as Back. */
  async clickButton(name: string): Promise<void> {
    await this.waitUntilOpen();
    const button = this.widget.locator(".quick-input-titlebar").getByRole("button", { name });
    await waitFor(
      `the button ${name} in the title of the quick pick or input box`,
      async () => {
        await clickWhereItStays(button);
        return true;
      },
      { describe: async () => JSON.stringify(await this.buttons()) },
    );
  }

  #box(): Locator {
    return this.widget.locator(".quick-input-box input");
  }

  #row(label: string | RegExp): Locator {
    return this.#rows()
      .filter({ has: this.page.locator(".quick-input-list-label .label-name").filter({ hasText: exactly(label) }) })
      .first();
  }

  #rows(): Locator {
    return this.widget.locator(".quick-input-list .monaco-list-row");
  }
}
