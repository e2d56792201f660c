import type { MessageFromPage, MessageToPage } from "../messages.ts";
import type { RendererContext } from "./editor-renderers.ts";

/** The connection between this page and the extension. Messages name their page, because all pages receive them. */
export class PageLink {
  readonly #name = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");
  readonly #context: RendererContext;

  constructor(context: RendererContext, listener: (content: MessageToPage["content"]) => void) {
    this.#context = context;
    context.onDidReceiveMessage?.((message) => {
      const { page, content } = message as MessageToPage;
      if (page === this.#name) {
        listener(content);
      }
    });
  }

  send(content: MessageFromPage["content"]): void {
    const message: MessageFromPage = { page: this.#name, content };
    this.#context.postMessage?.(message);
  }
}
