import { createHash, randomUUID } from "node:crypto";
import type { JournalEntry } from "../executions/execution-journal.ts";
import { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { Execution, ExecutionOutcome, ExecutionRequest } from "../executions/executions.ts";
import { MessageTooLargeError, type OutgoingMessage, runMember } from "../wire/kernel-message.ts";
import type { KernelRequests } from "./kernel-requests.ts";

/** Maximum time that executions wait for the kernel's information and the recorder, in milliseconds. */
const maxPreparationMs = 3000;

interface ExecutionSenderParts {
  readonly table: ExecutionTable;
  readonly requests: KernelRequests;
  /** Returns false if there is no open socket. */
  readonly send: (message: OutgoingMessage) => boolean;
  /** The outcome of executions that can no longer be sent; undefined while they can. */
  readonly end: () => ExecutionOutcome | undefined;
  readonly flush: () => void | Promise<void>;
}

/**
 * Sends each execution once, in order, as soon as it is in the journal and the kernel is prepared. Also sends the
 * replies to input requests.
 */
export class ExecutionSender {
  readonly #parts: ExecutionSenderParts;
  #socket = 0;
  /** The socket on which executions are sent; 0 for none. */
  #sendingOn = 0;
  /** True while the kernel restarts. New executions wait for the new process. */
  #isHeld = false;
  /** Number of the current preparation. Each socket and each restart have their own timeout. */
  #preparation = 0;
  /** Serializes calls to `execute`, so that each is recorded and sent before the next one. */
  #sending: Promise<unknown> = Promise.resolve();

  constructor(parts: ExecutionSenderParts) {
    this.#parts = parts;
  }

  /** Number of the newest socket, starting at 1. */
  get socket(): number {
    return this.#socket;
  }

  /** Registers a new socket. Executions wait until the kernel is prepared. Returns the socket's number. */
  open(): number {
    this.#socket += 1;
    this.#sendSoon();
    return this.#socket;
  }

  /** Stops sending until `release` or `restart` is called. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Resumes sending, beginning with the executions that waited. */
  release(): void {
    this.#isHeld = false;
    this.#sendAll();
  }

  /** Resumes after a restart of the kernel. Executions wait until the new process is prepared. */
  restart(): void {
    this.#isHeld = false;
    this.#sendingOn = 0;
    this.#sendSoon();
  }

  /** Stops sending, because the socket broke. */
  lose(): void {
    this.#sendingOn = 0;
  }

  /** Sends the waiting executions, because the kernel is prepared. Does nothing if there is a newer socket. */
  sendQueued(socket: number): void {
    if (socket !== this.#socket || this.#sendingOn === socket) {
      return;
    }
    this.#sendingOn = socket;
    this.#sendAll();
  }

  /** Records and sends executions. Rejects only if the journal can't be written. Nothing is sent in that case. */
  execute(requests: readonly ExecutionRequest[]): Promise<readonly Execution[]> {
    const send = async (): Promise<readonly Execution[]> => {
      const { table, end, flush } = this.#parts;
      const run = randomUUID();
      const records = requests.map((request) => recordOf(request, run));
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

  /** Replies to the open input request of an execution. Does nothing if there is none. */
  sendInputReply(messageId: string, value: string): void {
    const { table, requests, send } = this.#parts;
    const record = table.get(messageId);
    const parentHeader = record?.inputHeader;
    if (record === undefined || parentHeader === undefined) {
      return;
    }
    const header = requests.header("input_reply");
    if (send({ channel: "stdin", header, parentHeader, content: { value, status: "ok" } })) {
      record.markInputReplied(this.#socket);
    }
  }

  /** Sends after a timeout, because a kernel that doesn't reply with its information may still run cells. */
  #sendSoon(): void {
    const socket = this.#socket;
    this.#preparation += 1;
    const preparation = this.#preparation;
    const send = (): void => (preparation === this.#preparation ? this.sendQueued(socket) : undefined);
    setTimeout(send, maxPreparationMs).unref();
  }

  #sendAll(): void {
    for (const record of this.#parts.table.pending) {
      this.#send(record);
    }
  }

  /** Sends an execution unless it was already sent or can't be sent yet. */
  #send(record: ExecutionRecord): void {
    const isReady = !this.#isHeld && this.#sendingOn === this.#socket;
    if (!isReady || record.phase !== "queued" || !record.isWrittenDown) {
      return;
    }
    const content = {
      code: record.code ?? "",
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: true,
      stop_on_error: record.stopOnError,
    };
    const header = this.#parts.requests.header("execute_request", record.entry.messageId);
    const { cellId } = record.entry;
    const { run } = record;
    const message: OutgoingMessage = {
      channel: "shell",
      header,
      content,
      metadata: {
        ...(cellId === undefined ? {} : { cellId }),
        ...(run !== undefined && record.stopOnError ? { [runMember]: run } : {}),
      },
    };
    try {
      if (this.#parts.send(message)) {
        record.markSent(this.#socket);
      }
    } catch (error) {
      if (!(error instanceof MessageTooLargeError)) {
        throw error;
      }
      this.#refuse(record, error);
    }
  }

  /** Ends an execution that can't be sent, and the later ones of its run, as after any failed cell. */
  #refuse(record: ExecutionRecord, error: MessageTooLargeError): void {
    const { table, flush } = this.#parts;
    const { run } = record;
    const advice = "Upload the data to the workspace as a file, and read it in the cell.";
    record.push({ type: "started", executionCount: undefined, at: Date.now() });
    record.push({ type: "error", name: "CellTooLarge", value: `${error.message} ${advice}`, traceback: [] });
    table.end(record, { type: "error" });
    for (const later of table.pending) {
      if (record.stopOnError && later.run === run && later.phase === "queued") {
        table.end(later, { type: "dropped" });
      }
    }
    void flush();
  }
}

function recordOf(
  { code, cellId, cellIndex, stopOnError = true, sink }: ExecutionRequest,
  run: string,
): ExecutionRecord {
  const entry: JournalEntry = {
    messageId: randomUUID(),
    cellId,
    cellIndex,
    sourceHash: sourceHashOf(code),
    sentAt: Date.now(),
    isFinished: false,
  };
  return new ExecutionRecord(entry, sink, { code, stopOnError, run });
}

/** Hash of a cell's source, as in journal entries. */
export function sourceHashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
