import type { ContentClient } from "../../client/client.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../http/log.ts";
import type { Presence } from "../../presence.ts";
import type { ExecutionJournal, JournalEntry } from "../executions/execution-journal.ts";
import type { Execution, ExecutionRequest, ExecutionSink, ForeignActivity } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { Fields, IncomingMessage } from "../wire/kernel-message.ts";
import type { CommMessage, SentComm } from "./comms.ts";
import type { ConnectionState, KernelActivity, KernelEnd } from "./connection-state.ts";

/** A subscription that can be ended. */
export interface Subscription {
  dispose(): void;
}

/** Intervals and timeouts of a connection, in milliseconds. */
export interface ConnectionTimes {
  /** Interval of pings. A socket that is silent for two intervals is closed. Default: 30,000. */
  readonly ping: number;
  /**
   * The pauses between attempts to connect grow from `firstPause` (default: 500) to `longestPause` (default: 30,000),
   * with jitter.
   */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Timeout of the request for a socket. The server may wait for the kernel to start. Default: 60,000. */
  readonly handshake: number;
  /** Interval of requests for the kernel's state while the server waits for the kernel to start. Default: 5000. */
  readonly starting: number;
  /**
   * Interval of requests for the kernel's state while something runs and no messages arrive. Default: 4000. The socket
   * of a server that a hub stops stays open until the server has ended.
   */
  readonly running: number;
  /** Timeout of the request for the kernel's state. Default: 15,000. */
  readonly check: number;
}

export interface KernelConnectionOptions {
  /** Returns the content server's client. Called for each attempt to connect, because the token may have changed. */
  readonly client: () => Promise<ContentClient>;
  readonly kernelId: string;
  readonly journal: ExecutionJournal;
  /** Whether to keep output in the kernel. Python kernels only. */
  readonly recorder: "on" | "off";
  readonly log?: Log;
  readonly times?: Partial<ConnectionTimes>;
  /** Maximum size of a message from the server, in bytes. Default: 256 MB, because output can contain images. */
  readonly messageBytes?: number;
  /** Maximum size of a message to the server, in bytes. Default: 10 MB, the default of Jupyter Server. */
  readonly maxSentBytes?: number;
  /** Whether somebody is present. While nobody is and nothing runs, the connection rests. Default: always. */
  readonly presence?: Presence;
  /** Clock for pings, pauses, and the detection of sleep. Default: the system clock. */
  readonly clock?: Clock;
}

/** Options of a request. */
export interface SendingOptions {
  /** True for a request that isn't idempotent. Its reply can take any time. Default: false. */
  readonly isSentOnce?: boolean;
  /** Binary data that is sent with the request. */
  readonly buffers?: readonly Uint8Array[];
}

/** An event of the kernel itself. `running` lists the executions that were lost. */
export type KernelEvent =
  | { readonly type: "activity"; readonly activity: KernelActivity }
  /** The server restarted the kernel because its process exited, or because a client requested a restart. */
  | { readonly type: "restarted"; readonly isAutomatic: boolean; readonly running: readonly JournalEntry[] }
  | {
      readonly type: "ended";
      readonly end: KernelEnd;
      readonly running: readonly JournalEntry[];
      /** Executions that were never sent, for example because the kernel didn't start. */
      readonly notSent: readonly JournalEntry[];
    };

/**
 * A connection to one kernel over a WebSocket that reconnects for as long as the kernel exists. Executions outlive
 * connections and windows: the journal contains the sent ones, and output belongs to the execution whose request is its
 * parent.
 */
export interface KernelConnection {
  readonly kernelId: string;
  readonly state: ConnectionState;
  readonly activity: KernelActivity;
  /** Undefined until the kernel's first reply. */
  readonly information: KernelInformation | undefined;
  /** Executions that have not ended, in sending order. */
  readonly pending: readonly Execution[];
  /**
   * Resolves when the connection is disposed, the server has closed its side, and the journal is written. Open another
   * connection with the same journal only after that. Otherwise, the server splits the kernel's replies between both.
   */
  readonly closed: Promise<void>;

