import { MessageTooLargeError, type OutgoingMessage, runMember } from "../wire/kernel-message.ts";
import type { Agenda } from "./agenda.ts";
import type { ExecutionRecord } from "./execution/execution.ts";
import type { SentRequest } from "./execution/execution-state.ts";
import type { Executions } from "./execution/executions.ts";
import type { Link } from "./link.ts";
import type { KernelRequests } from "./requests.ts";

/** Maximum time that executions wait for the kernel's information and the recorder, in milliseconds. */
const maxPreparationMs = 3000;
/**
 * Milliseconds from the start of an execution until its code runs. An earlier interrupt would hit the kernel itself,
 * which then sends no reply.
 */
const codeStartTimeoutMs = 100;

interface SendingParts {
  readonly agenda: Agenda;
  readonly link: Link;
  readonly requests: KernelRequests;
  readonly executions: Executions;
}

/** Whether executions are sent. `held`: the kernel restarts, and new ones wait for the new process. */
type State =
  | { readonly type: "disconnected" }
  | { readonly type: "preparing"; readonly socket: number; readonly timer: number }
  | { readonly type: "ready"; readonly socket: number };

/**
 * Sends each execution once, in order, as soon as it is in the journal and the kernel is prepared. Also sends the
 * replies to input requests.
 */
export class Sending {
  readonly #parts: SendingParts;
  #state: State = { type: "disconnected" };
  #isHeld = false;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  /** Waits until the kernel is prepared for a new socket, or for its new process. */
  prepare(socket: number): void {
    this.#cancelTimer();
    // A kernel that doesn't reply with its information may still run cells.
    const timer = this.#parts.agenda.setTimer({ name: "preparation" }, maxPreparationMs);
    this.#state = { type: "preparing", socket, timer };
  }

  /** Sends the waiting executions, because the kernel is prepared, or has had enough time. */
  prepared(socket = "socket" in this.#state ? this.#state.socket : undefined): void {
    if (this.#state.type === "preparing" && this.#state.socket === socket) {
      this.#cancelTimer();
      this.#state = { type: "ready", socket };
      this.sendQueued();
    }
  }

  /** Stops sending, because the socket broke. */
  lose(): void {
    this.#cancelTimer();
    this.#state = { type: "disconnected" };
  }

  /** Stops sending until `release` is called, because the kernel restarts. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.sendQueued();
  }

  /** Sends all executions that can be sent and were not. */
  sendQueued(): void {
    for (const record of this.#parts.executions.pending) {
      const request = record.unsent;
      if (request !== undefined) {
        this.#send(record, request);
      }
    }
  }

  /**
   * Replies to the open input request of an execution. Without a connection, the reply waits for one. Does nothing if
   * there is no open input request.
   */
  replyToInput(messageId: string, value: string): void {
    const { executions, requests, link } = this.#parts;
    const question = executions.get(messageId)?.question;
    if (question?.isOpen !== true) {
      return;
    }
    const parentHeader = question.header;
    const header = requests.header("input_reply");
    const isSent = link.send({ channel: "stdin", header, parentHeader, content: { value, status: "ok" } });
    if (isSent && link.socket !== undefined) {
      question.markReplied(link.socket);
    } else {
      question.keepReply(value);
    }
  }

  /** Sends the replies to input requests that waited for a connection. */
  sendInputReplies(): void {
    for (const record of this.#parts.executions.pending) {
      const value = record.question?.unsentReply;
      if (value !== undefined) {
        this.replyToInput(record.entry.messageId, value);
      }
    }
  }

  /** Interrupts an execution that began although it is not wanted, when its code runs. */
  interruptSoon({ isUnwanted, entry }: ExecutionRecord): void {
    if (isUnwanted) {
      this.#parts.agenda.setTimer({ name: "codeStart", messageId: entry.messageId }, codeStartTimeoutMs);
    }
  }

  #send(record: ExecutionRecord, { code, run }: SentRequest): void {
    const state = this.#state;
    if (this.#isHeld || state.type !== "ready") {
      return;
    }
    const content = {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: true,
      stop_on_error: record.stopOnError,
    };
    const { messageId, cellId } = record.entry;
    const message: OutgoingMessage = {
      channel: "shell",
      header: this.#parts.requests.header("execute_request", messageId),
      content,
      metadata: { ...(cellId === undefined ? {} : { cellId }), ...(record.stopOnError ? { [runMember]: run } : {}) },
    };
    try {
      if (this.#parts.link.send(message)) {
        record.markSent(state.socket, this.#parts.executions.isRecording);
      }
    } catch (error) {
      if (!(error instanceof MessageTooLargeError)) {
        throw error;
      }
      this.#refuse(record, run, error);
    }
  }

  /** Ends an execution that can't be sent, and the later ones of its run, as after any failed cell. */
  #refuse(record: ExecutionRecord, run: string, error: MessageTooLargeError): void {
    const { executions, agenda } = this.#parts;
    const advice = "Upload the data to the workspace as a file, and read it in the cell.";
    record.push({ type: "started", executionCount: undefined, at: agenda.now });
    record.push({ type: "error", name: "CellTooLarge", value: `${error.message} ${advice}`, traceback: [] });
    executions.end(record, { type: "error" });
    if (record.stopOnError) {
      executions.dropQueued((later) => later.run === run);
    }
  }

  #cancelTimer(): void {
    if (this.#state.type === "preparing") {
      this.#parts.agenda.cancelTimer(this.#state.timer);
    }
  }
}
