import type { IncomingMessage, MessageHeader } from "../wire/kernel-message.ts";
import { stringField } from "../wire/message-codec.ts";
import { countOf, eventOf, isOutput, messageTime, payloadOf } from "../wire/message-events.ts";
import { EventBatch } from "./event-batch.ts";
import type { JournalEntry } from "./execution-journal.ts";
import type { Execution, ExecutionEvent, ExecutionOutcome, ExecutionSink, GapReason } from "./executions.ts";

/**
 * A reply that has arrived. The execution ends only when the kernel is also idle, because output arrives on another
 * channel.
 */
type Reply = Extract<ExecutionEvent, { type: "ended" }>;

/** The error that a cell shows if the kernel dropped its reply. */
const noReply: ExecutionEvent = {
  type: "error",
  name: "NoReply",
  traceback: [],
  value:
    "The kernel finished this cell without a reply. This happens when it is interrupted just before the code begins. Check whether the code ran before you run it again.",
};

/** The error that a cell shows if the kernel ends it with `abort`, as some kernels do when they are interrupted. */
const interrupted: ExecutionEvent = {
  type: "error",
  name: "Interrupted",
  value: "The cell was interrupted.",
  traceback: [],
};

/** The kernel's last input request, and the number of the socket on which the reply was sent. */
interface Question {
  readonly header: MessageHeader;
  readonly event: Extract<ExecutionEvent, { type: "inputRequest" }>;
  repliedOn: number | undefined;
}

/** What is sent. `run`: the id of the run, which is shared by all executions that are sent together. */
interface SentRequest {
  readonly code: string;
  readonly stopOnError: boolean;
  readonly run: string;
}

/**
 * An execution: its state, and the events that its sink has not received yet. Ended ones are kept for their late output,
 * and hold as little as possible.
 */
export class ExecutionRecord implements Execution {
  readonly stopOnError: boolean;
  /** Number of the socket on which it was sent; 0 for an execution of an earlier window. */
  socket = 0;
  /** True once it is in the journal. Nothing is sent before that. */
  isWrittenDown = false;
  /** True if it was interrupted or canceled after it was sent but before it began. It is interrupted when it begins. */
  isUnwanted = false;
  /** True if it ended in an earlier window, whose output its cell still shows. Only later output is delivered. */
  hasOnlyLateOutput = false;

  #entry: JournalEntry;
  readonly #sink: ExecutionSink;
  /** Undefined after a reload, and once it has ended. */
  #request: SentRequest | undefined;
  /** Undefined once it is resolved. */
  #ended: PromiseWithResolvers<ExecutionOutcome> | undefined;
  #phase: Execution["phase"];
  #outcome: ExecutionOutcome | undefined;
  #outputBytes = 0;
  /** Undefined if it is empty. */
  #batch: EventBatch | undefined;
  #reply: Reply | undefined;
  #isIdle = false;
  #idleAt: number | undefined;
  #isReplyLost = false;
  #hasBegun = false;
  /** True once the kernel has sent an error. */
  #hasError = false;
  /** The replies that don't end it while the kernel restarts. `failure`: replies with an error. */
  #heldBack: "none" | "failure" | "all" = "none";
  #hasEndedWithKernel = false;
  /** True if the sink has received the end, or is about to. */
  #isEndReported = false;
  #hasTrace = false;
  #question: Question | undefined;

  constructor(entry: JournalEntry, sink: ExecutionSink, request?: SentRequest) {
    this.#entry = entry;
    this.#sink = sink;
    this.stopOnError = request?.stopOnError ?? true;
    this.#request = request;
    this.#phase = entry.isFinished ? "ended" : request === undefined ? "sent" : "queued";
    this.#ended = entry.isFinished ? undefined : Promise.withResolvers();
  }

  get ended(): Promise<ExecutionOutcome> {
    return this.#ended?.promise ?? Promise.resolve(this.#outcome ?? { type: "unknown" });
  }

  /** The code; undefined after a reload, and once it has ended. */
  get code(): string | undefined {
    return this.#request?.code;
  }

  /** The id of the run; undefined after a reload, and once it has ended. */
  get run(): string | undefined {
    return this.#request?.run;
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
    return this.#batch !== undefined;
  }

