import type { JournalEntry } from "./execution-journal.ts";

/** Output of several MIME types, as the kernel sent it. */
export interface MimeBundle {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The outcome of an execution. */
export type ExecutionOutcome =
  | { readonly type: "ok" }
  /** The code failed, or the kernel dropped the reply. In the latter case, an error event has the name `NoReply`. */
  | { readonly type: "error" }
  /**
   * The kernel did not run it, because an earlier execution failed or was interrupted, or because a restart withdrew
   * it.
   */
  | { readonly type: "aborted" }
  /** It was never sent, because an interrupt, a restart, or an earlier failure emptied the queue. */
  | { readonly type: "dropped" }
  /** The kernel ended or restarted before the execution finished. */
  | { readonly type: "kernelEnded" }
  /** It was sent on a connection that broke, and the kernel never received it. */
  | { readonly type: "notReceived" }
  /** Its reply was lost. Whether it ran, and with what result, is unknown. */
  | { readonly type: "unknown" };

/** Why output may be missing. */
export type GapReason =
  | { readonly type: "connectionLost" }
  | { readonly type: "rateLimit" }
  /** Published messages did not arrive, and the server did not report dropping them. */
  | { readonly type: "notDelivered" }
  /** The number of messages of all executions that the recorder dropped; undefined if it is unknown. */
  | { readonly type: "recorderFull"; readonly messages: number | undefined };

/** An event of one execution, in order. Times are in milliseconds since 1970, by the kernel's clock. */
export type ExecutionEvent =
  /** The kernel began the execution (`execute_input`). */
  | { readonly type: "started"; readonly executionCount: number | undefined; readonly at: number }
  | { readonly type: "busy"; readonly at: number }
  | { readonly type: "idle"; readonly at: number }
  /**
   * Adjacent text of the same stream is combined into one event. `echoOf`: the id of the input request that the text
   * answers, if the recorder kept it. The window in which the user entered the input has already shown it.
   */
  | {
      readonly type: "stream";
      readonly name: "stdout" | "stderr";
      readonly text: string;
      readonly echoOf?: string;
    }
  | { readonly type: "display"; readonly bundle: MimeBundle; readonly displayId: string | undefined }
  | {
      readonly type: "result";
      readonly bundle: MimeBundle;
      readonly executionCount: number | undefined;
      readonly displayId: string | undefined;
    }
  /** Changes all outputs with this id, in any cell. */
  | { readonly type: "updateDisplay"; readonly bundle: MimeBundle; readonly displayId: string }
  | { readonly type: "error"; readonly name: string; readonly value: string; readonly traceback: readonly string[] }
  | { readonly type: "clearOutput"; readonly wait: boolean }
  | {
      readonly type: "inputRequest";
      readonly id: string;
      readonly prompt: string;
      readonly password: boolean;
    }
  /** The reply arrived, and the outcome is final. Late output can follow. */
  | {
      readonly type: "ended";
      readonly outcome: ExecutionOutcome;
      readonly executionCount: number | undefined;
      readonly at: number;
      /** `payload` of the reply: `set_next_input`, `page`. */
      readonly payload: readonly Readonly<Record<string, unknown>>[];
    }
  /** All output is sent again from the beginning. Remove the cell's current output. */
  | { readonly type: "replay" }
  /**
   * Output is sent again, but without its beginning, which is not recorded. Keep the cell's current output, and add only
   * the events that it doesn't show yet. They follow together with this one.
   */
  | { readonly type: "partialReplay" }
  /** Output may be missing here. */
  | { readonly type: "gap"; readonly reason: GapReason };

/** Receives the events of an execution, including those after its end. */
export interface ExecutionSink {
  /**
   * Receives the events that arrived together. While a returned promise is pending, reading from the server pauses, so
   * a slow sink slows down the kernel.
   */
  onEvents(events: readonly ExecutionEvent[]): void | Promise<void>;
}

/** The code to execute, and its cell. */
export interface ExecutionRequest {
  readonly code: string;
  readonly cellId: string | undefined;
  readonly cellIndex: number;
  /** True to abort later executions if this one fails. Default: true. */
  readonly stopOnError?: boolean;
  readonly sink: ExecutionSink;
}

/** An execution that was accepted or resumed. */
export interface Execution {
  readonly entry: JournalEntry;
  readonly phase: "queued" | "sent" | "running" | "ended";
  /** Size of the output so far, in bytes. */
  readonly outputBytes: number;
  /**
   * Resolves with the outcome when the sink has received all events. Never rejects. Stays pending if the connection is
   * disposed first.
   */
  readonly ended: Promise<ExecutionOutcome>;
}

/** Activity of another client of the same kernel: JupyterLab, or another window. */
export interface ForeignActivity {
  /** `msg_id` of the other client's request. */
  readonly messageId: string;
  /** The code, once the kernel has begun it. */
  readonly code: string | undefined;
  readonly events: readonly ExecutionEvent[];
}
