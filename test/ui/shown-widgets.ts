import type { Frame, Locator, Page } from "playwright-core";
import { waitFor } from "../harness/workbench/waiting.ts";

/** A slider and a button, whose description Python changes, in the output of a cell. */
export const widgetsCell = [
  "import ipywidgets as w",
  "slider = w.IntSlider(value=3, max=20, description='Amount')",
  "bar = w.IntProgress(value=3, max=20, description='Done')",
  "w.jslink((slider, 'value'), (bar, 'value'))",
  "button = w.Button(description='Press')",
  "button.on_click(lambda _: setattr(button, 'description', f'Pressed at {slider.value}'))",
  "w.VBox([slider, bar, button])",
].join("\n");

/** The widgets of `widgetsCell` in a window. */
export class ShownWidgets {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Waits until the slider has this value. */
  async waitForValue(expected: number): Promise<void> {
    await waitFor(`the slider at ${expected}`, async () => (await this.#value()) === expected);
  }

  /** Moves the slider with the keyboard. Repeats a key that the page did not receive. */
  async moveTo(expected: number): Promise<void> {
    await waitFor(`the slider to move to ${expected}`, async () => {
      const now = await this.#value();
      if (now === expected) return true;
      const handle = await this.#inOutput(".widget-slider .noUi-handle");
      await handle.press(now < expected ? "ArrowRight" : "ArrowLeft");
      return false;
    });
  }

  /**
   * Presses the button until Python has responded with this description, because the slider's value may still be on its
   * way.
   */
  async pressUntil(description: string): Promise<void> {
    await waitFor(`the button ${description}`, async () => {
      const button = await this.#inOutput(".widget-button");
      if ((await button.innerText()).trim() === description) return true;
      await button.click();
      return false;
    });
  }

  /** The frame of the output. */
  frame(): Promise<Frame> {
    return this.#frameWith(".widget-slider");
  }

  async #value(): Promise<number> {
    return Number(await (await this.#inOutput(".widget-readout")).innerText());
  }

  async #inOutput(selector: string): Promise<Locator> {
    return (await this.#frameWith(selector)).locator(selector).first();
  }

  #frameWith(selector: string): Promise<Frame> {
    return waitFor(
      `${selector} in an output`,
      async () => {
        for (const frame of this.#page.frames()) {
          // A frame that is removed meanwhile shows nothing.
          const isShown = await frame
            .locator(selector)
            .first()
            .isVisible()
            .catch(() => false);
          if (isShown) return frame;
        }
        return undefined;
      },
      { seconds: 60 },
    );
  }
}