  /** True once any message shows that the kernel received it. */
  get hasTrace(): boolean {
    return this.#hasTrace;
  }

  /** True if the reply has arrived, and only output may be missing. */
  get hasReply(): boolean {
    return this.#reply !== undefined;
  }

  /** True if the reply has arrived, and the idle status has not. */
  get isWaitingForIdle(): boolean {
    return this.#reply !== undefined && !this.#isIdle && this.#phase !== "ended";
  }

  /** The header of the open input request; undefined if there is none. */
  get inputHeader(): MessageHeader | undefined {
    return this.#question?.repliedOn === undefined ? this.#question?.header : undefined;
  }

  /** Records that the input reply was sent on this socket. */
  markInputReplied(socket: number): void {
    if (this.#question !== undefined) {
      this.#question.repliedOn = socket;
    }
  }

  /**
   * Repeats an input request whose reply was sent on an earlier socket and may be lost, unless the kernel has
   * continued. If the first reply did arrive, the kernel drops the second one. Returns true if the request was
   * repeated.
   */
  askAgain(socket: number): boolean {
    const question = this.#question;
    if (question?.repliedOn === undefined || question.repliedOn >= socket || this.#phase === "ended") {
      return false;
    }
    question.repliedOn = undefined;
    this.push(question.event);
    return true;
  }

  markSent(socket: number): void {
    this.socket = socket;
    this.#phase = "sent";
  }

  /**
   * Withdraws it, because the kernel is about to restart and must not run it. If it runs anyway, its reply is held
   * back. If it is running, an error is held back: the server interrupts the kernel before it ends its process, so
   * whether a reply to the interrupt still arrives is chance.
   */
  withdraw(): void {
    if (this.#phase === "running") {
      this.#heldBack = "failure";
      return;
    }
    this.#heldBack = "all";
    this.isUnwanted = false;
  }

  /** Makes it valid again, because the kernel was not restarted. A reply that was held back counts. */
  reinstate(): void {
    this.#heldBack = "none";
    this.#endIfDone();
  }

  /** Handles a message whose parent is this execution's request. */
  handle(message: IncomingMessage): void {
    const type = message.header.msg_type;
    if (this.#hasEndedWithKernel && !isOutput(type) && type !== "clear_output") {
      // Ignore the old process's state, which could be mistaken for that of the new one.
      return;
    }
    this.#hasTrace = true;
    if (this.#question?.repliedOn !== undefined && type !== "status") {
      this.#question = undefined;
    }
    if (type === "execute_reply") {
      this.#takeReply(message);
      return;
    }
    if (isOutput(type)) {
      this.#outputBytes += message.byteLength;
    }
    if (type === "stream" && message.longText !== undefined) {
      this.#batch ??= new EventBatch();
      this.#batch.addLong(message);
      return;
    }
    const event = eventOf(message);
    if (event === undefined) {
      return;
    }
    switch (event.type) {
      case "started":
        this.#hasBegun = true;
        this.#phase = this.#phase === "ended" ? "ended" : "running";
        break;
      case "inputRequest":
        this.#question = { header: message.header, event, repliedOn: undefined };
        break;
      case "error":
        this.#hasError = true;
        break;
      case "idle":
        this.#isIdle = true;
        this.#idleAt = event.at;
        break;
    }
    this.push(event);
    this.#endIfDone();
  }

  push(event: ExecutionEvent): void {
    this.#batch ??= new EventBatch();
    this.#batch.add(event);
    this.#isEndReported ||= event.type === "ended";
  }

  gap(reason: GapReason): void {
    this.push({ type: "gap", reason });
  }

  /** Starts over, because all messages are delivered again from the beginning. */
  replay(): void {
    this.#batch = undefined;
    this.#outputBytes = 0;
    this.#reply = undefined;
    this.#isIdle = false;
    this.#hasBegun = false;
    this.#hasError = false;
    this.#isEndReported = false;
    this.push({ type: "replay" });
  }

