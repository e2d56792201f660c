import type { IncomingMessage, OutgoingMessage } from "../wire/kernel-message.ts";
import type { SentComm } from "./comms.ts";
import { internalPrefix, type KernelRequests } from "./kernel-requests.ts";

/** Messages, and their bytes, that wait for a connection. The oldest are dropped beyond that. */
const mostWaiting = { messages: 1000, bytes: 16 * 1024 * 1024 };
/** Messages that were sent and whose end is waited for. */
const mostPending = 10_000;
/** Messages whose cells are remembered. */
const mostCells = 1000;

const messageTypes = { open: "comm_open", message: "comm_msg", close: "comm_close" } as const;

interface Waiting {
  readonly message: OutgoingMessage;
  readonly bytes: number;
}

/** The comm messages to a kernel: those that wait for a connection, and those that the kernel has not handled yet. */
export class CommTraffic {
  readonly #requests: KernelRequests;
  readonly #send: (message: OutgoingMessage) => boolean;
  readonly #onHandled: (messageId: string) => void;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  readonly #pending = new Set<string>();
  /** The cell's execution by the id of the message: outputs that were held back come after the message's end. */
  readonly #cells = new Map<string, string>();

  constructor(
    requests: KernelRequests,
    send: (message: OutgoingMessage) => boolean,
    onHandled: (messageId: string) => void,
  ) {
    this.#requests = requests;
    this.#send = send;
    this.#onHandled = onHandled;
  }

  /** Sends a message now, or when there is a connection again. Gives its id. */
  send({ type, commId, targetName, data, metadata, buffers, cellMessageId, subshell }: SentComm): string {
    const made = this.#requests.header(messageTypes[type]);
    const header = subshell === undefined ? made : { ...made, subshell_id: subshell };
    const content = { comm_id: commId, data, ...(type === "open" ? { target_name: targetName } : {}) };
    const message: OutgoingMessage = { channel: "shell", header, content, metadata, buffers };
    this.#expect(header.msg_id, cellMessageId);
    if (!this.#send(message)) {
      this.#keep(message);
    }
    return header.msg_id;
  }

  /** A connection is open: sends what waited for it. */
  flush(): void {
    const waiting = this.#waiting;
    this.#forgetWaiting();
    for (const { message } of waiting) {
      this.#send(message);
    }
  }

  /** The connection broke: what was sent on it may never be answered. */
  lose(): void {
    const kept = new Set(this.#waiting.map(({ message }) => message.header.msg_id));
    for (const messageId of [...this.#pending].filter((id) => !kept.has(id))) {
      this.#settle(messageId);
    }
  }

  /** The kernel's process ended: its comms are gone. */
  drop(): void {
    this.#forgetWaiting();
    this.lose();
  }

  /** Notices when the kernel is done with one of the messages. */
  take({ channel, header, parentHeader, content }: IncomingMessage): void {
    const id = parentHeader?.msg_id ?? "";
    if (channel === "iopub" && header.msg_type === "status" && content.execution_state === "idle") {
      this.#settle(id);
    }
  }

  /** `msg_id` of the execution whose cell shows what the kernel prints while it handles the message. */
  cellOf({ parentHeader }: IncomingMessage): string | undefined {
    return this.#cells.get(parentHeader?.msg_id ?? "");
  }

  #expect(messageId: string, cellMessageId: string | undefined): void {
    this.#pending.add(messageId);
    const [oldest] = this.#pending;
    if (this.#pending.size > mostPending && oldest !== undefined) {
      this.#settle(oldest);
    }
    if (cellMessageId !== undefined) {
      this.#cells.set(messageId, cellMessageId);
    }
    const [oldestCell] = this.#cells.keys();
    if (this.#cells.size > mostCells && oldestCell !== undefined) {
      this.#cells.delete(oldestCell);
    }
  }

  #settle(messageId: string): void {
    if (messageId.startsWith(internalPrefix) && this.#pending.delete(messageId)) {
      this.#onHandled(messageId);
    }
  }

  #keep(message: OutgoingMessage): void {
    const { buffers = [], content } = message;
    const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, JSON.stringify(content).length);
    this.#waiting.push({ message, bytes });
    this.#waitingBytes += bytes;
    while (this.#waiting.length > mostWaiting.messages || this.#waitingBytes > mostWaiting.bytes) {
      const dropped = this.#waiting.shift();
      this.#waitingBytes -= dropped?.bytes ?? this.#waitingBytes;
      this.#settle(dropped?.message.header.msg_id ?? "");
    }
  }

  #forgetWaiting(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
