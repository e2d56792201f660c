import type {
  Fields,
  IncomingMessage,
  KernelChannel,
  MessageHeader,
  OutgoingMessage,
} from "../../../src/api/kernels/wire/kernel-message.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A request to a kernel, and the identity of the client to which the kernel replies. */
export interface KernelRequest {
  readonly message: OutgoingMessage;
  readonly identity: string;
}

const none: Fields = {};
const noBuffers: readonly Uint8Array[] = [];
const bytesPerMessage = 300;

/** Makes the messages of one sender. */
export class MessageFactory {
  readonly #clock: VirtualClock;
  readonly session: string;
  #count = 0;
  #date = "";
  #dateOf = -1;

  constructor(clock: VirtualClock, session: string) {
    this.#clock = clock;
    this.session = session;
  }

  message(
    channel: KernelChannel,
    type: string,
    parentHeader: MessageHeader | undefined,
    content: Fields,
    metadata = none,
  ): IncomingMessage {
    this.#count += 1;
    const { now } = this.#clock;
    if (now !== this.#dateOf) {
      this.#dateOf = now;
      this.#date = new Date(now).toISOString();
    }
    const msg_id = `${this.session}-${this.#count}`;
    const header = { msg_id, msg_type: type, session: this.session, date: this.#date };
    return { channel, header, parentHeader, content, metadata, buffers: noBuffers, byteLength: bytesPerMessage };
  }
}

/** The text that a kernel publishes in an output, without the line's end; undefined for other messages. */
export function outputText({ header, content }: IncomingMessage): string | undefined {
  switch (header.msg_type) {
    case "stream":
      return typeof content.text === "string" ? content.text.trimEnd() : undefined;
    case "display_data":
    case "update_display_data":
    case "execute_result": {
      const { data } = content;
      return typeof data === "object" && data !== null && "text/plain" in data ? String(data["text/plain"]) : undefined;
    }
    case "error":
      return String(content.evalue);
    default:
      return undefined;
  }
}
