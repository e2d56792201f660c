import { WordedError } from "../../worded-error.ts";

/** A channel of a kernel that is carried over the WebSocket. */
export type KernelChannel = "shell" | "control" | "iopub" | "stdin";

/** The header of a message (Jupyter messaging protocol 5); members that nobody here reads are kept. */
export interface MessageHeader {
  readonly msg_id: string;
  readonly msg_type: string;
  /** Of the sender: a client's, the kernel's own, or the server's, which uses the client's. */
  readonly session: string;
  /** ISO 8601 of the sender's clock; absent in messages of old kernels. */
  readonly date?: string;
  readonly subshell_id?: string | null;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A message that is sent to a kernel. */
export interface OutgoingMessage {
  readonly channel: KernelChannel;
  readonly header: MessageHeader & Fields;
  /** Of the message that this one answers. */
  readonly parentHeader?: MessageHeader;
  readonly metadata?: Fields;
  readonly content: Fields;
  readonly buffers?: readonly Uint8Array[];
}

/** A message that came from a kernel. */
export interface IncomingMessage {
  readonly channel: string;
  readonly header: MessageHeader;
  /** Undefined where the message answers none. */
  readonly parentHeader: MessageHeader | undefined;
  /** Parsed when it is first read: other clients' output mostly is not. Throws a MessageError. */
  readonly content: Fields;
  readonly metadata: Fields;
  readonly buffers: readonly Uint8Array[];
  /** Of the whole message. */
  readonly byteLength: number;
}

/** A message that cannot be read, or is beyond what is taken. It is skipped; the connection stays. */
export class MessageError extends WordedError {
  override readonly name = "MessageError";
}
