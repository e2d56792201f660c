import type { IncomingMessage } from "../wire/kernel-message.ts";
import { eventsOf } from "../wire/message-events.ts";
import type { ExecutionEvent, ExecutionSink } from "./executions.ts";

/** The events of an execution that its sink has not received yet. */
export class EventBatch {
  /** Messages with a long text are read when they are delivered, one part at a time. */
  readonly #items: (ExecutionEvent | IncomingMessage)[] = [];

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** Adds an event. Adjacent text of the same stream is combined. */
  add(event: ExecutionEvent): void {
    const last = this.#items.at(-1);
    if (event.type === "stream" && last !== undefined && isStream(last) && isContinued(last, event)) {
      this.#items[this.#items.length - 1] = { ...last, text: last.text + event.text };
    } else {
      this.#items.push(event);
    }
  }

  /** Adds the events of a stream message with a long text. */
  addLong(message: IncomingMessage): void {
    this.#items.push(message);
  }

  /** Passes the events to a sink. Waits for the sink after each part of a long text. */
  deliver(sink: ExecutionSink): void | Promise<void> {
    const events = this.#items.filter((item) => "type" in item);
    if (events.length === this.#items.length) {
      return sink.onEvents(events);
    }
    // What the cell already shows is removed from all events together.
    return events.some(({ type }) => type === "partialReplay")
      ? sink.onEvents(this.#items.flatMap((item) => ("type" in item ? item : [...eventsOf(item, 0)])))
      : this.#deliverParts(sink);
  }

  async #deliverParts(sink: ExecutionSink): Promise<void> {
    let events: ExecutionEvent[] = [];
    for (const item of this.#items) {
      if ("type" in item) {
        events.push(item);
        continue;
      }
      if (events.length > 0) {
        await sink.onEvents(events);
        events = [];
      }
      for (const event of eventsOf(item, 0)) {
        await sink.onEvents([event]);
      }
    }
    if (events.length > 0) {
      await sink.onEvents(events);
    }
  }
}

type StreamEvent = Extract<ExecutionEvent, { readonly type: "stream" }>;

/** True if the second text can be added to the first one. What the user entered stays apart. */
function isContinued(one: StreamEvent, other: StreamEvent): boolean {
  return one.name === other.name && one.echoOf === undefined && other.echoOf === undefined;
}

function isStream(item: ExecutionEvent | IncomingMessage): item is StreamEvent {
  return "type" in item && item.type === "stream";
}