  onState(listener: (state: ConnectionState) => void): Subscription;
  onKernel(listener: (event: KernelEvent) => void): Subscription;
  onComm(listener: (message: CommMessage) => void): Subscription;
  /** Called when the kernel has handled a message from `sendComm`, or will never handle it. */
  onCommHandled(listener: (messageId: string) => void): Subscription;
  /** Called for output that a widget captures. Without a listener, the cells show it. */
  onCapturedOutput(listener: (output: CapturedOutput) => void): Subscription;
  /** Called for messages of the type `pushMessageType`, which a program in the kernel sends on the control channel. */
  onPush(listener: (message: IncomingMessage) => void): Subscription;
  /** Called for the events of the kernel's debugger. Those of a time without a connection are lost. */
  onDebugEvent(listener: (message: IncomingMessage) => void): Subscription;
  /** Called for the activity of other clients. Without a listener, their messages are not parsed. */
  onForeign(listener: (activity: ForeignActivity) => void | Promise<void>): Subscription;

  /** Resolves with the kernel's information on its first reply. Rejects if the connection is disposed first. */
  ready(): Promise<KernelInformation>;
  /** Tries to connect now, for example after the user entered a token or started the workspace. */
  retry(): void;

  /**
   * Records the requests in the journal, then sends all of them at once, because the kernel has its own queue. Without
   * a connection, they wait for one. Rejects only if the journal can't be written. Nothing is sent in that case.
   */
  execute(requests: readonly ExecutionRequest[]): Promise<readonly Execution[]>;
  /**
   * Resumes the executions that an earlier window sent to this kernel. `sinkFor` is called with the newest entry first,
   * and returns the cell's sink, or undefined if no cell shows the execution anymore. A finished execution receives
   * events only if there is output to show. The output comes from the kernel's recorder or from the server's buffer.
   */
  resume(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<readonly Execution[]>;
  /**
   * Like `resume`, but for executions that have all ended. Shows only output that no window has received: late output,
   * for example of threads, that the server has buffered since, or that is still to come.
   */
  resumeLateOutput(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<void>;
  /** Discards finished executions. Their late output is no longer delivered. */
  deleteExecutions(messageIds: readonly string[]): Promise<void>;

  /** Replies to the input request of an execution. Does nothing if there is none. */
  sendInputReply(messageId: string, value: string): void;
  /** Interrupts the running execution and drops all queued ones. Throws a PlatformError if the server refuses. */
  interrupt(): Promise<void>;
  /**
   * Cancels a single execution by its message id. Drops it if it has not been sent; otherwise interrupts it as soon as
   * it runs. Throws a PlatformError if the server refuses the interrupt.
   */
  cancel(messageId: string): Promise<void>;
  /**
   * Restarts the kernel. Drops unsent executions, withdraws those that the kernel has queued if it supports that, and
   * ends all others as `kernelEnded`. New executions wait for the new process. Throws a PlatformError if the server
   * refuses.
   */
  restart(): Promise<void>;
  /** Sends a comm message now, or after reconnecting. Returns its `msg_id`. */
  sendComm(message: SentComm): string;
  /**
   * Sends a request to the kernel, and sends it again if there is no reply. A busy kernel replies immediately on the
   * `control` channel. Rejects with a ReplyLostError.
   */
  request(
    channel: "shell" | "control",
    type: string,
    content: Fields,
    options?: SendingOptions,
  ): Promise<IncomingMessage>;
  /** Acknowledges what arrives at once for a number of milliseconds, because pushes follow what was sent. */
  awaitPushes(durationMs: number): void;
  /**
   * Creates a subshell, which replies even if the kernel is busy. Resolves with its id; undefined if the kernel doesn't
   * create one. Rejects with a ReplyLostError.
   */
  createSubshell(): Promise<string | undefined>;
  /**
   * Deletes a subshell that has handled all of its comm messages. Python prints a warning in a cell for unfinished
   * ones.
   */
  deleteSubshell(subshell: string): void;
  /**
   * The text of a Python expression's value, evaluated silently, in a subshell if the kernel has them; otherwise when the
   * running cell has ended. Leaves no trace in the user's namespace, history, or output. Rejects with an EvaluationError
   * or a ReplyLostError.
   */
  evaluate(expression: string): Promise<string>;
  /** Closes the socket. The kernel and its executions continue. */
  dispose(): void;
}
