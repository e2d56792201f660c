import * as z from "zod/mini";
import { phrase } from "../phrase.ts";
import { CompanionLostError, invalidReply } from "./errors.ts";
import type { CompanionOperation, PushOf } from "./operation.ts";

const push = z.object({ id: z.string().check(z.maxLength(200)), number: z.int(), value: z.unknown() });

/** Called for each push, in order. */
export type PushListener<Operation extends CompanionOperation> = (
  value: PushOf<Operation>,
  buffers: readonly Uint8Array[],
) => void;

/** A request or subscription that receives pushes. */
export interface PushReceiver {
  /** Number of the last push. */
  readonly received: number;
  /** Set if a push got lost, or is invalid. No later one is passed on. */
  readonly failure: Error | undefined;
  /** Called for a failure of a subscription. Undefined for a request, which fails with its reply. */
  onFailure: ((error: Error) => void) | undefined;
}

interface Receiver extends PushReceiver {
  received: number;
  failure: Error | undefined;
  readonly onPush: (value: unknown, buffers: readonly Uint8Array[]) => void;
}

/**
 * The requests and subscriptions of a companion that receive pushes, by id. Pushes are numbered from 1, so that it shows
 * if one is lost.
 */
export class PushReceivers {
  readonly #receivers = new Map<string, Receiver>();

  /** Passes the pushes with this id on. A value that is not of the operation's shape fails. */
  add<Operation extends CompanionOperation>(
    id: string,
    operation: Operation,
    onPush: PushListener<Operation>,
  ): PushReceiver {
    const receiver: Receiver = {
      received: 0,
      failure: undefined,
      onFailure: undefined,
      onPush: (value, buffers) => {
        const parsed = z.safeParse(operation.push, value);
        if (!parsed.success) {
          throw invalidReply(operation.name);
        }
        onPush(parsed.data as PushOf<Operation>, buffers);
      },
    };
    this.#receivers.set(id, receiver);
    return receiver;
  }

  /** Returns false if there is no such receiver anymore. */
  delete(id: string): boolean {
    return this.#receivers.delete(id);
  }

  /**
   * Passes a push on; ignores one for nobody, and what isn't one. Ends a subscription that fails with it: calls `onEnded`
   * with its id, and then its `onFailure`.
   */
  receive(content: unknown, buffers: readonly Uint8Array[], onEnded: (id: string) => void): void {
    const parsed = z.safeParse(push, content);
    const receiver = parsed.success ? this.#receivers.get(parsed.data.id) : undefined;
    if (!parsed.success || receiver === undefined || receiver.failure !== undefined) {
      return;
    }
    const { id, number, value } = parsed.data;
    try {
      if (number !== receiver.received + 1) {
        throw lostPush();
      }
      receiver.received = number;
      receiver.onPush(value, buffers);
    } catch (error) {
      receiver.received = -1;
      receiver.failure = error instanceof Error ? error : new Error(String(error));
      if (receiver.onFailure !== undefined) {
        this.#receivers.delete(id);
        onEnded(id);
        receiver.onFailure(receiver.failure);
      }
    }
  }

  /** Ends all subscriptions: calls `onEnded` with the id of each, and then its `onFailure`. */
  failSubscriptions(error: Error, onEnded: (id: string) => void): void {
    for (const [id, { onFailure }] of [...this.#receivers]) {
      if (onFailure !== undefined) {
        this.#receivers.delete(id);
        onEnded(id);
        onFailure(error);
      }
    }
  }

  clear(): void {
    this.#receivers.clear();
  }
}

/** The error for a request of which a push has not arrived. */
export function lostPush(): CompanionLostError {
  return new CompanionLostError(phrase`A part of the companion's reply was lost.`);
}
