import type { ForeignActivity } from "../../executions/executions.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import { stringField } from "../../wire/message-codec.ts";
import { eventsOf } from "../../wire/message-events.ts";
import { type Agenda, Awaited, type Steps, step } from "../agenda.ts";
import type { Delivery } from "../effect.ts";
import type { ExecutionRecord } from "./execution.ts";

/** The events that sinks and listeners have not received: one delivery at a time, with everything that has changed. */
export class Deliveries {
  readonly #agenda: Agenda;
  readonly #changed = new Set<ExecutionRecord>();
  readonly #foreign = new Map<string, { code: string | undefined; events: ForeignActivity["events"][number][] }>();
  /** What waits for the next delivery, and for the current one; undefined if none is under way. */
  #next: Awaited<void>[] = [];
  #current: Awaited<void>[] | undefined;
  /** True if somebody listens to the activity of other clients. Otherwise, their messages are not parsed. */
  hasForeignListener = false;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  /** True if events wait for the end of the delivery that is under way. */
  get areWaiting(): boolean {
    return this.#changed.size > 0 || this.#foreign.size > 0;
  }

  /** Number of executions and clients with new events, and of what waits for their delivery. */
  get size(): number {
    return this.#changed.size + this.#foreign.size + this.#next.length + (this.#current?.length ?? 0);
  }

  /** Marks an execution as changed, because it has new events. */
  touch(record: ExecutionRecord): void {
    this.#changed.add(record);
  }

  /** Takes the message of an execution of another client. */
  takeForeign(message: IncomingMessage): void {
    const parent = message.parentHeader?.msg_id;
    if (!this.hasForeignListener || parent === undefined) {
      return;
    }
    for (const event of eventsOf(message, this.#agenda.now)) {
      const batch = this.#foreign.get(parent) ?? { code: undefined, events: [] };
      this.#foreign.set(parent, batch);
      if (event.type === "started") {
        batch.code = stringField(message.content.code);
      }
      batch.events.push(event);
    }
  }

  /** Resolves when the sinks have received all events so far. */
  flushed(): Awaited<void> {
    const flushed = new Awaited<void>(this.#agenda);
    if (this.areWaiting) {
      this.#next.push(flushed);
    } else if (this.#current !== undefined) {
      this.#current.push(flushed);
    } else {
      flushed.resolve();
    }
    return flushed;
  }

  /** Waits until the sinks have received all events so far. */
  *flush(): Steps<void> {
    yield* step(this.flushed());
  }

  /**
   * Delivers what has changed, unless the last delivery is still under way. `inOrder` sorts executions, because their
   * messages can arrive out of order, and one can update a display of an earlier one.
   */
  deliver(inOrder: (records: readonly ExecutionRecord[]) => readonly ExecutionRecord[]): void {
    if (this.#current !== undefined || !this.areWaiting) {
      return;
    }
    const changed = [...this.#changed].filter(({ hasEvents }) => hasEvents);
    this.#changed.clear();
    const executions = (changed.length < 2 ? changed : inOrder(changed)).flatMap((record): Delivery[] => {
      const batch = record.takeBatch();
      const { entry, sink, outcome } = record;
      return batch === undefined ? [] : [{ messageId: entry.messageId, sink, batch, outcome }];
    });
    const foreign = [...this.#foreign].map(([messageId, { code, events }]) => ({ messageId, code, events }));
    this.#foreign.clear();
    const waiting = this.#next;
    this.#next = [];
    if (executions.length === 0 && foreign.length === 0) {
      resolveAll(waiting);
      return;
    }
    this.#current = waiting;
    this.#agenda.add({ type: "deliver", executions, foreign });
  }

  /** Handles the end of the delivery. */
  delivered(): void {
    const waiting = this.#current ?? [];
    this.#current = undefined;
    resolveAll(waiting);
  }
}

function resolveAll(waiting: readonly Awaited<void>[]): void {
  for (const one of waiting) {
    one.resolve();
  }
}
