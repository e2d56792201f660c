import type { ContentClient } from "../../client/client.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../http/log.ts";
import type { ExecutionJournal, JournalEntry } from "../executions/execution-journal.ts";
import type { Execution, ExecutionRequest, ExecutionSink, ForeignActivity } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { Fields, IncomingMessage } from "../wire/kernel-message.ts";
import type { CommMessage, SentComm } from "./comms.ts";
import type { ConnectionState, KernelActivity, KernelEnd } from "./connection-state.ts";

/** Ends what a subscription began. */
export interface Subscription {
  dispose(): void;
}

/** Times of a connection, in milliseconds. */
export interface ConnectionTimes {
  /** Between two pings. A socket that stays silent over two of them is given up. Default 30,000. */
  readonly ping: number;
  /** Pauses between two tries to connect grow from `firstPause` (500) to `longestPause` (30,000), with jitter. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Until the server answers the request for a socket; it may wait for the kernel's start. Default 60,000. */
  readonly handshake: number;
  /** Until the server answers whether the kernel exists. Default 15,000. */
  readonly check: number;
}

export interface KernelConnectionOptions {
  /** The content server's client, asked for again at each try to connect: the token may have changed. */
  readonly client: () => Promise<ContentClient>;
  readonly kernelId: string;
  readonly journal: ExecutionJournal;
  /** Keeps output in the kernel, where the kernel is a Python one. */
  readonly recorder: "on" | "off";
  readonly log?: Log;
  readonly times?: Partial<ConnectionTimes>;
  /** Bytes that one message of the server may have. Default 256 MB, for images of notebooks. */
  readonly messageBytes?: number;
  /** Of pings, of pauses between tries, and of sleep. The system's clock by default. */
  readonly clock?: Clock;
}

/** What happened to the kernel itself. */
export type KernelEvent =
  | { readonly type: "activity"; readonly activity: KernelActivity }
  /** The server restarted the kernel after its process had ended, or someone asked for a restart. `running`: what was lost. */
  | { readonly type: "restarted"; readonly isAutomatic: boolean; readonly running: readonly JournalEntry[] }
  | { readonly type: "ended"; readonly end: KernelEnd; readonly running: readonly JournalEntry[] };

/**
 * One kernel, over one WebSocket that is opened again for as long as the kernel exists. Executions outlive connections
 * and windows: what was sent is in the journal, and output finds its execution by its parent's message id.
 */
export interface KernelConnection {
  readonly kernelId: string;
  readonly state: ConnectionState;
  readonly activity: KernelActivity;
  /** Undefined until the kernel answered the first time. */
  readonly information: KernelInformation | undefined;
  /** Executions that are not ended yet, in the order of sending. */
  readonly pending: readonly Execution[];

  onState(listener: (state: ConnectionState) => void): Subscription;
  onKernel(listener: (event: KernelEvent) => void): Subscription;
  onComm(listener: (message: CommMessage) => void): Subscription;
  /** The kernel is done with a message that `sendComm` sent, or will never be. */
  onCommHandled(listener: (messageId: string) => void): Subscription;
  /** Outputs that a widget asked for. Without a listener the cells show them. */
  onCapturedOutput(listener: (output: CapturedOutput) => void): Subscription;
  /** What other clients do. Without a listener it is not even parsed. */
  onForeign(listener: (activity: ForeignActivity) => void | Promise<void>): Subscription;

  /** Resolves with the kernel's information at the first answer; rejects when the connection is disposed of before. */
  ready(): Promise<KernelInformation>;
  /** Tries to connect now: a token was entered, the workspace was started, the person asks. */
  retry(): void;

  /**
   * Writes the requests into the journal, then sends all of them at once: the queue is the kernel's. Without a connection
   * they wait for it. Rejects only when the journal cannot be written; nothing was sent then.
   */
  execute(requests: readonly ExecutionRequest[]): Promise<readonly Execution[]>;
  /**
   * Finds what an earlier window had sent to this kernel. `sinkFor` gives the cell's sink, or undefined for a cell that no
   * longer exists. Output comes from the kernel's recorder, or from what the server buffered.
   */
  resume(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<readonly Execution[]>;
  /** Forgets finished executions: their late output is no longer delivered. */
  forget(messageIds: readonly string[]): Promise<void>;

  /** Answers the input request of an execution. */
  answerInput(messageId: string, value: string): void;
  /** Interrupts what runs, and drops everything that is queued. Throws a PlatformError when the server refuses. */
  interrupt(): Promise<void>;
  /**
   * Ends one execution by its message id, and no other: drops it before it is sent, else interrupts it, as soon as it runs.
   * Throws a PlatformError when the server refuses the interrupt.
   */
  cancel(messageId: string): Promise<void>;
  /** Restarts the kernel: everything that is pending ends as `kernelEnded`. Throws a PlatformError when the server refuses. */
  restart(): Promise<void>;
  /** Sends a message of a comm, now or when there is a connection again. Gives its `msg_id`. */
  sendComm(message: SentComm): string;
  /** Asks the kernel; rejects with a ReplyLostError. `channel` decides whether a busy kernel answers at once. */
  request(channel: "shell" | "control", type: string, content: Fields): Promise<IncomingMessage>;
  /** Closes the socket. The kernel and what runs in it go on. */
  dispose(): void;
}
