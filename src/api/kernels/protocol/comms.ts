import type { CommMessage, SentComm } from "../connection/comms.ts";
import type { IncomingMessage, OutgoingMessage } from "../wire/kernel-message.ts";
import type { Agenda } from "./agenda.ts";
import type { Link } from "./link.ts";
import { internalPrefix, type KernelRequests } from "./requests.ts";

/** Maximum number and bytes of messages that wait for a connection. The oldest are dropped. */
const maxWaiting = { messages: 1000, bytes: 16 * 1024 * 1024 };
/** Maximum number of sent messages that the kernel has not handled yet. */
const maxPending = 10_000;
/** Maximum number of messages whose cells are remembered. */
const maxCells = 1000;

const messageTypes = { open: "comm_open", message: "comm_msg", close: "comm_close" } as const;

interface Waiting {
  readonly message: OutgoingMessage;
  readonly bytes: number;
}

interface Pending {
  readonly subshell: string | undefined;
  /** True once the kernel has reported that it is handling the message. */
  readonly isBegun: boolean;
}

/** The comm messages to a kernel: those that wait for a connection, and those that the kernel has not handled yet. */
export class Comms {
  readonly #agenda: Agenda;
  readonly #link: Pick<Link, "send">;
  readonly #requests: Pick<KernelRequests, "header">;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  readonly #pending = new Map<string, Pending>();
  /** `msg_id` of the cell's execution, by message id. Kept after the message was handled, for late output. */
  readonly #cells = new Map<string, string>();

  constructor(agenda: Agenda, link: Pick<Link, "send">, requests: Pick<KernelRequests, "header">) {
    this.#agenda = agenda;
    this.#link = link;
    this.#requests = requests;
  }

  /** True if the kernel has not handled all messages. */
  get areAwaited(): boolean {
    return this.#pending.size > 0;
  }

  /** Sends a message now, or after reconnecting. Returns its `msg_id`. Throws a MessageTooLargeError. */
  send({ type, commId, targetName, data, metadata, buffers, cellMessageId, subshell }: SentComm): string {
    const made = this.#requests.header(messageTypes[type]);
    const header = subshell === undefined ? made : { ...made, subshell_id: subshell };
    const content = { comm_id: commId, data, ...(type === "open" ? { target_name: targetName } : {}) };
    const message: OutgoingMessage = { channel: "shell", header, content, metadata, buffers };
    const isSent = this.#link.send(message);
    this.#expect(header.msg_id, subshell, cellMessageId);
    if (!isSent) {
      this.#keep(message);
    }
    return header.msg_id;
  }

  /** Number of messages that wait, or that the kernel has not handled. */
  get size(): number {
    return this.#waiting.length + this.#pending.size;
  }

  /** Sends the waiting messages when a connection opens. */
  flush(): void {
    const waiting = this.#waiting;
    this.#clearWaiting();
    for (const { message } of waiting) {
      this.#link.send(message);
    }
  }

  /** Settles the sent messages, because the connection broke and their replies may never arrive. */
  lose(): void {
    const kept = new Set(this.#waiting.map(({ message }) => message.header.msg_id));
    for (const messageId of [...this.#pending.keys()].filter((id) => !kept.has(id))) {
      this.#settle(messageId);
    }
  }

  /** Drops all messages, because the kernel's process and its comms ended. */
  drop(): void {
    this.#clearWaiting();
    this.lose();
  }

  /** Settles a message when the kernel reports that it has handled it. */
  handle(message: IncomingMessage): void {
    const id = message.parentHeader?.msg_id ?? "";
    if (message.channel !== "iopub" || message.header.msg_type !== "status") {
      return;
    }
    const { content } = message;
    if (content.execution_state === "idle") {
      this.#settle(id);
    } else if (content.execution_state === "busy") {
      this.#begin(id);
    }
  }

  /**
   * Settles a message that the kernel replied to without reporting that it was handling it. ipykernel 7.4 reports
   * nothing while an asynchronous cell runs.
   */
  handleReply({ data, parentId }: CommMessage): void {
    if (data.method === "echo_update" && parentId !== undefined && this.#pending.get(parentId)?.isBegun === false) {
      this.#settle(parentId);
    }
  }

  /** `msg_id` of the execution whose cell shows the output that the kernel produces while it handles the message. */
  cellOf({ parentHeader }: IncomingMessage): string | undefined {
    return this.#cells.get(parentHeader?.msg_id ?? "");
  }

  /**
   * Records that the kernel is handling a message. It has handled all earlier shell messages, even if it didn't report
   * them.
   */
  #begin(messageId: string): void {
    const begun = this.#pending.get(messageId);
    if (begun === undefined) {
      return;
    }
    this.#pending.set(messageId, { ...begun, isBegun: true });
    const ids = [...this.#pending.keys()];
    for (const earlier of ids.slice(0, ids.indexOf(messageId))) {
      const { subshell, isBegun } = this.#pending.get(earlier) ?? begun;
      if (subshell === begun.subshell && !isBegun) {
        this.#settle(earlier);
      }
    }
  }

  #expect(messageId: string, subshell: string | undefined, cellMessageId: string | undefined): void {
    this.#pending.set(messageId, { subshell, isBegun: false });
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > maxPending && oldest !== undefined) {
      this.#settle(oldest);
    }
    if (cellMessageId !== undefined) {
      this.#cells.set(messageId, cellMessageId);
    }
    const [oldestCell] = this.#cells.keys();
    if (this.#cells.size > maxCells && oldestCell !== undefined) {
      this.#cells.delete(oldestCell);
    }
  }

  #settle(messageId: string): void {
    if (messageId.startsWith(internalPrefix) && this.#pending.delete(messageId)) {
      this.#agenda.add({ type: "emit", event: { name: "commHandled", value: messageId } });
    }
  }

  #keep(message: OutgoingMessage): void {
    const { buffers = [], content } = message;
    const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, JSON.stringify(content).length);
    this.#waiting.push({ message, bytes });
    this.#waitingBytes += bytes;
    while (this.#waiting.length > maxWaiting.messages || this.#waitingBytes > maxWaiting.bytes) {
      const dropped = this.#waiting.shift();
      this.#waitingBytes -= dropped?.bytes ?? this.#waitingBytes;
      this.#settle(dropped?.message.header.msg_id ?? "");
    }
  }

  #clearWaiting(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
