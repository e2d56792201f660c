import type { IncomingMessage, MessageHeader } from "../wire/kernel-message.ts";
import { textOf } from "../wire/message-codec.ts";
import { countOf, eventOf, isOutput, payloadOf, timeOf } from "../wire/message-events.ts";
import type { JournalEntry } from "./execution-journal.ts";
import type { Execution, ExecutionEvent, ExecutionOutcome, ExecutionSink, GapReason } from "./executions.ts";

/** A reply that came; the execution ends when the kernel is idle, too: its output comes on another channel. */
type Reply = Extract<ExecutionEvent, { type: "ended" }>;

/** What a cell shows whose reply the kernel dropped. */
const noReply: ExecutionEvent = {
  ...{ type: "error", name: "NoReply", traceback: [] },
  value:
    "The kernel finished this cell without a reply. This happens when it is interrupted just before the code begins. Check whether the code ran before you run it again.",
};

/** What the kernel asked last, and on which socket the answer went out. */
interface Question {
  readonly header: MessageHeader;
  readonly event: Extract<ExecutionEvent, { type: "inputRequest" }>;
  answeredOn: number | undefined;
}

/** One execution: what arrived for it, and what its sink has not been given yet. */
export class ExecutionRecord implements Execution {
  readonly code: string | undefined;
  readonly stopOnError: boolean;
  readonly ended: Promise<ExecutionOutcome>;
  /** Number of the socket on which it was sent; 0 for one of an earlier window. */
  socket = 0;
  /** True once the journal has it: nothing is sent before. */
  isWrittenDown = false;
  /** True for one that was to be dropped, and had been sent already. */
  isUnwanted = false;

  #entry: JournalEntry;
  readonly #sink: ExecutionSink;
  readonly #resolve: (outcome: ExecutionOutcome) => void;
  #phase: Execution["phase"];
  #outputBytes = 0;
  #batch: ExecutionEvent[] = [];
  #reply: Reply | undefined;
  #isIdle = false;
  #isReplyLost = false;
  #hasTrace = false;
  #question: Question | undefined;

  constructor(
    entry: JournalEntry,
    sink: ExecutionSink,
    request?: { readonly code: string; readonly stopOnError: boolean },
  ) {
    this.#entry = entry;
    this.#sink = sink;
    this.code = request?.code;
    this.stopOnError = request?.stopOnError ?? true;
    this.#phase = entry.isFinished ? "ended" : request === undefined ? "sent" : "queued";
    const { promise, resolve } = Promise.withResolvers<ExecutionOutcome>();
    this.ended = promise;
    this.#resolve = resolve;
    if (entry.isFinished) {
      resolve({ type: "unknown" });
    }
  }

  get entry(): JournalEntry {
    return this.#entry;
  }

  get phase(): Execution["phase"] {
    return this.#phase;
  }

  get outputBytes(): number {
    return this.#outputBytes;
  }

  get hasEvents(): boolean {
    return this.#batch.length > 0;
  }

  /** True once any message showed that the kernel got it. */
  get hasTrace(): boolean {
    return this.#hasTrace;
  }

  /** True when its reply came, and only its output may be missing. */
  get hasReply(): boolean {
    return this.#reply !== undefined;
  }

  /** The header of its open input request. */
  get inputHeader(): MessageHeader | undefined {
    return this.#question?.answeredOn === undefined ? this.#question?.header : undefined;
  }

  /** Its question was answered on that socket. */
  markAnswered(socket: number): void {
    if (this.#question !== undefined) {
      this.#question.answeredOn = socket;
    }
  }

  /**
   * Asks again what was answered on a socket before this one, unless the kernel has gone on since: the answer may be
   * lost. Where it was not, the kernel drops the second one.
   */
  askAgain(socket: number): boolean {
    const question = this.#question;
    if (question?.answeredOn === undefined || question.answeredOn >= socket || this.#phase === "ended") {
      return false;
    }
    question.answeredOn = undefined;
    this.push(question.event);
    return true;
  }

  markSent(socket: number): void {
    this.socket = socket;
    this.#phase = "sent";
  }

  /** Takes a message that has it as its parent. */
  take(message: IncomingMessage): void {
    this.#hasTrace = true;
    if (this.#question?.answeredOn !== undefined && message.header.msg_type !== "status") {
      this.#question = undefined;
    }
    if (message.header.msg_type === "execute_reply") {
      this.#takeReply(message);
      return;
    }
    const event = eventOf(message);
    if (event === undefined) {
      return;
    }
    if (isOutput(message.header.msg_type)) {
      this.#outputBytes += message.byteLength;
    }
    switch (event.type) {
      case "started":
        this.#phase = this.#phase === "ended" ? "ended" : "running";
        break;
      case "inputRequest":
        this.#question = { header: message.header, event, answeredOn: undefined };
        break;
      case "idle":
        this.#isIdle = true;
        break;
    }
    this.push(event);
    this.#endIfDone();
  }

  push(event: ExecutionEvent): void {
    const last = this.#batch.at(-1);
    if (event.type === "stream" && last?.type === "stream" && last.name === event.name) {
      this.#batch[this.#batch.length - 1] = { ...last, text: last.text + event.text };
    } else {
      this.#batch.push(event);
    }
  }

  gap(reason: GapReason): void {
    this.push({ type: "gap", reason });
  }

  /** All of its messages come again, from the first. */
  replay(): void {
    this.#batch = [];
    this.#outputBytes = 0;
    this.#reply = undefined;
    this.#isIdle = false;
    this.push({ type: "replay" });
  }

  /** Ends it without, or in spite of, a reply. */
  end(outcome: ExecutionOutcome, at = Date.now()): void {
    if (this.#phase !== "ended") {
      this.#finish({ type: "ended", outcome, executionCount: undefined, at, payload: [] });
    }
  }

  /** Ends it with the reply that came, though the kernel never reported to be idle. */
  endWithReply(): void {
    if (this.#reply !== undefined && this.#phase !== "ended") {
      this.#finish(this.#reply);
    }
  }

  /** The kernel has dropped its reply: it ends when the kernel reports to be done with it, with an error that says so. */
  loseReply(): void {
    this.#isReplyLost = true;
    this.#endIfDone();
  }

  /** Gives the sink what it has not got yet. */
  deliver(): void | Promise<void> {
    const events = this.#batch;
    this.#batch = [];
    return this.#sink.onEvents(events);
  }

  #takeReply({ header, content }: IncomingMessage): void {
    const status = textOf(content.status);
    // Older kernels say `abort`.
    const outcome: ExecutionOutcome =
      status === "ok" ? { type: "ok" } : status.startsWith("abort") ? { type: "aborted" } : { type: "error" };
    this.#reply = {
      ...{ type: "ended", outcome, executionCount: countOf(content), at: timeOf(header) },
      payload: payloadOf(content),
    };
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (!this.#isIdle) {
      return;
    }
    const reply = this.#reply;
    this.#reply = undefined;
    if (reply === undefined) {
      if (this.#isReplyLost && this.#phase !== "ended") {
        this.push(noReply);
        this.end({ type: "error" });
      }
      return;
    }
    if (this.#phase === "ended") {
      // A replayed execution had ended before.
      this.push(reply);
    } else {
      this.#finish(reply);
    }
  }

  #finish(ended: Reply): void {
    this.#phase = "ended";
    this.#entry = { ...this.#entry, isFinished: true };
    this.#question = undefined;
    this.push(ended);
    this.#resolve(ended.outcome);
  }
}
