import { EventBatch } from "../../executions/event-batch.ts";
import type { JournalEntry } from "../../executions/execution-journal.ts";
import type { ExecutionEvent, ExecutionOutcome, ExecutionSink, GapReason } from "../../executions/executions.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import { eventOf, isOutput } from "../../wire/message-events.ts";
import { ArrivedMessages, type Reply } from "./arrived-messages.ts";
import { type ExecutionState, type InKernel, type SentRequest, sentOn } from "./execution-state.ts";
import { InputQuestion } from "./input-question.ts";

/** The error that a cell shows if the kernel dropped its reply. */
const noReply: ExecutionEvent = {
  type: "error",
  name: "NoReply",
  traceback: [],
  value:
    "The kernel finished this cell without a reply. This happens when it is interrupted just before the code begins. Check whether the code ran before you run it again.",
};

/** What a caller can see of an execution. */
export interface ExecutionView {
  readonly entry: JournalEntry;
  readonly phase: "queued" | "sent" | "running" | "ended";
  /** Size of the output so far, in bytes. */
  readonly outputBytes: number;
  /** Undefined until it ends, and if it ended in an earlier window. */
  readonly outcome: ExecutionOutcome | undefined;
}

/**
 * One execution: its state, and the events that its sink has not received yet. Ended ones are kept for their late
 * output, and hold as little as possible.
 */
export class ExecutionRecord implements ExecutionView {
  readonly stopOnError: boolean;
  readonly sink: ExecutionSink;
  /** True if it ended in an earlier window, whose output its cell still shows. Only later output is delivered. */
  readonly hasOnlyLateOutput: boolean;
  #entry: JournalEntry;
  #state: ExecutionState;
  #outputBytes = 0;
  #isRecorded: boolean;
  /** True if something else than its reply has ended it. */
  #isEndedWithoutReply = false;
  /** Number of the newest published message that was delivered. */
  #lastNumber = 0;
  /** Undefined if it is empty. */
  #batch: EventBatch | undefined;
  #awaitsReplay: boolean;

  /** Without a request, the execution was sent by an earlier window. */
  constructor(
    entry: JournalEntry,
    sink: ExecutionSink,
    {
      request,
      stopOnError = true,
      hasOnlyLateOutput = false,
    }: { readonly request?: SentRequest; readonly stopOnError?: boolean; readonly hasOnlyLateOutput?: boolean } = {},
  ) {
    this.#entry = entry;
    this.sink = sink;
    this.stopOnError = stopOnError;
    this.hasOnlyLateOutput = hasOnlyLateOutput;
    this.#awaitsReplay = request === undefined && !hasOnlyLateOutput;
    // Whether the recorder is older than an execution of an earlier window turns out when it is read.
    this.#isRecorded = entry.isFinished;
    if (entry.isFinished) {
      this.#state = { type: "ended", outcome: undefined, arrived: undefined, isReported: false };
    } else {
      this.#state = request === undefined ? sentOn(0) : { type: "journaling", request };
    }
  }

  get entry(): JournalEntry {
    return this.#entry;
  }

  get phase(): ExecutionView["phase"] {
    switch (this.#state.type) {
      case "journaling":
        return "queued";
      case "waitingForInput":
        return "running";
      default:
        return this.#state.type;
    }
  }

  get isEnded(): boolean {
    return this.#state.type === "ended";
  }

  get outputBytes(): number {
    return this.#outputBytes;
  }

  get outcome(): ExecutionOutcome | undefined {
    return this.#state.type === "ended" ? this.#state.outcome : undefined;
  }

  get hasEvents(): boolean {
    return this.#batch !== undefined;
  }

  /** What is to be sent, if it is in the journal and was not sent yet. */
  get unsent(): SentRequest | undefined {
    return this.#state.type === "queued" ? this.#state.request : undefined;
  }

  /** The id of the run, until it is sent. */
  get run(): string | undefined {
    return "request" in this.#state ? this.#state.request.run : undefined;
  }

  /** Number of the socket on which it was sent; undefined if the kernel does not have it. */
  get socket(): number | undefined {
    return this.#inKernel?.socket;
  }

  /** True once any message shows that the kernel received it. */
  get isReceived(): boolean {
    return this.#state.type === "sent" ? this.#state.isReceived : this.#inKernel !== undefined;
  }

  /** True if the kernel's recorder has everything of it. */
  get isRecorded(): boolean {
    return this.#isRecorded;
  }

  /** True if the kernel has run it, or may have, and the recorder may lack some of it. */
  get isPartlyRecorded(): boolean {
    const outcome = this.outcome?.type;
    return this.phase !== "queued" && outcome !== "dropped" && outcome !== "aborted" && !this.#isRecorded;
  }

  markRecorded(isRecorded: boolean): void {
    this.#isRecorded = isRecorded;
  }

