import { LRUCache } from "lru-cache";
import type { Subscription } from "../../../api/kernels/connection/connection.ts";
import type { WidgetEvent, WidgetSession } from "../../../api/kernels/widgets/widget-session.ts";
import type { MessageToPage, PageEvent } from "./messages.ts";
import { decoded, pageEvent, pageModel } from "./page-messages.ts";

/**
 * Maximum number of events that wait for a page. Beyond it, a single event with the state of all widgets replaces them.
 */
const maxWaiting = 2000;
/** Maximum number of the page's messages that are not handled yet. */
const maxSent = 10_000;

export interface WidgetPageParts {
  /** Resolves when the page has received the message; with false if the page no longer exists. */
  readonly post: (content: MessageToPage["content"]) => PromiseLike<boolean>;
  readonly onGone: () => void;
  readonly onError: (error: unknown) => void;
  /** Called if a message of the page can't be sent, for example because it is too large. */
  readonly onRefused: (error: unknown) => void;
  /** Shown for widgets whose kernel ended. */
  readonly endedText: string;
}

/** A page that shows the widgets of a notebook. Sends it events in order, as fast as the page can take them. */
export class WidgetPage implements Subscription {
  readonly #parts: WidgetPageParts;
  /** The page's own message ids, by `msg_id`. */
  readonly #sent = new LRUCache<string, string>({ max: maxSent });
  #waiting: PageEvent[] = [];
  #isPosting = false;
  #session: WidgetSession | undefined;
  #subscription: Subscription | undefined;

  constructor(parts: WidgetPageParts) {
    this.#parts = parts;
  }

  get session(): WidgetSession | undefined {
    return this.#session;
  }

  /** Shows the widgets of this kernel from now on. */
  async attach(session: WidgetSession): Promise<void> {
    if (this.#session === session) {
      return;
    }
    if (this.#session !== undefined) {
      this.detach();
      this.push({ type: "unavailable", text: this.#parts.endedText });
    }
    this.#session = session;
    this.#subscription = session.listen((event) => this.#take(event));
    this.push({ type: "models", models: session.models.map(pageModel) });
    await session.read();
    if (this.#session === session) {
      this.push({ type: "complete" });
    }
  }

  /** Stops sending events of the kernel to the page. */
  detach(): void {
    this.#subscription?.dispose();
    this.#subscription = undefined;
    this.#session = undefined;
    for (const id of this.#sent.values()) {
      this.push({ type: "handled", id });
    }
    this.#sent.clear();
  }

  /**
   * Sends a message of the page to the kernel. If the kernel does not have the widget, reports the message as handled.
   */
  send(id: string, commId: string, data: Readonly<Record<string, unknown>>, buffers: readonly string[]): void {
    let messageId: string | undefined;
    try {
      messageId = this.#session?.send(commId, data, buffers.map(decoded));
    } catch (error) {
      this.#parts.onRefused(error);
    }
    if (messageId === undefined) {
      this.push({ type: "handled", id });
      return;
    }
    this.#sent.set(messageId, id);
  }

  push(event: PageEvent): void {
    this.#waiting.push(event);
    const session = this.#session;
    if (this.#waiting.length > maxWaiting && session !== undefined) {
      // The page is too slow. Send the current state instead of all changes.
      const ends = this.#waiting.filter(({ type }) => type !== "message" && type !== "models");
      this.#waiting = [{ type: "models", models: session.models.map(pageModel) }, ...ends];
    }
    if (!this.#isPosting) {
      this.#isPosting = true;
      this.#post().catch(this.#parts.onError);
    }
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#subscription = undefined;
    this.#session = undefined;
    this.#waiting = [];
  }

  async #post(): Promise<void> {
    try {
      // Collect the events of the same tick.
      await Promise.resolve();
      while (this.#waiting.length > 0) {
        const events = this.#waiting;
        this.#waiting = [];
        if (!(await this.#parts.post({ type: "events", events }))) {
          this.#parts.onGone();
          return;
        }
      }
    } finally {
      this.#isPosting = false;
    }
  }

  #take(event: WidgetEvent): void {
    switch (event.type) {
      case "comm": {
        const { parentId } = event.message;
        this.push(pageEvent(event.message, parentId === undefined ? undefined : this.#sent.get(parentId)));
        return;
      }
      case "models":
        this.push({ type: "models", models: event.models.map(pageModel) });
        return;
      case "handled": {
        const id = this.#sent.get(event.messageId);
        if (id !== undefined) {
          this.#sent.delete(event.messageId);
          this.push({ type: "handled", id });
        }
        return;
      }
      case "ended":
        this.push({ type: "unavailable", text: this.#parts.endedText });
    }
  }
}
