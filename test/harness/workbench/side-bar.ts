import type { Locator, Page } from "playwright-core";
import { ContextMenu } from "./context-menu.ts";
import { Tree } from "./tree.ts";
import {
  clickNow,
  clickOnce,
  clickUnderHover,
  exactly,
  hoverNow,
  hoverOver,
  readingTakes,
  repeatUntil,
  shownText,
  waitFor,
} from "./waiting.ts";

/** The activity bar and the side bar next to it. */
export class SideBar {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Titles of the view containers in the activity bar. */
  async containers(): Promise<string[]> {
    return this.#tabs().evaluateAll((elements) =>
      elements.map((element) => element.querySelector(".action-label")?.getAttribute("aria-label") ?? ""),
    );
  }

  /** Shows a view container by its title, such as `Explorer`, unless it is visible already. */
  async open(title: string): Promise<void> {
    const name = JSON.stringify(title);
    const label = this.page.locator(
      `.action-label[aria-label=${name}], .action-label[aria-label^=${JSON.stringify(`${title} `)}]`,
    );
    const item = this.#tabs().filter({ has: label }).first();
    const shown = async (): Promise<boolean> =>
      (await item.getAttribute("aria-selected", { timeout: readingTakes })) === "true" &&
      (await this.#part().isVisible());
    await repeatUntil(`the view container ${title} to show`, () => clickNow(item), shown, {
      describe: async () => JSON.stringify(await this.containers()),
    });
    // Moves the mouse off the activity bar, whose hover would cover the view's rows.
    const size = this.page.viewportSize();
    if (size !== null) await this.page.mouse.move(size.width / 2, size.height / 2);
  }

  /** Titles of the visible views. */
  async views(): Promise<string[]> {
    return this.#part()
      .locator(".pane-header .title")
      .evaluateAll((elements) => elements.map((element) => element.textContent?.trim() ?? ""));
  }

  /** Collapses views of the visible container, by their titles, to make room for the others. */
  async collapse(...titles: readonly string[]): Promise<void> {
    for (const title of titles) await toggle(this.#paneOf(title).locator(".pane-header").first(), title, "false");
  }

  /** A view of the visible container, by its title. Expands it if it is collapsed. */
  async view(title: string): Promise<View> {
    const panes = this.#part().locator(".pane");
    const pane = this.#paneOf(title);
    const found = await waitFor(
      `a view ${title} in the side bar`,
      async () => {
        if ((await pane.count()) > 0) return pane;
        // If a container has only one view, the side bar's title contains the view's title.
        const merged = await shownText(this.#part().locator(".composite.title .title-label"));
        const fits = merged.toLowerCase().endsWith(title.toLowerCase());
        return fits && (await panes.count()) === 1 ? panes.first() : undefined;
      },
      { describe: async () => JSON.stringify(await this.views()) },
    );
    const header = found.locator(".pane-header").first();
    if (await header.isVisible()) await toggle(header, title, "true");
    return new View(this.page, found, title);
  }

  #part(): Locator {
    return this.page.locator(".part.sidebar");
  }

  #paneOf(title: string): Locator {
    const name = this.page.locator(".pane-header .title", { hasText: exactly(title) });
    return this.#part().locator(".pane").filter({ has: name }).first();
  }

  #tabs(): Locator {
    return this.page.locator(".part.activitybar").getByRole("tab");
  }
}

/** A view: its tree, its welcome content, and its title actions. */
export class View {
  readonly page: Page;
  readonly pane: Locator;
  readonly title: string;
  readonly tree: Tree;

  constructor(page: Page, pane: Locator, title: string) {
    this.page = page;
    this.pane = pane;
    this.title = title;
    this.tree = new Tree(page, pane.locator(".pane-body"), `the view ${title}`);
  }

  /** The text in place of an empty tree. */
  async welcomeText(): Promise<string> {
    const welcome = this.pane.locator(".welcome-view-content");
    return waitFor(`the welcome content of ${this.title}`, async () => {
      const text = await shownText(welcome);
      return text === "" ? undefined : text;
    });
  }

  async waitForMessage(text: string | RegExp): Promise<void> {
    await waitFor(
      `the message ${text} in ${this.title}`,
      async () => {
        const message = await this.message();
        return typeof text === "string" ? message.includes(text) : text.test(message);
      },
      { describe: () => this.message() },
    );
  }

  async clickWelcomeButton(label: string): Promise<void> {
    const button = this.pane.locator(".welcome-view-content .monaco-button", { hasText: exactly(label) });
    await clickOnce(`the button ${label} of the empty view`, button);
  }

  /** The message above the tree, such as an active filter; empty if there is none. */
  async message(): Promise<string> {
    return shownText(this.pane.locator(".message"));
  }

  /** Titles of the icons in the view's title. */
  async titleActions(): Promise<string[]> {
    const header = this.pane.locator(".pane-header");
    // The only view of a container has its icons in the container's title.
    const part = this.pane.locator("xpath=ancestor::*[contains(concat(' ', @class, ' '), ' part ')]");
    const merged = part.locator(".composite.title .action-label:visible");
    const isMerged = !(await header.isVisible());
    if (!isMerged) await hoverOver(`the title of ${this.title}`, header);
    return (isMerged ? merged : header.locator(".actions .action-label")).evaluateAll((elements) =>
      elements.map((element) => element.getAttribute("aria-label") ?? ""),
    );
  }

  /** Opens the `…` menu in the view's title; undefined if the title has none. */
  async openTitleMenu(): Promise<ContextMenu | undefined> {
    const header = this.pane.locator(".pane-header");
    await hoverOver(`the title of ${this.title}`, header);
    const more = header.locator(".actions .codicon-toolbar-more");
    if ((await more.count()) === 0) return undefined;
    return ContextMenu.opened(this.page, `the title of ${this.title}`, async () => {
      await hoverNow(header);
      await clickNow(more);
    });
  }

  /** Clicks an action in the view's title, such as Refresh. */
  async clickTitleAction(title: string): Promise<void> {
    const selector = `.action-label[aria-label^="${title}"]`;
    const own = this.pane.locator(`.pane-header ${selector}`);
    const merged = this.page.locator(`.part:is(.sidebar, .panel) .composite.title ${selector}:visible`);
    const action = own.or(merged).first();
    // The card of a row that a busy window shows late can stay over the rows.
    const header = this.pane.locator(".pane-header:visible");
    const area = (await header.count()) > 0 ? header : this.pane;
    await clickUnderHover(`the action ${title} in the title of ${this.title}`, area, action);
  }
}

/** Clicks a view's header until the view is expanded (`true`) or collapsed (`false`). */
function toggle(header: Locator, title: string, expanded: "true" | "false"): Promise<void> {
  return repeatUntil(
    `the view ${title} to ${expanded === "true" ? "expand" : "collapse"}`,
    () => clickNow(header),
    async () => (await header.getAttribute("aria-expanded", { timeout: readingTakes })) === expanded,
  );
}