  /**
   * True for an execution of an earlier window until its messages are read from the recorder as a whole. What is read for
   * something else before is not for its cell, which may show it already.
   */
  get awaitsReplay(): boolean {
    return this.#awaitsReplay;
  }

  markReplayed(): void {
    this.#awaitsReplay = false;
  }

  /** Number of the newest published message that was delivered; 0 if none had a number. */
  get newestNumber(): number {
    return this.#lastNumber;
  }

  /** True if a later message was delivered before, so that this output would be out of order. */
  isPast({ header }: IncomingMessage): boolean {
    const { publishedNumber = this.#lastNumber, msg_type } = header;
    return publishedNumber < this.#lastNumber && (isOutput(msg_type) || msg_type === "clear_output");
  }

  /** True if the reply has arrived, and only output may be missing. */
  get hasReply(): boolean {
    const reply = this.#inKernel?.arrived.reply;
    return reply !== undefined && reply !== "lost";
  }

  /** True if the kernel was idle again, and no reply has arrived. */
  get isIdleWithoutReply(): boolean {
    return !this.hasReply && this.#inKernel?.arrived.idleAt !== undefined;
  }

  /** True if the reply has arrived, and the idle status has not. */
  get isWaitingForIdle(): boolean {
    return this.hasReply && this.#inKernel?.arrived.idleAt === undefined;
  }

  /** True if it began although it was interrupted or canceled before. */
  get isUnwanted(): boolean {
    return this.phase === "running" && this.#inKernel?.isUnwanted === true;
  }

  get #inKernel(): InKernel | undefined {
    return "inKernel" in this.#state ? this.#state.inKernel : undefined;
  }

