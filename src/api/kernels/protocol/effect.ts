import type { CommMessage } from "../connection/comms.ts";
import type { KernelEvent } from "../connection/connection.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import type { EventBatch } from "../executions/event-batch.ts";
import type { JournalEntry, KernelJournal } from "../executions/execution-journal.ts";
import type { ExecutionOutcome, ExecutionSink, ForeignActivity } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { IncomingMessage, OutgoingMessage } from "../wire/kernel-message.ts";
import type { ExecutionView } from "./execution/execution.ts";

/** Events for one execution's sink. */
export interface Delivery {
  readonly messageId: string;
  readonly sink: ExecutionSink;
  readonly batch: EventBatch;
  /** Set if the execution has ended with these events. */
  readonly outcome: ExecutionOutcome | undefined;
}

/** A write of the kernel's journal. Appended entries replace those with the same message id. */
export type JournalWrite =
  | { readonly type: "replace"; readonly journal: KernelJournal }
  | {
      readonly type: "append";
      readonly entries: readonly JournalEntry[];
      /** Undefined if it did not change. */
      readonly deliveredId: string | undefined;
    }
  | { readonly type: "remove" };

/** The result of a call. */
export type CallResult =
  | { readonly type: "done" }
  | { readonly type: "executions"; readonly executions: readonly ExecutionView[] }
  | { readonly type: "reply"; readonly reply: IncomingMessage }
  | { readonly type: "subshell"; readonly id: string | undefined }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "sent"; readonly messageId: string }
  | { readonly type: "failed"; readonly error: Error };

/** An event for the connection's listeners. */
type ConnectionEvent =
  | { readonly name: "state"; readonly value: ConnectionState }
  | { readonly name: "kernel"; readonly value: KernelEvent }
  | { readonly name: "comm"; readonly value: CommMessage }
  /** The `msg_id` of a comm message. */
  | { readonly name: "commHandled"; readonly value: string }
  | { readonly name: "capturedOutput"; readonly value: CapturedOutput }
  /** A message that no request was answered with (`pushMessageType`). */
  | { readonly name: "push"; readonly value: IncomingMessage }
  | { readonly name: "debugEvent"; readonly value: IncomingMessage }
  /** The kernel's first reply, and the first one of each new process. */
  | { readonly name: "information"; readonly value: KernelInformation };

/** What a timer is for. The data belongs to the machine. */
export type TimerPurpose =
  | { readonly name: "reconnect" | "checkStarting" | "ping" | "checkRunning" }
  | { readonly name: "preparation" | "withdrawal" | "heldMessages" | "writeJournal" }
  | { readonly name: "repeatRequest"; readonly request: number }
  | { readonly name: "missingReply" | "missingIdle" | "codeStart"; readonly messageId: string };

/** What the machine asks its driver to do. Effects are performed in order. */
export type Effect =
  /** Request the kernel's model (GET). Respond with `kernelChecked`. */
  | { readonly type: "checkKernel"; readonly check: number }
  /** Open a socket. Respond with `opened` or `refused`. */
  | { readonly type: "openSocket"; readonly socket: number }
  /** Abort the requests of `checkKernel` and `openSocket` with these numbers. Their responses are ignored. */
  | { readonly type: "abort"; readonly check?: number; readonly socket?: number }
  /** Send a message on the open socket. `data`: the encoded message. */
  | {
      readonly type: "send";
      readonly socket: number;
      readonly message: OutgoingMessage;
      readonly data: Uint8Array | string;
    }
  | { readonly type: "ping"; readonly socket: number }
  /** Close a socket. With a `reason`, at once and without a close frame. Respond with `closed`. */
  | { readonly type: "closeSocket"; readonly socket: number; readonly reason?: string }
  | { readonly type: "setTimer"; readonly timer: number; readonly purpose: TimerPurpose; readonly delayMs: number }
  | { readonly type: "cancelTimer"; readonly timer: number }
  /** Interrupt or restart the kernel through the server (POST). Respond with `posted`. */
  | { readonly type: "post"; readonly post: number; readonly operation: "interrupt" | "restart" }
  /** Write the journal. There is one write at a time. Respond with `journalWritten`. */
  | { readonly type: "writeJournal"; readonly write: JournalWrite }
  /**
   * Pass events to sinks, one after the other, then to the listeners of other clients' activity. Respond with one
   * `delivered`. There is one delivery at a time.
   */
  | {
      readonly type: "deliver";
      readonly executions: readonly Delivery[];
      readonly foreign: readonly ForeignActivity[];
    }
  | { readonly type: "emit"; readonly event: ConnectionEvent }
  | { readonly type: "settle"; readonly call: number; readonly result: CallResult }
  | { readonly type: "log"; readonly level: "info" | "warn" | "error"; readonly text: string };
