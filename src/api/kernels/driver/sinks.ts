import type { Log } from "../../http/log.ts";
import type { ExecutionOutcome, ForeignActivity } from "../executions/executions.ts";
import type { Delivery, Effect } from "../protocol/effect.ts";

type ForeignListener = (activity: ForeignActivity) => void | Promise<void>;

/** What receives events: the sinks of executions, and the listeners of other clients' activity. */
export class Sinks {
  readonly #log: Log;
  /** The executions whose sinks have not received their end, by message id. */
  readonly #running = new Map<string, PromiseWithResolvers<ExecutionOutcome>>();
  readonly #foreign = new Set<ForeignListener>();

  constructor(log: Log) {
    this.#log = log;
  }

  get hasForeignListener(): boolean {
    return this.#foreign.size > 0;
  }

  /** Returns a function that removes the listener. */
  listenToForeign(listener: ForeignListener): () => void {
    this.#foreign.add(listener);
    return () => void this.#foreign.delete(listener);
  }

  /** Expects the ends of executions. */
  expectEnds(messageIds: readonly string[]): void {
    for (const id of messageIds) {
      this.#running.set(id, Promise.withResolvers());
    }
  }

  /** Expects the ends no more, because the executions were not accepted. */
  cancelEnds(messageIds: readonly string[]): void {
    for (const id of messageIds) {
      this.#running.delete(id);
    }
  }

  /** Resolves with the outcome when the sink has received all events. `known`: the outcome if no end is expected. */
  endOf(messageId: string, known: ExecutionOutcome): Promise<ExecutionOutcome> {
    return this.#running.get(messageId)?.promise ?? Promise.resolve(known);
  }

  /**
   * Passes events to one sink after the other, because an execution can update a display of an earlier one. Returns a
   * promise if a sink does. Never rejects.
   */
  deliver({ executions, foreign }: Extract<Effect, { readonly type: "deliver" }>): void | Promise<void> {
    return inTurn([
      ...executions.map((delivery) => () => this.#deliverOne(delivery)),
      ...foreign.map((activity) => () => this.#deliverForeign(activity)),
    ]);
  }

  #deliverOne({ messageId, sink, batch, outcome }: Delivery): void | Promise<void> {
    const failed = (error: unknown): void => this.#log.error(`output of an execution was not taken: ${String(error)}`);
    const settle = (): void => {
      if (outcome !== undefined) {
        this.#running.get(messageId)?.resolve(outcome);
        this.#running.delete(messageId);
      }
    };
    try {
      const delivery = batch.deliver(sink);
      if (delivery !== undefined) {
        return delivery.catch(failed).then(settle);
      }
    } catch (error) {
      failed(error);
    }
    settle();
  }

  async #deliverForeign(activity: ForeignActivity): Promise<void> {
    await Promise.allSettled([...this.#foreign].map(async (listener) => await listener(activity)));
  }
}

/** Runs steps one after the other. Returns a promise if one of them does. */
function inTurn(steps: readonly (() => void | Promise<void>)[], first = 0): void | Promise<void> {
  for (let index = first; index < steps.length; index += 1) {
    const done = steps[index]?.();
    if (done !== undefined) {
      return done.then(() => inTurn(steps, index + 1));
    }
  }
}
