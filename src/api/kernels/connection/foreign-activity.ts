import type { ForeignActivity } from "../executions/executions.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { stringField } from "../wire/message-codec.ts";
import { eventsOf } from "../wire/message-events.ts";

type Listener = (activity: ForeignActivity) => void | Promise<void>;

/** Reports the activity of other clients of a kernel to listeners. Without listeners, messages are not parsed. */
export class ForeignActivities {
  readonly #listeners = new Set<Listener>();
  /** The delivery of the last batches. Never rejects. */
  #delivery: Promise<void> = Promise.resolve();
  readonly #batches = new Map<string, { code: string | undefined; events: ForeignActivity["events"][number][] }>();

  listen(listener: Listener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  handle(message: IncomingMessage): void {
    const parent = message.parentHeader?.msg_id;
    if (this.#listeners.size === 0 || parent === undefined) {
      return;
    }
    for (const event of eventsOf(message)) {
      const batch = this.#batches.get(parent) ?? { code: undefined, events: [] };
      this.#batches.set(parent, batch);
      if (event.type === "started") {
        batch.code = stringField(message.content.code);
      }
      batch.events.push(event);
    }
  }

  /** Reports activity one execution at a time, because an execution can update a display of an earlier one. */
  flush(): Promise<void> | undefined {
    if (this.#batches.size === 0) {
      return undefined;
    }
    const batches = [...this.#batches];
    this.#batches.clear();
    this.#delivery = this.#delivery.then(async () => {
      for (const [messageId, { code, events }] of batches) {
        await Promise.allSettled(
          [...this.#listeners].map(async (listener) => await listener({ messageId, code, events })),
        );
      }
    });
    return this.#delivery;
  }
}
