import { createHash, randomUUID } from "node:crypto";
import type { JournalEntry } from "../executions/execution-journal.ts";
import { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { Execution, ExecutionOutcome, ExecutionRequest } from "../executions/executions.ts";
import type { OutgoingMessage } from "../wire/kernel-message.ts";
import type { KernelRequests } from "./kernel-requests.ts";

/** Milliseconds that executions wait at most until the kernel has introduced itself and its recorder is there. */
const longestPreparation = 3000;

interface ExecutionSenderParts {
  readonly table: ExecutionTable;
  readonly requests: KernelRequests;
  /** False when there is no open socket. */
  readonly send: (message: OutgoingMessage) => boolean;
  /** How executions end now that nothing can be sent for ever; undefined while they may be sent. */
  readonly end: () => ExecutionOutcome | undefined;
  readonly flush: () => void | Promise<void>;
}

/**
 * Sends executions: each after the journal has it, once, in order, and when the kernel is prepared. Sends the answers to their
 * questions.
 */
export class ExecutionSender {
  readonly #parts: ExecutionSenderParts;
  #socket = 0;
  /** The socket on which executions are sent as they come; 0 for none. */
  #sendingOn = 0;
  /** One call of `execute` is recorded and sent before the next. */
  #sending: Promise<unknown> = Promise.resolve();

  constructor(parts: ExecutionSenderParts) {
    this.#parts = parts;
  }

  /** Number of the newest socket; the first one is 1. */
  get socket(): number {
    return this.#socket;
  }

  /** A socket is open: executions wait until it is prepared. Gives its number. */
  open(): number {
    this.#socket += 1;
    this.#sendSoon();
    return this.#socket;
  }

  /** The kernel was restarted: executions wait until it is prepared again. */
  restart(): void {
    this.#sendingOn = 0;
    this.#sendSoon();
  }

  /** The socket broke. */
  lose(): void {
    this.#sendingOn = 0;
  }

  /** The kernel is prepared: what waits is sent, unless there is another socket now. */
  sendQueued(socket: number): void {
    if (socket !== this.#socket || this.#sendingOn === socket) {
      return;
    }
    this.#sendingOn = socket;
    for (const record of this.#parts.table.pending) {
      this.#send(record);
    }
  }

  /** Rejects only when the journal cannot be written; nothing was sent then. */
  execute(requests: readonly ExecutionRequest[]): Promise<readonly Execution[]> {
    const send = async (): Promise<readonly Execution[]> => {
      const { table, end, flush } = this.#parts;
      const records = requests.map(recordOf);
      await table.add(records);
      const outcome = end();
      for (const record of records) {
        record.isWrittenDown = true;
        if (outcome === undefined) {
          this.#send(record);
        } else {
          table.end(record, outcome);
          void flush();
        }
      }
      return records;
    };
    const sending = this.#sending.then(send, send);
    this.#sending = sending.catch(() => {});
    return sending;
  }

  /** Answers the open question of an execution. */
  answerInput(messageId: string, value: string): void {
    const { table, requests, send } = this.#parts;
    const record = table.get(messageId);
    const parentHeader = record?.inputHeader;
    if (record === undefined || parentHeader === undefined) {
      return;
    }
    const header = requests.header("input_reply");
    if (send({ channel: "stdin", header, parentHeader, content: { value, status: "ok" } })) {
      record.markAnswered(this.#socket);
    }
  }

  /** A kernel that does not introduce itself may run cells all the same. */
  #sendSoon(): void {
    const socket = this.#socket;
    setTimeout(() => this.sendQueued(socket), longestPreparation).unref();
  }

  /** Sends it unless it was sent before, or may not be sent yet. */
  #send(record: ExecutionRecord): void {
    if (record.phase !== "queued" || !record.isWrittenDown || this.#sendingOn !== this.#socket) {
      return;
    }
    const content = {
      ...{ code: record.code ?? "", silent: false, store_history: true, user_expressions: {} },
      ...{ allow_stdin: true, stop_on_error: record.stopOnError },
    };
    const header = this.#parts.requests.header("execute_request", record.entry.messageId);
    const { cellId } = record.entry;
    const message: OutgoingMessage = {
      ...{ channel: "shell", header, content },
      metadata: cellId === undefined ? {} : { cellId },
    };
    if (this.#parts.send(message)) {
      record.markSent(this.#socket);
    }
  }
}

function recordOf({ code, cellId, cellIndex, stopOnError = true, sink }: ExecutionRequest): ExecutionRecord {
  const entry: JournalEntry = {
    ...{ messageId: randomUUID(), cellId, cellIndex, sourceHash: sourceHashOf(code) },
    ...{ sentAt: Date.now(), isFinished: false },
  };
  return new ExecutionRecord(entry, sink, { code, stopOnError });
}

/** The hash of a cell's source that a journal's entry has. */
export function sourceHashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
