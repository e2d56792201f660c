import type { JournalEntry } from "./execution-journal.ts";

/** Output of several MIME types, as the kernel sent it. */
export interface MimeBundle {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** How an execution ended. */
export type ExecutionOutcome =
  | { readonly type: "ok" }
  /** The code failed; or the kernel dropped its reply, which an error event with the name `NoReply` says. */
  | { readonly type: "error" }
  /** The kernel did not run it, since an earlier one failed or was interrupted. */
  | { readonly type: "aborted" }
  /** It was never sent: `interrupt`, or a failure before it, emptied the queue. */
  | { readonly type: "dropped" }
  /** The kernel ended, or was restarted, before it was finished. */
  | { readonly type: "kernelEnded" }
  /** It was sent on a connection that broke, and the kernel never got it. */
  | { readonly type: "notReceived" }
  /** Its reply was lost; it is not known whether and how it ran. */
  | { readonly type: "unknown" };

/** Why output may be missing. */
export type GapReason =
  | { readonly type: "connectionLost" }
  | { readonly type: "rateLimit" }
  /** The kernel's recorder had dropped so many messages, of all executions; undefined where it does not know. */
  | { readonly type: "recorderFull"; readonly messages: number | undefined };

/** What happens to one execution, in order. Times are milliseconds since 1970, of the kernel's clock. */
export type ExecutionEvent =
  /** The kernel began it (`execute_input`). */
  | { readonly type: "started"; readonly executionCount: number | undefined; readonly at: number }
  | { readonly type: "busy"; readonly at: number }
  | { readonly type: "idle"; readonly at: number }
  /** Adjacent texts of one stream come as one event. */
  | { readonly type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | { readonly type: "display"; readonly bundle: MimeBundle; readonly displayId: string | undefined }
  | {
      readonly type: "result";
      readonly bundle: MimeBundle;
      readonly executionCount: number | undefined;
      readonly displayId: string | undefined;
    }
  /** Changes every output with this id, in whatever cell. */
  | { readonly type: "updateDisplay"; readonly bundle: MimeBundle; readonly displayId: string }
  | { readonly type: "error"; readonly name: string; readonly value: string; readonly traceback: readonly string[] }
  | { readonly type: "clearOutput"; readonly wait: boolean }
  | { readonly type: "inputRequest"; readonly prompt: string; readonly password: boolean }
  /** The reply: order and outcome are known. Late output may follow. */
  | {
      readonly type: "ended";
      readonly outcome: ExecutionOutcome;
      readonly executionCount: number | undefined;
      readonly at: number;
      /** `payload` of the reply: `set_next_input`, `page`. */
      readonly payload: readonly Readonly<Record<string, unknown>>[];
    }
  /** What follows is all output from the beginning: what the cell shows has to be removed. */
  | { readonly type: "replay" }
  /** Output may be missing here. */
  | { readonly type: "gap"; readonly reason: GapReason };

/** Takes what happens to an execution, also after it ended. */
export interface ExecutionSink {
  /**
   * What arrived together. While a returned promise is pending nothing more is read from the server, so that a slow
   * reader slows the kernel down.
   */
  onEvents(events: readonly ExecutionEvent[]): void | Promise<void>;
}

/** What to execute, and for which cell. */
export interface ExecutionRequest {
  readonly code: string;
  readonly cellId: string | undefined;
  readonly cellIndex: number;
  /** Executions queued behind this one are not run when it fails. Default true. */
  readonly stopOnError?: boolean;
  readonly sink: ExecutionSink;
}

/** An execution that was accepted, or found again by `resume`. */
export interface Execution {
  readonly entry: JournalEntry;
  readonly phase: "queued" | "sent" | "running" | "ended";
  /** Bytes of output that arrived so far. */
  readonly outputBytes: number;
  /** Resolves with the outcome; never rejects. Stays pending when the connection is disposed of before. */
  readonly ended: Promise<ExecutionOutcome>;
}

/** What other clients of the same kernel do: JupyterLab, or another window. */
export interface ForeignActivity {
  /** `msg_id` of the other client's request. */
  readonly messageId: string;
  /** The code, once the kernel began it. */
  readonly code: string | undefined;
  readonly events: readonly ExecutionEvent[];
}
