import type { Obstacle } from "../../obstacle.ts";
import type { Text } from "../../phrase.ts";
import type { SentComm } from "../connection/comms.ts";
import type { JournalEntry } from "../executions/execution-journal.ts";
import type { ExecutionSink } from "../executions/executions.ts";
import type { Fields, IncomingMessage } from "../wire/kernel-message.ts";

/** The result of a request for the kernel's model. `failed`: there was no usable response. */
export type KernelCheck =
  | { readonly type: "exists" }
  | { readonly type: "obstacle"; readonly obstacle: Obstacle }
  | { readonly type: "failed"; readonly obstacle: Obstacle };

/** Why the server opened no socket. `unknownKernel`: status 404, which a proxy without a route returns as well. */
export type SocketRefusal =
  | { readonly type: "unknownKernel" }
  | { readonly type: "obstacle"; readonly obstacle: Obstacle };

/** An execution to send. Its ids and its hash are the caller's, because the machine creates no random numbers. */
export interface SubmittedExecution {
  readonly entry: JournalEntry;
  readonly code: string;
  readonly stopOnError: boolean;
  /** Id of the run, shared by all executions that are submitted together. */
  readonly run: string;
  /** Receives the events. The machine only passes it on. */
  readonly sink: ExecutionSink;
}

/** A call of a user of the connection. The machine settles each `call` once, with a `settle` effect. */
export type Call =
  /** Settles with `executions` when they are in the journal. */
  | { readonly type: "execute"; readonly call: number; readonly executions: readonly SubmittedExecution[] }
  /**
   * Takes over the executions of an earlier window (`KernelProtocol.unclaimed`): those with a sink continue, all others
   * are discarded. `late`: all have ended, and only output that no window has received is shown. Settles with
   * `executions`.
   */
  | {
      readonly type: "resume";
      readonly call: number;
      readonly sinks: ReadonlyMap<string, ExecutionSink>;
      readonly late: boolean;
    }
  | { readonly type: "deleteExecutions"; readonly call: number; readonly messageIds: readonly string[] }
  | { readonly type: "interrupt"; readonly call: number }
  | { readonly type: "cancel"; readonly call: number; readonly messageId: string }
  | { readonly type: "restart"; readonly call: number }
  /** Settles at once, with `sent`, or with `failed` if the message is too large. */
  | { readonly type: "comm"; readonly call: number; readonly comm: SentComm }
  /** Settles with `reply`. */
  | {
      readonly type: "request";
      readonly call: number;
      readonly channel: "shell" | "control";
      readonly requestType: string;
      /** True if the request must not be sent again when there is no reply. */
      readonly isSentOnce: boolean;
      readonly content: Fields;
      readonly buffers?: readonly Uint8Array[];
    }
  /** Settles with `subshell`. */
  | { readonly type: "createSubshell"; readonly call: number }
  /** Settles with `text`: that of a Python expression's value. */
  | { readonly type: "evaluate"; readonly call: number; readonly expression: string }
  /** Settles when the journal has everything that is known. */
  | { readonly type: "finishWriting"; readonly call: number };

/**
 * What happens to a connection. Numbers identify what the effects have asked for: an input with a number that is no
 * longer current is ignored.
 */
export type Input =
  | Call
  /** Connects for the first time, or now instead of later. */
  | { readonly type: "retry" }
  /** Whether somebody is present. While nobody is and nothing runs, the connection rests. */
  | { readonly type: "presence"; readonly isPresent: boolean }
  /** Whether somebody listens to other clients' activity, and to outputs that widgets capture. */
  | { readonly type: "listening"; readonly foreign: boolean; readonly capturedOutput: boolean }
  | { readonly type: "deleteSubshell"; readonly subshell: string }
  | { readonly type: "inputReply"; readonly messageId: string; readonly value: string }
  | { readonly type: "dispose" }
  /** The response to `checkKernel`. */
  | { readonly type: "kernelChecked"; readonly check: number; readonly result: KernelCheck }
  /** `openSocket` succeeded. `protocol`: the WebSocket's subprotocol. */
  | { readonly type: "opened"; readonly socket: number; readonly protocol: string | undefined }
  /** `openSocket` failed. */
  | { readonly type: "refused"; readonly socket: number; readonly refusal: SocketRefusal }
  /** A socket that was open has ended, for whatever reason. */
  | { readonly type: "closed"; readonly socket: number; readonly reason: Text }
  /** Messages that arrived together, decoded, in order. Not while the protocol `isPaused`. */
  | { readonly type: "messages"; readonly socket: number; readonly messages: readonly IncomingMessage[] }
  /** A timer expired. `bytesReceived`: of the open socket so far, pongs included; 0 without a socket. */
  | { readonly type: "timer"; readonly timer: number; readonly bytesReceived: number }
  /** The response to `post`. `error` if the server refused, or did not respond. */
  | { readonly type: "posted"; readonly post: number; readonly error?: Error | undefined }
  /** The end of `writeJournal`. `error` if it failed. */
  | { readonly type: "journalWritten"; readonly error?: Error | undefined }
  /** All sinks and listeners of the last `deliver` effect have taken their events. */
  | { readonly type: "delivered" };
