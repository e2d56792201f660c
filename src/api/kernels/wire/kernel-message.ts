import { phrase } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";

/** A kernel channel that the WebSocket carries. */
export type KernelChannel = "shell" | "control" | "iopub" | "stdin";

/**
 * Member of the header of a published message: its number. Numbers are consecutive, so that clients can detect a
 * missing message. ZeroMQ silently drops messages if the server reads them too slowly.
 */
export const publishedNumberMember = "platform_workbench_number";

/**
 * Member of the metadata of an `execute_request`: the id of its run, shared by all executions that are sent together.
 * If one of them fails, the recorder aborts the ones after it. Without the recorder, the kernel aborts only those that
 * it has received by then.
 */
export const runMember = "platform_workbench_run";

/**
 * Member of the metadata of a `stream` message that only the recorder has: the id of the input request that the user
 * answered. The text is the prompt and the input, as the client shows them.
 */
export const inputEchoMember = "platform_workbench_input";

/** Type of a message that a program in the kernel sends on the control channel without being asked for it. */
export const pushMessageType = "platform_workbench_push";

/** Type of a published message with an event of the kernel's debugger. */
export const debugEventType = "debug_event";

/** The header of a message (Jupyter messaging protocol 5). Unknown members are kept. */
export interface MessageHeader {
  readonly msg_id: string;
  readonly msg_type: string;
  /** Session of the sender: a client's, the kernel's own, or the server's, which uses the client's. */
  readonly session: string;
  /** ISO 8601 by the sender's clock. Missing in messages from old kernels. */
  readonly date?: string;
  readonly subshell_id?: string | null;
  /** Consecutive number of a published message in a kernel with a recorder, except for those of internal requests. */
  readonly publishedNumber?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A message that is sent to a kernel. */
export interface OutgoingMessage {
  readonly channel: KernelChannel;
  readonly header: MessageHeader & Fields;
  /** Header of the message that this one replies to. */
  readonly parentHeader?: MessageHeader;
  readonly metadata?: Fields;
  readonly content: Fields;
  readonly buffers?: readonly Uint8Array[];
}

/** A message from a kernel. */
export interface IncomingMessage {
  readonly channel: string;
  readonly header: MessageHeader;
  /** Undefined if the message isn't a reply. */
  readonly parentHeader: MessageHeader | undefined;
  /** Parsed on first access, because most output of other clients is never used. Throws a MessageError. */
  readonly content: Fields;
  /**
   * Returns the text of a `stream` message in parts, if it is longer than 1 MB. The content then has an empty text, so
   * that the text is not in memory twice.
   */
  readonly longText?: (() => Iterable<string>) | undefined;
  readonly metadata: Fields;
  readonly buffers: readonly Uint8Array[];
  /** Size of the whole message. */
  readonly byteLength: number;
}

/** A message that the server would not accept. It closes the connection if it receives one. */
export class MessageTooLargeError extends WordedError {
  override readonly name = "MessageTooLargeError";

  /** `bytes`: size of the message. `maxBytes`: the server's limit. */
  constructor(bytes: number, maxBytes: number) {
    const [size, limit] = [bytes, maxBytes].map((number) => (number / 1_048_576).toFixed(1).replace(/\.0$/, ""));
    super(phrase`A message of ${size ?? ""} MB is too large: the server accepts at most ${limit ?? ""} MB.`);
  }
}

/** A message that is invalid or exceeds a limit. It is skipped, and the connection stays open. */
export class MessageError extends WordedError {
  override readonly name = "MessageError";
}