  /** Ends it without a reply, or despite one. */
  end(outcome: ExecutionOutcome, at = Date.now()): void {
    if (this.#phase !== "ended") {
      this.#hasEndedWithKernel = outcome.type === "kernelEnded";
      this.#finish({ type: "ended", outcome, executionCount: undefined, at, payload: [] });
    }
  }

  /** Ends it with the reply that arrived, even though the kernel never reported that it is idle. */
  endWithReply(): void {
    if (this.#reply !== undefined && this.#phase !== "ended") {
      this.#finish(this.#reply);
    }
  }

  /** Records that the kernel dropped the reply. The execution ends with an error when the kernel is idle. */
  loseReply(): void {
    this.#isReplyLost = true;
    this.#endIfDone();
  }

  /** Delivers the pending events to the sink. `ended` resolves when the sink has received all of them. */
  deliver(): void | Promise<void> {
    this.#tellEnd();
    const batch = this.#batch;
    this.#batch = undefined;
    // The execution can end while a slow sink is still handling earlier events.
    const outcome = this.#outcome;
    const settle = (): void => (outcome === undefined ? undefined : this.#settle(outcome));
    try {
      const delivery = batch?.deliver(this.#sink);
      if (delivery !== undefined) {
        return delivery.finally(settle);
      }
    } catch (error) {
      settle();
      throw error;
    }
    settle();
  }

  /**
   * Adds the end from the journal if the kernel's messages don't contain it, because of a reload or a missing reply.
   */
  #tellEnd(): void {
    if (this.#phase !== "ended" || this.#isEndReported) {
      return;
    }
    const { outcome = "unknown", sentAt } = this.#entry;
    const at = this.#idleAt ?? sentAt;
    if (outcome === "noReply") {
      this.push(noReply);
    }
    const type = outcome === "noReply" ? "error" : outcome;
    this.push({ type: "ended", outcome: { type }, executionCount: undefined, at, payload: [] });
  }

  #settle(outcome: ExecutionOutcome): void {
    this.#ended?.resolve(outcome);
    this.#ended = undefined;
  }

  #takeReply({ header, content }: IncomingMessage): void {
    const status = stringField(content.status);
    const isAborted = status.startsWith("abort");
    // The reply can arrive before the message that the execution began. Only executions that began have a count.
    const hasBegun = this.#hasBegun || countOf(content) !== undefined;
    if (isAborted && hasBegun && !this.#hasError) {
      this.push(interrupted);
    }
    // Some kernels report nothing else about an execution that they did not begin.
    this.#isIdle ||= isAborted && !hasBegun;
    const outcome: ExecutionOutcome =
      status === "ok" ? { type: "ok" } : isAborted && !hasBegun ? { type: "aborted" } : { type: "error" };
    this.#reply = {
      type: "ended",
      outcome,
      executionCount: countOf(content),
      at: messageTime(header),
      payload: payloadOf(content),
    };
    this.#endIfDone();
  }

  #endIfDone(): void {
    const reply = this.#reply;
    if (!this.#isIdle || (reply !== undefined && this.#isHeldBack(reply))) {
      return;
    }
    this.#reply = undefined;
    if (reply === undefined) {
      if (this.#isReplyLost && this.#phase !== "ended") {
        this.push(noReply);
        this.end({ type: "error" });
      }
      return;
    }
    if (this.#phase === "ended") {
      // A replayed execution has already ended.
      this.push(reply);
    } else {
      this.#finish(reply);
    }
  }

  #isHeldBack({ outcome }: Reply): boolean {
    switch (this.#heldBack) {
      case "none":
        return false;
      case "failure":
        return outcome.type === "error";
      case "all":
        return outcome.type !== "aborted";
    }
  }

  #finish(ended: Reply): void {
    this.#phase = "ended";
    const outcome = this.#isReplyLost ? "noReply" : ended.outcome.type;
    const { messageId, cellId, cellIndex, sourceHash, sentAt } = this.#entry;
    // Listed, because a spread takes five times the memory.
    this.#entry = { messageId, cellId, cellIndex, sourceHash, sentAt, isFinished: true, outcome };
    this.#question = undefined;
    this.#request = undefined;
    this.#outcome = ended.outcome;
    this.push(ended);
  }
}
