import type { ExecutionEvent } from "../../executions/executions.ts";
import { type IncomingMessage, inputEchoMember, type MessageHeader } from "../../wire/kernel-message.ts";
import { messageTime } from "../../wire/message-events.ts";

/** An input request of the kernel, and the reply of the user. */
export class InputQuestion {
  readonly header: MessageHeader;
  readonly event: Extract<ExecutionEvent, { type: "inputRequest" }>;
  #isRecorded: boolean;
  /** Number of the socket on which the reply was sent. */
  #repliedOn: number | undefined;
  #unsentReply: string | undefined;

  /** `isRecorded`: the kernel's recorder will have what is entered. */
  constructor(
    header: MessageHeader,
    event: Extract<ExecutionEvent, { type: "inputRequest" }>,
    { isRecorded }: { readonly isRecorded: boolean },
  ) {
    this.header = header;
    this.event = event;
    this.#isRecorded = isRecorded;
  }

  /** True until a reply was sent. */
  get isOpen(): boolean {
    return this.#repliedOn === undefined;
  }

  /** The reply that waits for a connection. */
  get unsentReply(): string | undefined {
    return this.#unsentReply;
  }

  /** Records that the reply was sent on this socket. */
  markReplied(socket: number): void {
    this.#repliedOn = socket;
    this.#unsentReply = undefined;
  }

  /** Keeps a reply that can't be sent now. */
  keepReply(value: string): void {
    this.#unsentReply = value;
  }

  /** Opens it again if the reply was sent on an earlier socket and may be lost. Returns true if it was. */
  reopen(socket: number): boolean {
    if (this.#repliedOn === undefined || this.#repliedOn >= socket) {
      return false;
    }
    this.#repliedOn = undefined;
    return true;
  }

  /**
   * True if a message of the execution shows that the kernel has got the input. The recorder has what was entered.
   * Without a recorder, later output shows it, which may also be a thread's.
   */
  isEndedBy(message: IncomingMessage, now: number): boolean {
    const isLater = messageTime(message.header, now) > messageTime(this.header, now);
    // The recorder numbers messages. Earlier ones can arrive later, because the question has its own channel.
    this.#isRecorded ||= !isLater && message.header.publishedNumber !== undefined;
    if (this.#isRecorded) {
      return message.metadata[inputEchoMember] === this.event.id;
    }
    return this.#repliedOn !== undefined && isLater && message.header.msg_type !== "status";
  }
}
