import type { Locator, Page } from "playwright-core";
import { View } from "./side-bar.ts";
import { waitFor } from "./waiting.ts";

/** The panel below the editors. */
export class Panel {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Titles of its view containers; none while it is hidden. */
  async containers(): Promise<string[]> {
    return this.#tabs().evaluateAll((elements) =>
      elements.map((element) => element.querySelector(".action-label")?.getAttribute("aria-label") ?? ""),
    );
  }

  /** The only view of the container with this title, once the panel shows it. */
  async view(title: string): Promise<View> {
    const shown = this.page.locator(".part.panel").getByRole("tab", { name: title, selected: true });
    const pane = this.page.locator(".part.panel .pane").first();
    await waitFor(`the view ${title} in the panel`, async () => (await shown.count()) > 0 && (await pane.isVisible()), {
      describe: async () => JSON.stringify(await this.containers()),
    });
    return new View(this.page, pane, title);
  }

  #tabs(): Locator {
    return this.page.locator(".part.panel").getByRole("tab");
  }
}
