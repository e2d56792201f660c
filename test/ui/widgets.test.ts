import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { waitFor } from "../harness/workbench/waiting.ts";
import { widgetViolations } from "./accessibility.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { inThemes, themeSettings } from "./themes.ts";

const name = "widgets.ipynb";
const sources = [
  [
    "import ipywidgets as w",
    "slider = w.IntSlider(value=3, max=20, description='Amount')",
    "bar = w.IntProgress(value=3, max=20, description='Done')",
    "w.jslink((slider, 'value'), (bar, 'value'))",
    "button = w.Button(description='Press')",
    "button.on_click(lambda _: setattr(button, 'description', f'Pressed at {slider.value}'))",
    "w.VBox([slider, bar, button])",
  ].join("\n"),
];

describe("widgets in a notebook", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: { [name]: pythonNotebook(sources) },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("are shown, and act in the kernel and in the page", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile(name);
    const editor = await workbench.editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    await shows(3);
    const frame = await frameWith(".widget-slider");
    await inThemes(window, async (theme) => {
      assert.deepEqual(await widgetViolations(frame), [], theme);
      await workbench.screenshot(`widgets-${theme}`);
    });
    await frame.getByRole("slider", { name: "Amount" }).waitFor();
    await moved(5);
    await pressed("Pressed at 5");
    await workbench.screenshot("widgets-moved");
  });

  it("are restored after a reload", async () => {
    const { workbench } = window;
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    await workbench.reload();
    await workbench.editors.notebook(name);
    await shows(5);
    await moved(6);
    await pressed("Pressed at 6");
    await workbench.screenshot("widgets-after-reload");
  });

  /**
   * Presses the button until Python has responded with this description, because the slider's value may still be on its
   * way.
   */
  async function pressed(description: string): Promise<void> {
    await waitFor(`the button ${description}`, async () => {
      const button = await inOutput(".widget-button");
      if ((await button.innerText()).trim() === description) return true;
      await button.click();
      return false;
    });
  }

  async function value(): Promise<number> {
    return Number(await (await inOutput(".widget-readout")).innerText());
  }

  async function shows(expected: number): Promise<void> {
    await waitFor(`the slider at ${expected}`, async () => (await value()) === expected);
  }

  /** Moves the slider with the keyboard. Repeats a key that the page did not receive. */
  async function moved(to: number): Promise<void> {
    await waitFor(`the slider to move to ${to}`, async () => {
      const now = await value();
      if (now === to) return true;
      const handle = await inOutput(".widget-slider .noUi-handle");
      await handle.press(now < to ? "ArrowRight" : "ArrowLeft");
      return false;
    });
  }

  /** The content of an output, in the frame of the page that contains it. */
  async function inOutput(selector: string): Promise<Locator> {
    return (await frameWith(selector)).locator(selector).first();
  }

  function frameWith(selector: string): Promise<Frame> {
    return waitFor(
      `${selector} in an output`,
      async () => {
        for (const frame of window.workbench.page.frames()) {
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
});
