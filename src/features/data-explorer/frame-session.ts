import * as z from "zod/mini";
import type { Companion } from "../../api/companion/companion.ts";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import {
  closeFrame,
  copyFrameRows,
  type FrameView,
  frameCode,
  type OpenedFrame,
  openFrame,
  prepareFrameView,
  readFrameCell,
  readFramePage,
  summarizeFrameColumn,
} from "../../api/companion/operations/frames.ts";
import { errorMessage } from "../../api/error-message.ts";
import { LatestRequest } from "../../api/latest-request.ts";
import { failureText, isOutdated } from "./failure-text.ts";
import type { FrameOrigin } from "./frame-origin.ts";
import { type PageRequest, type PanelMessage, pageMessage, type SourceAction } from "./messages.ts";

/** Milliseconds after which a page, and after which a view or a summary is given up. */
const pageTimeoutMs = 20_000;
const viewTimeoutMs = 600_000;
/** Rows above which a filtered or sorted view isn't computed again after each cell. */
const maxRefreshedRows = 1_000_000;
/** How often a frame is opened again in a row because it has changed meanwhile. */
const maxReopened = 3;

export const plainView: FrameView = { filters: [], sorting: [], search: "" };

interface SessionParts {
  readonly origin: Pick<FrameOrigin, "name" | "parameters" | "companion">;
  /** What can be done if nothing can be shown. */
  readonly actions: Extract<PanelMessage, { readonly type: "failed" }>["actions"];
  readonly post: (message: PanelMessage) => void;
  readonly copy: (text: string) => Thenable<void>;
  readonly runAction: (action: SourceAction) => void;
  readonly warn: (text: string) => void;
}

interface OpenFrame {
  readonly companion: Companion;
  readonly frame: OpenedFrame;
}

/** What one tab shows: an open frame of the origin, and the requests of the page. Replies of an earlier frame are dropped. */
export class FrameSession {
  readonly #parts: SessionParts;
  readonly #requests = new Map<number, AbortController>();
  readonly #opening = new LatestRequest();
  #open: OpenFrame | undefined;
  #view = plainView;
  #reopened = 0;
  #isDisposed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Handles a message of the page. Ignores what isn't one. */
  handle(received: unknown): void {
    const { data } = z.safeParse(pageMessage, received);
    if (data?.type === "open") {
      this.#view = data.view;
      this.#reopened = 0;
      void this.#openFrame();
    } else if (data?.type === "cancel") {
      this.#requests.get(data.id)?.abort();
    } else if (data?.type === "sourceAction") {
      this.#parts.runAction(data.action);
    } else if (data !== undefined && data.type !== "connect") {
      // The tab connects with each message.
      void this.#reply(data);
    }
  }

  /** Reads the data again after it may have changed. A large view waits for the user. */
  refresh(): void {
    const { filters, sorting, search } = this.#view;
    const isPlain = filters.length === 0 && sorting.length === 0 && search === "";
    if (isPlain || (this.#open?.frame.rows ?? 0) <= maxRefreshedRows) {
      void this.#openFrame();
    } else {
      this.#parts.post({ type: "outdated" });
    }
  }

  /** Shows that the data is lost. */
  fail(text: string): void {
    this.#end();
    this.#parts.post({ type: "failed", text, actions: this.#parts.actions });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  #end(): void {
    this.#opening.cancel();
    for (const abort of this.#requests.values()) {
      abort.abort();
    }
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined && open.companion.end === undefined) {
      open.companion.request(closeFrame, { id: open.frame.id }, { timeoutMs: pageTimeoutMs }).catch(() => {});
    }
  }

  async #openFrame(): Promise<void> {
    this.#end();
    const { origin, post, warn } = this.#parts;
    const signal = this.#opening.begin();
    post({ type: "opening" });
    try {
      const companion = await origin.companion(signal);
      const open = (view: FrameView): Promise<OpenedFrame> =>
        companion.request(openFrame, { ...origin.parameters, view }, { signal, timeoutMs: viewTimeoutMs });
      let view = this.#view;
      const frame = await open(view).catch((error: unknown) => {
        // The frame has other columns than those of the view.
        if (
          signal.aborted ||
          !(error instanceof CompanionOperationError) ||
          !["changed", "invalid"].includes(error.kind)
        ) {
          throw error;
        }
        view = plainView;
        return open(view);
      });
      if (signal.aborted) {
        return;
      }
      this.#view = view;
      this.#open = { companion, frame };
      post({ type: "opened", frame, view });
    } catch (error) {
      if (!signal.aborted) {
        warn(`${origin.name}: ${errorMessage(error)}`);
        post({ type: "failed", text: failureText(error, origin.name), actions: this.#parts.actions });
      }
    }
  }

  async #reply(request: PageRequest): Promise<void> {
    const open = this.#open;
    if (open === undefined) {
      return;
    }
    const abort = new AbortController();
    this.#requests.set(request.id, abort);
    const { post, warn, origin } = this.#parts;
    try {
      const reply = await this.#perform(open, request, abort.signal);
      if (this.#open === open && !abort.signal.aborted) {
        this.#reopened = 0;
        post(reply);
      }
    } catch (error) {
      if (this.#open !== open || abort.signal.aborted || this.#isDisposed) {
        return;
      }
      if (isOutdated(error) && this.#reopened < maxReopened) {
        this.#reopened += 1;
        await this.#openFrame();
        return;
      }
      warn(`${origin.name}: ${errorMessage(error)}`);
      post({ type: "error", id: request.id, text: failureText(error, origin.name) });
    } finally {
      this.#requests.delete(request.id);
    }
  }

  async #perform({ companion, frame }: OpenFrame, request: PageRequest, signal: AbortSignal): Promise<PanelMessage> {
    const { id, view } = request;
    const shown = { id: frame.id, view };
    const short = { signal, timeoutMs: pageTimeoutMs };
    const long = { signal, timeoutMs: viewTimeoutMs };
    switch (request.type) {
      case "page":
        return { type: "page", id, page: await companion.request(readFramePage, { ...request, ...shown }, short) };
      case "view": {
        const prepared = await companion.request(prepareFrameView, shown, long);
        signal.throwIfAborted();
        this.#view = view;
        return { type: "view", id, shown: prepared.shown };
      }
      case "summary": {
        const { column } = request;
        return {
          type: "summary",
          id,
          summary: await companion.request(summarizeFrameColumn, { ...shown, column }, long),
        };
      }
      case "cell":
      case "copyCell": {
        const { row, column } = request;
        const cell = await companion.request(readFrameCell, { ...shown, row, column }, short);
        if (request.type === "cell") {
          return { type: "cell", id, cell };
        }
        await this.#parts.copy(cell.text);
        return { type: "copied", id };
      }
      case "copyRows":
        await this.#parts.copy((await companion.request(copyFrameRows, { ...request, ...shown }, long)).text);
        return { type: "copied", id };
      case "copyCode":
        await this.#parts.copy((await companion.request(frameCode, shown, short)).code);
        return { type: "copied", id };
    }
  }
}
