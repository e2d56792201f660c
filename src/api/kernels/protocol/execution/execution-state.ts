import type { ExecutionOutcome } from "../../executions/executions.ts";
import { ArrivedMessages } from "./arrived-messages.ts";
import type { InputQuestion } from "./input-question.ts";

/** What is sent. `run`: the id of the run, which is shared by all executions that are sent together. */
export interface SentRequest {
  readonly code: string;
  readonly run: string;
}

/**
 * What a restart that is under way does to an execution. `withdrawn`: the kernel must not run it, so that only
 * `aborted` ends it. `interrupted`: an error does not end it, because the server interrupts the kernel before it ends
 * its process, so whether a reply to the interrupt still arrives is chance.
 */
type Restart = "none" | "interrupted" | "withdrawn";

/** An execution that the kernel has, or may have. `socket`: the one on which it was sent; 0 for an earlier window. */
export interface InKernel {
  readonly socket: number;
  arrived: ArrivedMessages;
  restart: Restart;
  /** True if it was interrupted or canceled before it began. It is interrupted when it begins. */
  isUnwanted: boolean;
}

/** What is known of an execution in the kernel. */
export type ExecutionState =
  /** Its journal entry is being written. */
  | { readonly type: "journaling"; readonly request: SentRequest }
  /** It waits for a socket, and for the kernel to be prepared. */
  | { readonly type: "queued"; readonly request: SentRequest }
  /** In the kernel's queue. `isReceived`: a message shows that it arrived there. */
  | { readonly type: "sent"; readonly inKernel: InKernel; isReceived: boolean }
  | { readonly type: "running"; readonly inKernel: InKernel }
  | { readonly type: "waitingForInput"; readonly inKernel: InKernel; readonly question: InputQuestion }
  | {
      readonly type: "ended";
      /** Undefined if it ended in an earlier window. */
      readonly outcome: ExecutionOutcome | undefined;
      /** What has arrived since it is shown again. Undefined if its messages are not repeated. */
      arrived: ArrivedMessages | undefined;
      /** True if the sink has received the end, or is about to. */
      isReported: boolean;
    };

/** The state of an execution that was sent on this socket. */
export function sentOn(socket: number): ExecutionState {
  const inKernel: InKernel = { socket, arrived: new ArrivedMessages(), restart: "none", isUnwanted: false };
  return { type: "sent", inKernel, isReceived: false };
}
