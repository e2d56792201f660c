import type { PageMessage, PageRequest, PanelMessage } from "../messages.ts";

/** A message that gets a reply, before it has an id. */
export type NewRequest = PageRequest extends infer Request
  ? Request extends PageRequest
    ? Omit<Request, "id">
    : never
  : never;

/** What waits for a reply: one of both is called, once. */
interface WaitingRequest {
  readonly onReply: (message: PanelMessage) => void;
  readonly onError: (text: string) => void;
}

/** The messages of the page that wait for a reply of the extension, by id. */
export class PanelRequests {
  readonly #post: (message: PageMessage) => void;
  readonly #waiting = new Map<number, WaitingRequest>();
  #last = 0;

  constructor(post: (message: PageMessage) => void) {
    this.#post = post;
  }

  /** Number of messages without a reply. */
  get size(): number {
    return this.#waiting.size;
  }

  /** True if another message than this one waits for a reply. */
  hasOthers(id: number | undefined): boolean {
    return [...this.#waiting.keys()].some((one) => one !== id);
  }

  /** Sends a message. Returns its id. */
  send(request: NewRequest, waiting: WaitingRequest): number {
    this.#last += 1;
    this.#waiting.set(this.#last, waiting);
    this.#post({ ...request, id: this.#last } as PageRequest);
    return this.#last;
  }

  /** Ends a message that has its reply now. Undefined if that is no longer wanted. */
  take(id: number): WaitingRequest | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** Cancels a message, unless it has its reply. */
  cancel(id: number): void {
    if (this.#waiting.delete(id)) {
      this.#post({ type: "cancel", id });
    }
  }

  /** Forgets all messages, which get no reply. */
  clear(): void {
    this.#waiting.clear();
  }
}
