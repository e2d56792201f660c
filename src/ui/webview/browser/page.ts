import type { FrameTexts, PageMessage, PageStart, PageState, PageTexts, PanelMessage } from "../messages.ts";

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

interface PageParts<Content, Choices> {
  /** Draws the content. Called again after the content was read again or the theme changed. */
  show(content: Content): void;
  /** The user's choices, which are sent with each read and saved. */
  readonly choices?: () => Choices;
}

/** The frame of a page: its heading, toolbar, and errors, and its saved state. */
export class Page<Content, Texts extends PageTexts, Choices = undefined, Action extends string = never> {
  readonly texts: Texts & FrameTexts;
  readonly tools: HTMLElement;
  readonly main: HTMLElement;
  readonly #api: EditorApi;
  readonly #subject: unknown;
  readonly #status = element("p", { role: "status", class: "status" });
  readonly #failure = element("div", { role: "alert", class: "failure" });
  readonly #live = element("div", { class: "spoken", "aria-live": "polite" });
  readonly #kept: Partial<PageState<unknown, Content, Choices>>;
  #content: Content | undefined;
  #readAt: string;
  #parts: PageParts<Content, Choices> | undefined;

  constructor() {
    this.#api = acquireVsCodeApi();
    const { subject, texts } = JSON.parse(document.body.dataset.start ?? "{}") as PageStart<unknown, Texts>;
    this.texts = texts;
    this.#subject = subject;
    this.#kept = (this.#api.getState() ?? {}) as Partial<PageState<unknown, Content, Choices>>;
    this.#content = this.#kept.content;
    this.#readAt = this.#kept.readAt ?? "";
    this.tools = element("div", { role: "toolbar", class: "tools", "aria-label": texts.title });
    this.main = element("main", {});
    document.body.replaceChildren(
      element("header", {}, element("h1", {}, texts.title), this.tools, this.#status),
      this.#failure,
      this.main,
      this.#live,
    );
  }

  /** The user's choices from before the page was hidden or reloaded. */
  get savedChoices(): Choices | undefined {
    return this.#kept.choices;
  }

  /** Shows the saved content, or requests it. */
  begin(parts: PageParts<Content, Choices>): void {
    this.#parts = parts;
    window.addEventListener("message", ({ data }: MessageEvent<PanelMessage<Content>>) => this.#receive(data));
    // When the theme changes, the editor changes the class of the body.
    new MutationObserver(() => this.#show()).observe(document.body, { attributeFilter: ["class"] });
    this.save();
    if (this.#content === undefined) {
      this.read();
    } else {
      this.#show();
    }
  }

  /** Requests the content for the current choices. */
  read(): void {
    const choices = this.#parts?.choices?.();
    this.save();
    this.#post({ type: "read", ...(choices === undefined ? {} : { choices }) });
  }

  /** Runs one of the panel's actions. */
  ask(action: Action): void {
    this.#post({ type: "action", action });
  }

  /** Announces a text to screen readers. */
  say(text: string): void {
    this.#live.textContent = text;
  }

  /** Saves the content and the choices, so that they survive hiding and reloading. */
  save(): void {
    const state: PageState<unknown, Content, Choices> = {
      subject: this.#subject,
      content: this.#content,
      readAt: this.#readAt,
      choices: this.#parts?.choices?.(),
    };
    this.#api.setState(state);
  }

  button(label: string, action: () => void): HTMLButtonElement {
    const made = element("button", { type: "button" }, label);
    made.addEventListener("click", action);
    return made;
  }

  #post(message: PageMessage<Choices, Action>): void {
    this.#api.postMessage(message);
  }

  #receive(message: PanelMessage<Content>): void {
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
        this.#content = message.content;
        this.#readAt = message.readAt;
        this.save();
        this.#show();
    }
  }

  #show(): void {
    if (this.#content !== undefined) {
      this.#status.textContent = filled(this.texts.readAt, this.#readAt);
      this.#parts?.show(this.#content);
    }
  }
}

/** Replaces `{0}` in a text. */
export function filled(text: string, value: string): string {
  return text.replace("{0}", () => value);
}

type Child = Node | string;

/** Creates an element with attributes and children. */
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

/** Creates an SVG element. */
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

/** A table whose first column has the row headers. */
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