  get #arrived(): ArrivedMessages | undefined {
    return this.#state.type === "ended" ? this.#state.arrived : this.#inKernel?.arrived;
  }

  markJournaled(): void {
    if (this.#state.type === "journaling") {
      this.#state = { type: "queued", request: this.#state.request };
    }
  }

  /** `isRecorded`: the kernel has a recorder. */
  markSent(socket: number, isRecorded = false): void {
    this.#state = sentOn(socket);
    this.#isRecorded = isRecorded;
  }

  /** Records that it is not wanted anymore, so that it is interrupted when it begins. */
  markUnwanted(): void {
    if (this.#state.type === "sent") {
      this.#state.inKernel.isUnwanted = true;
    }
  }

  /** The kernel's input request, until the kernel has got the input. */
  get question(): InputQuestion | undefined {
    return this.#state.type === "waitingForInput" ? this.#state.question : undefined;
  }

  /**
   * Repeats an input request whose reply was sent on an earlier socket and may be lost, unless the kernel has
   * continued. If the first reply did arrive, the kernel drops the second one. Returns true if the request was
   * repeated.
   */
  askAgain(socket: number): boolean {
    const { question } = this;
    if (question?.reopen(socket) !== true) {
      return false;
    }
    this.push(question.event);
    return true;
  }

  /** Withdraws it, because the kernel is about to restart and must not run it. */
  withdraw(): void {
    const inKernel = this.#inKernel;
    if (inKernel === undefined) {
      return;
    }
    if (this.#state.type === "sent") {
      inKernel.restart = "withdrawn";
      inKernel.isUnwanted = false;
    } else {
      inKernel.restart = "interrupted";
    }
  }

  /** Makes it valid again, because the kernel was not restarted. A reply that did not end it before counts. */
  reinstate(now: number): void {
    const inKernel = this.#inKernel;
    if (inKernel !== undefined) {
      inKernel.restart = "none";
      this.#endIfDone(now);
    }
  }

  /** Handles a message whose parent is this execution's request. `isRecording`: the kernel has a recorder now. */
  handle(message: IncomingMessage, now: number, isRecording = false): void {
    const type = message.header.msg_type;
    this.#lastNumber = Math.max(this.#lastNumber, message.header.publishedNumber ?? 0);
    if ((this.#isEndedWithoutReply || this.hasOnlyLateOutput) && !isOutput(type) && type !== "clear_output") {
      // Ignore the old process's state, which could be mistaken for that of the new one.
      return;
    }
    this.#noteReceived(message, now);
    if (type === "execute_reply") {
      this.#takeReply(message, now);
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
    const event = eventOf(message, now);
    if (event === undefined) {
      return;
    }
    this.#note(event, message, isRecording);
    this.push(event);
    if (event.type === "idle") {
      this.#endIfDone(now);
    }
  }

  push(event: ExecutionEvent): void {
    this.#batch ??= new EventBatch();
    this.#batch.add(event);
    if (event.type === "ended" && this.#state.type === "ended") {
      this.#state.isReported = true;
    }
  }

  gap(reason: GapReason): void {
    this.push({ type: "gap", reason });
  }

  /** Starts over, because all messages are delivered again from the beginning. */
  replay(): void {
    this.#batch = undefined;
    this.#outputBytes = 0;
    this.#lastNumber = 0;
    if (this.#state.type === "ended") {
      this.#state.arrived = new ArrivedMessages();
      this.#state.isReported = false;
    } else if (this.#inKernel !== undefined) {
      this.#inKernel.arrived = new ArrivedMessages();
    }
    this.push({ type: "replay" });
  }

  /** Ends it without a reply, or despite one. */
  end(outcome: ExecutionOutcome, at: number): void {
    if (this.#state.type !== "ended") {
      this.#isEndedWithoutReply = true;
      this.#finish({ type: "ended", outcome, executionCount: undefined, at, payload: [] });
    }
  }

  /** Ends it with the reply that arrived, even though the kernel never reported that it is idle. */
  endWithReply(): void {
    const reply = this.#inKernel?.arrived.reply;
    if (reply !== undefined && reply !== "lost") {
      this.#finish(reply);
    }
  }

  /** Records that the kernel dropped the reply. The execution ends with an error when the kernel is idle. */
  loseReply(now: number): void {
    const inKernel = this.#inKernel;
    if (inKernel !== undefined) {
      inKernel.arrived.reply ??= "lost";
      this.#endIfDone(now);
    }
  }

  /** The events that the sink has not received; undefined if there are none. */
  takeBatch(): EventBatch | undefined {
    this.#reportEnd();
    const batch = this.#batch;
    this.#batch = undefined;
    return batch;
  }

  /**
   * Adds the end from the journal if the kernel's messages don't contain it, because of a reload or a missing reply.
   */
  #reportEnd(): void {
    const state = this.#state;
    if (state.type !== "ended" || state.isReported) {
      return;
    }
    const { outcome = "unknown", sentAt } = this.#entry;
    const at = state.arrived?.idleAt ?? sentAt;
    if (outcome === "noReply") {
      this.push(noReply);
    }
    const type = outcome === "noReply" ? "error" : outcome;
    this.push({ type: "ended", outcome: { type }, executionCount: undefined, at, payload: [] });
  }

  #noteReceived(message: IncomingMessage, now: number): void {
    const state = this.#state;
    if (state.type === "sent") {
      state.isReceived = true;
      return;
    }
    if (state.type === "waitingForInput" && state.question.isEndedBy(message, now)) {
      this.#state = { type: "running", inKernel: state.inKernel };
    }
  }

  #note(event: ExecutionEvent, { header }: IncomingMessage, isRecording: boolean): void {
    const state = this.#state;
    if (state.type === "ended" && event.type === "idle") {
      state.arrived ??= new ArrivedMessages();
    }
    this.#arrived?.note(event);
    if (event.type === "started" && state.type === "sent") {
      this.#state = { type: "running", inKernel: state.inKernel };
    } else if (event.type === "inputRequest" && "inKernel" in state) {
      this.#state = {
        type: "waitingForInput",
        inKernel: state.inKernel,
        question: new InputQuestion(header, event, { isRecorded: isRecording || this.#lastNumber > 0 }),
      };
    }
  }

  #takeReply(message: IncomingMessage, now: number): void {
    const state = this.#state;
    if (state.type === "ended") {
      state.arrived ??= new ArrivedMessages();
    }
    const error = this.#arrived?.takeReply(message, now);
    if (error !== undefined) {
      this.push(error);
    }
    this.#endIfDone(now);
  }

  #endIfDone(now: number): void {
    const state = this.#state;
    const arrived = this.#arrived;
    if (arrived?.idleAt === undefined || arrived.reply === undefined) {
      return;
    }
    const { reply } = arrived;
    if (state.type === "ended") {
      // A replayed execution has already ended.
      if (reply !== "lost" && !state.isReported) {
        this.push(reply);
      }
      arrived.reply = undefined;
    } else if (this.#isHeldBack(reply)) {
      return;
    } else if (reply === "lost") {
      this.push(noReply);
      this.#finish(
        { type: "ended", outcome: { type: "error" }, executionCount: undefined, at: now, payload: [] },
        true,
      );
    } else {
      this.#finish(reply);
    }
  }

  #isHeldBack(reply: Reply | "lost"): boolean {
    const outcome = reply === "lost" ? "error" : reply.outcome.type;
    switch (this.#inKernel?.restart) {
      case "interrupted":
        return outcome === "error";
      case "withdrawn":
        return outcome !== "aborted";
      default:
        return false;
    }
  }

  #finish(ended: Reply, isReplyLost = false): void {
    const outcome = isReplyLost ? "noReply" : ended.outcome.type;
    const { messageId, cellId, cellIndex, sourceHash, sentAt } = this.#entry;
    // Listed, because a spread takes five times the memory.
    this.#entry = { messageId, cellId, cellIndex, sourceHash, sentAt, isFinished: true, outcome };
    this.#state = { type: "ended", outcome: ended.outcome, arrived: undefined, isReported: false };
    this.push(ended);
  }
}
