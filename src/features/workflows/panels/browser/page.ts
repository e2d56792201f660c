import type { PageMessage, PageStart, PanelContent, PanelMessage } from "../messages.ts";
import type { CommonTexts } from "../texts.ts";

interface EditorApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** What a page keeps over hide and reload. */
interface Kept<Content, Choices> {
  readonly content?: Content;
  readonly choices?: Choices;
}

export interface PageParts<Content, Choices> {
  /** Draws what was read; called again when it was read again, and when the theme changes. */
  show(content: Content): void;
  /** What is sent with a read, and kept. */
  readonly choices?: () => Choices;
}

/** The frame of a page: its heading, its tools, what goes wrong, and what it keeps. */
export class Page<Content extends PanelContent, Texts extends CommonTexts, Choices = undefined> {
  readonly texts: Texts;
  readonly tools: HTMLElement;
  readonly main: HTMLElement;
  readonly #api: EditorApi;
  readonly #subject: PageStart<Texts>["subject"];
  readonly #status = element("p", { role: "status", class: "status" });
  readonly #failure = element("div", { role: "alert", class: "failure" });
  readonly #live = element("div", { class: "spoken", "aria-live": "polite" });
  readonly #kept: Kept<Content, Choices>;
  #content: Content | undefined;
  #parts: PageParts<Content, Choices> | undefined;

  constructor(title: (texts: Texts) => string) {
    this.#api = acquireVsCodeApi();
    const start = JSON.parse(document.body.dataset.start ?? "{}") as PageStart<Texts>;
    this.texts = start.texts;
    this.#subject = start.subject;
    this.#kept = (this.#api.getState() ?? {}) as Kept<Content, Choices>;
    this.tools = element("div", { role: "toolbar", class: "tools", "aria-label": title(this.texts) });
    this.main = element("main", {});
    document.body.replaceChildren(
      element("header", {}, element("h1", {}, title(this.texts)), this.tools, this.#status),
      this.#failure,
      this.main,
      this.#live,
    );
  }

  /** What the person had chosen before the page was hidden or loaded again. */
  get keptChoices(): Choices | undefined {
    return this.#kept.choices;
  }

  /** Shows what was kept, or asks for it. */
  begin(parts: PageParts<Content, Choices>): void {
    this.#parts = parts;
    window.addEventListener("message", ({ data }: MessageEvent<PanelMessage>) => this.#take(data));
    // The editor changes the theme by the body's class.
    new MutationObserver(() => this.#show()).observe(document.body, { attributeFilter: ["class"] });
    this.#content = this.#kept.content;
    this.keep();
    if (this.#content === undefined) {
      this.read();
    } else {
      this.#show();
    }
  }

  read(): void {
    const choices = this.#parts?.choices?.();
    this.keep();
    this.#api.postMessage({ type: "read", ...(choices === undefined ? {} : { choices }) } as PageMessage);
  }

  send(message: PageMessage): void {
    this.#api.postMessage(message);
  }

  /** Says something to a screen reader. */
  say(text: string): void {
    this.#live.textContent = text;
  }

  keep(): void {
    const choices = this.#parts?.choices?.();
    this.#api.setState({ subject: this.#subject, content: this.#content, choices });
  }

  button(label: string, action: () => void): HTMLButtonElement {
    const made = element("button", { type: "button" }, label);
    made.addEventListener("click", action);
    return made;
  }

  #take(message: PanelMessage): void {
    switch (message.type) {
      case "loading":
        this.#status.textContent = this.texts.loading;
        this.#failure.replaceChildren();
        document.body.setAttribute("aria-busy", "true");
        return;
      case "failed":
        document.body.removeAttribute("aria-busy");
        this.#status.textContent = "";
        this.#failure.replaceChildren(
          element("p", {}, message.text),
          this.button(this.texts.retry, () => this.read()),
        );
        return;
      case "content":
        document.body.removeAttribute("aria-busy");
        this.#failure.replaceChildren();
        this.#content = message.content as Content;
        this.keep();
        this.#show();
    }
  }

  #show(): void {
    if (this.#content !== undefined) {
      this.#status.textContent = filled(this.texts.readAt, this.#content.readAt);
      this.#parts?.show(this.#content);
    }
  }
}

/** A text with its `{0}` filled in. */
export function filled(text: string, value: string): string {
  return text.replace("{0}", () => value);
}

type Child = Node | string;

/** An element with attributes and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The same for SVG. */
export function drawn<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** A table whose first column heads its rows. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  foot?: readonly string[],
): HTMLElement {
  const line = (cells: readonly string[]): HTMLTableRowElement =>
    element(
      "tr",
      {},
      ...cells.map((cell, index) => (index === 0 ? element("th", { scope: "row" }, cell) : element("td", {}, cell))),
    );
  return element(
    "div",
    { class: "table", role: "region", tabindex: "0", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...columns.map((column) => element("th", { scope: "col" }, column)))),
      element("tbody", {}, ...rows.map(line)),
      ...(foot === undefined ? [] : [element("tfoot", {}, line(foot))]),
    ),
  );
}
