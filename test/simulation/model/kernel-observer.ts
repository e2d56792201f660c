import type { IncomingMessage } from "../../../src/api/kernels/wire/kernel-message.ts";

/** What a kernel did with a request. `noReply`: it was interrupted before its code began, and dropped the reply. */
export type KernelOutcome = "ok" | "error" | "aborted" | "noReply";

/** Sees what really happens in a kernel. */
export interface KernelObserver {
  /** The kernel took a request to execute code from its queue. `isRecorded`: it has a recorder. */
  received(requestId: string, isRecorded: boolean): void;
  /** The code of a request began. */
  began(requestId: string): void;
  /** The kernel published output. */
  published(message: IncomingMessage): void;
  /** A request to execute code was handled. */
  finished(requestId: string, outcome: KernelOutcome): void;
  /** The kernel asks for input. */
  asked(requestId: string): void;
  /** The kernel got the input that it had asked for. */
  answered(requestId: string, value: string): void;
  /** The recorder dropped a message for the first time. */
  evicted(): void;
  /** The process ended. */
  ended(): void;
}
