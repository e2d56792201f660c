import { errorMessage } from "../../error-message.ts";
import type { GapReason } from "../executions/executions.ts";
import type { KernelRecorder, RecordedMessage, RecorderMark, RecorderPage } from "../recorder/recorder.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { isOutput } from "../wire/message-events.ts";
import { type Agenda, type Steps, step } from "./agenda.ts";
import type { ExecutionRecord } from "./execution.ts";
import type { Executions } from "./executions.ts";
import { isCapture, type Output } from "./output.ts";
import type { PublishedSequence } from "./published-sequence.ts";
import { isThreadOutput, ReplyLostError } from "./requests.ts";

/** A loss of output: where it begins, and which executions it affects. */
export interface OutputLoss {
  /** Id of the last message that certainly arrived; undefined if there is none. */
  readonly mark: string | undefined;
  readonly affected: ReadonlySet<ExecutionRecord>;
  readonly reason: GapReason;
}

interface Parts {
  readonly agenda: Agenda;
  readonly executions: Executions;
  readonly output: Output;
  readonly sequence: PublishedSequence;
}

/**
 * Reads messages that did not arrive over the socket from the kernel's recorder, and passes them to their executions. No
 * more is read until the sinks have received what was.
 */
export class RecordedOutput {
  readonly #parts: Parts;
  /** True if the server has dropped output since the recovery last checked. */
  #isDropping = false;
  /** Executions that show output before which some is missing. */
  readonly #toReplay = new Set<ExecutionRecord>();
  #isFilling = false;
  /** Number of the last message that was read for the late output of executions that ended in an earlier window. */
  #lateTo = 0;
  /** The executions whose output was dropped while earlier output is read. */
  #dropped: ReadonlySet<ExecutionRecord> = new Set();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** True while output that the server dropped is being read from the recorder. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  /** Records that output of these executions was dropped. */
  noticeDrop(affected: ReadonlySet<ExecutionRecord>): void {
    this.#isDropping = true;
    if (this.#isFilling) {
      this.#dropped = new Set([...this.#dropped, ...affected]);
    }
  }

  /**
   * Recovers a loss. Holds back messages that arrive meanwhile to preserve the order. True if nothing is missing. Throws
   * a ReplyLostError if the connection broke again. The loss must then be recovered later.
   */
  *fill(loss: OutputLoss, recorder: KernelRecorder | undefined): Steps<boolean> {
    if (recorder === undefined) {
      return yield* this.#report(loss.affected, loss.reason);
    }
    const { output } = this.#parts;
    if (!recorder.isConcurrent) {
      return yield* this.replay(loss.affected, recorder);
    }
    output.hold();
    this.#isFilling = true;
    this.#dropped = new Set();
    try {
      return yield* this.#readUntilQuiet(loss, recorder);
    } catch (error) {
      this.#isFilling = false;
      this.#warn(error);
      output.release();
      return yield* this.#report(loss.affected, loss.reason);
    }
  }

  *#readUntilQuiet(loss: OutputLoss, recorder: KernelRecorder): Steps<boolean> {
    const { executions, output } = this.#parts;
    let mark: RecorderMark = { type: "messages", ids: loss.mark === undefined ? [] : [loss.mark] };
    let isComplete = true;
    // Without a mark, everything in the recorder is read. Messages that the recorder dropped can be older than these
    // executions.
    let isCut = false;
    const begun = new Set<ExecutionRecord>();
    const isShown = this.#shownEarlier(loss.mark);
    // The server resets its counters with each request that the kernel finishes. The next read contains output that is
    // dropped between this read and the reset.
    for (let isLast = false; !isLast; ) {
      isLast = !this.#isDropping;
      this.#isDropping = false;
      for (let left = 1; left > 0; ) {
        const page: RecorderPage = yield* recorder.read(mark);
        if (page.dropped !== 0 && mark.type === "messages" && loss.mark === undefined) {
          isCut = true;
        } else if (page.dropped !== 0) {
          const reason: GapReason = { type: "recorderFull", messages: page.dropped };
          isComplete = yield* this.#report(new Set([...loss.affected, ...this.#dropped]), reason);
        }
        for (const { number, message } of page.messages) {
          this.#noteRead(message);
          const record = loss.mark === undefined ? executions.recordOf(message) : this.#ownerOf(message);
          const isRepeated = record?.hasOnlyLateOutput === true && (number <= this.#lateTo || !isLateOutput(message));
          if (record !== undefined && !isRepeated && !isShown(record, message)) {
            output.releaseBefore(message.header.publishedNumber);
            this.#pass(record, message);
          }
          if (record !== undefined && message.header.msg_type === "execute_input") {
            begun.add(record);
          }
        }
        yield* this.#flush();
        const read = page.messages.at(-1)?.number ?? page.last;
        mark = { type: "number", number: read };
        left = page.last - read;
      }
      isLast &&= !this.#isDropping && !output.takeOverflow();
    }
    yield* this.#replayDisordered(recorder);
    const affected = [...new Set([...loss.affected, ...this.#dropped])];
    const whole = affected.findIndex((record) => begun.has(record));
    const cut = isCut ? affected.slice(0, whole < 0 ? affected.length : whole) : [];
    if (cut.length > 0) {
      isComplete = yield* this.#report(cut, { type: "recorderFull", messages: undefined });
    }
    // From now on, a notice from the server reports a new loss.
    this.#isFilling = false;
    output.release();
    yield* this.#flush();
    return isComplete;
  }

  /**
   * Returns a function that tells whether an earlier window has shown a message of an execution with only late output.
   * Without a mark, the recorder is read from its beginning. What precedes the first message that this window received
   * was delivered before.
   */
  #shownEarlier(mark: string | undefined): (record: ExecutionRecord, message: IncomingMessage) => boolean {
    const received = new Set<ExecutionRecord>();
    return (record, { header }) => {
      if (mark !== undefined || !record.hasOnlyLateOutput || received.has(record)) {
        return false;
      }
      if (this.#parts.output.hasDelivered(header.msg_id)) {
        received.add(record);
      }
      return true;
    };
  }

  /**
   * Delivers all messages of executions again from the first one: after a window reload, or if the recorder can be read
   * only while no cell runs. Adds a gap to an execution whose beginning is not in the recorder. `isResumed`: the
   * executions are those of an earlier window, which may have shown some of the messages, the last one with `earlierId`.
   * `keepsHolding` is called at the
   * end, and returns true to keep holding messages back because a loss is recovered next. True if nothing is missing.
   */
  *replay(
    records: ReadonlySet<ExecutionRecord>,
    recorder: KernelRecorder,
    {
      isResumed = false,
      earlierId,
      keepsHolding = () => false,
    }: {
      readonly isResumed?: boolean;
      readonly earlierId?: string | undefined;
      readonly keepsHolding?: () => boolean;
    } = {},
  ): Steps<boolean> {
    const { output } = this.#parts;
    if (recorder.isConcurrent) {
      // Without subshells, the kernel replies only when it is idle, which is too long to hold messages back.
      output.hold();
    }
    try {
      const { messages, others, isComplete, hasEarlier } = yield* this.#readAll(records, recorder, earlierId);
      this.#passOthers(others);
      for (const record of records) {
        if (isResumed && (!record.isEnded || record.outcome !== undefined)) {
          // Without that message, this may be another recorder than the one that the kernel had when it was sent.
          record.markRecorded(hasEarlier);
        }
        this.#replayOne(record, messages.get(record) ?? [], { isResumed, isComplete });
      }
      return isComplete;
    } catch (error) {
      this.#warn(error);
      return yield* this.#report(records, { type: "connectionLost" });
    } finally {
      if (!keepsHolding()) {
        output.release();
      }
    }
  }

  #replayOne(
    record: ExecutionRecord,
    own: readonly RecordedMessage[],
    { isResumed, isComplete }: { readonly isResumed: boolean; readonly isComplete: boolean },
  ): void {
    const { executions, output } = this.#parts;
    if (
      !isResumed &&
      isComplete &&
      own.length > 0 &&
      own.every(({ message }) => output.hasDelivered(message.header.msg_id))
    ) {
      return;
    }
    // An earlier window has shown an execution that it saw end, if the recorder has dropped even the end since then.
    const wasShown = isResumed && record.isEnded && record.outcome === undefined;
    const hasBeginning = own.some(({ message }) => message.header.msg_type === "execute_input");
    if (hasBeginning) {
      record.replay();
      output.deleteIds(own.map(({ message }) => message.header.msg_id));
    } else if (own.length > 0 || (!isComplete && !wasShown) || record.isPartlyRecorded) {
      if (isResumed && own.length > 0) {
        record.push({ type: "partialReplay" });
      }
      record.gap({ type: "recorderFull", messages: undefined });
    }
    executions.deliveries.touch(record);
    // Without the beginning, what precedes a message that was shown already can't be put in its place.
    const shown = hasBeginning ? -1 : own.findLastIndex(({ message }) => output.hasDelivered(message.header.msg_id));
    for (const { message } of own.slice(shown + 1)) {
      if (!hasBeginning) {
        output.releaseBefore(message.header.publishedNumber);
      }
      output.pass(message, true);
    }
  }

  /**
   * Delivers output of executions of an earlier window that the kernel sent after the last message that the window
   * received.
   */
  *continueAfter(deliveredId: string, records: ReadonlySet<ExecutionRecord>, recorder: KernelRecorder): Steps<void> {
    const messages: IncomingMessage[] = [];
    try {
      let mark: RecorderMark = { type: "messages", ids: [deliveredId] };
      for (let left = 1; left > 0; ) {
        const page: RecorderPage = yield* recorder.read(mark);
        messages.push(...page.messages.map(({ message }) => message));
        const number = page.messages.at(-1)?.number ?? page.last;
        this.#lateTo = number;
        mark = { type: "number", number };
        left = page.last - number;
      }
    } catch (error) {
      this.#warn(error);
    }
    this.#passLate(messages, records);
  }

  #passLate(messages: readonly IncomingMessage[], records: ReadonlySet<ExecutionRecord>): void {
    // A window has seen the end of these executions, and shown what precedes it.
    const ends = new Map<ExecutionRecord | undefined, number>();
    for (const [index, message] of messages.entries()) {
      if (message.header.msg_type === "status" && message.content.execution_state === "idle") {
        ends.set(this.#parts.executions.recordOf(message), index);
      }
    }
    for (const [index, message] of messages.entries()) {
      this.#noteRead(message);
      const record = this.#ownerOf(message);
      const isLate = record !== undefined && records.has(record) && isLateOutput(message);
      if (isLate ? index > (ends.get(record) ?? -1) : record?.hasOnlyLateOutput === false) {
        this.#parts.output.releaseBefore(message.header.publishedNumber);
        this.#pass(record, message);
      }
    }
  }

  /**
   * Delivers messages of executions that did not arrive. A reply can get lost even on an open socket. True if the recorder
   * has everything.
   */
  *complete(records: ReadonlySet<ExecutionRecord>, recorder: KernelRecorder): Steps<boolean> {
    const { pending } = this.#parts.executions;
    try {
      const { messages, others, isComplete, isCut } = yield* this.#readAll(records, recorder);
      this.#passOthers(others);
      for (const [record, own] of messages) {
        for (const { message } of own) {
          this.#pass(record, message);
        }
        this.#parts.executions.deliveries.touch(record);
      }
      yield* this.#replayDisordered(recorder);
      if (isCut) {
        yield* this.#report(new Set([...records, ...pending]), { type: "recorderFull", messages: undefined });
      }
      return isComplete;
    } catch (error) {
      this.#warn(error);
      return false;
    }
  }

  /** Passes on what was missing without a sign. */
  #passOthers(messages: readonly IncomingMessage[]): void {
    for (const message of messages) {
      this.#parts.output.releaseBefore(message.header.publishedNumber);
      this.#pass(this.#parts.executions.recordOf(message), message);
    }
  }

  /** Passes a message on, unless its execution must be replayed first, because it shows later output already. */
  #pass(record: ExecutionRecord | undefined, message: IncomingMessage): void {
    const { output } = this.#parts;
    if (record?.isPast(message) === true && !output.hasDelivered(message.header.msg_id)) {
      this.#toReplay.add(record);
    } else {
      output.pass(message);
    }
  }

  /** Replays the executions in which output is missing before what they show. */
  *#replayDisordered(recorder: KernelRecorder): Steps<void> {
    const records = new Set(this.#toReplay);
    this.#toReplay.clear();
    if (records.size > 0) {
      yield* this.replay(records, recorder, { keepsHolding: () => true });
    }
  }

  /** The execution that a recent message belongs to. */
  #ownerOf(message: IncomingMessage): ExecutionRecord | undefined {
    const { executions } = this.#parts;
    return executions.recordOf(message) ?? (isThreadOutput(message) ? executions.latest : undefined);
  }

  *#readAll(
    records: ReadonlySet<ExecutionRecord>,
    recorder: KernelRecorder,
    earlierId?: string,
  ): Steps<{
    readonly messages: Map<ExecutionRecord, RecordedMessage[]>;
    /** Messages of other executions, which may be missing as well. */
    readonly others: readonly IncomingMessage[];
    readonly isComplete: boolean;
    /** True if messages that have not arrived are not in the recorder. */
    readonly isCut: boolean;
    /** True if the recorder has the message with `earlierId`. */
    readonly hasEarlier: boolean;
  }> {
    const others: IncomingMessage[] = [];
    let hasEarlier = false;
    let isCut = false;
    const messages = new Map<ExecutionRecord, RecordedMessage[]>();
    let isComplete = true;
    for (let mark = 0, last = 1; mark < last; ) {
      const page: RecorderPage = yield* recorder.read({ type: "number", number: mark });
      isComplete &&= page.dropped === 0;
      const first = page.messages.find(({ message }) => message.header.publishedNumber !== undefined);
      isCut ||= page.dropped !== 0 && this.#parts.sequence.lacksBefore(first?.message.header.publishedNumber ?? 0);
      for (const recorded of page.messages) {
        this.#noteRead(recorded.message);
        hasEarlier ||= recorded.message.header.msg_id === earlierId;
        const record = this.#parts.executions.recordOf(recorded.message);
        if (record === undefined) {
          continue;
        }
        if (records.has(record)) {
          const own = messages.get(record) ?? [];
          own.push(recorded);
          messages.set(record, own);
        } else if (!record.hasOnlyLateOutput) {
          others.push(recorded.message);
        }
      }
      last = page.last;
      mark = page.messages.at(-1)?.number ?? last;
    }
    return { messages, others, isComplete, isCut, hasEarlier };
  }

  #noteRead({ header }: IncomingMessage): void {
    this.#parts.sequence.advance(header.publishedNumber);
  }

  *#flush(): Steps<void> {
    yield* step(this.#parts.executions.deliveries.flushed());
  }

  /** Reports that output may be missing. Returns false: it is not complete. */
  *#report(records: Iterable<ExecutionRecord>, reason: GapReason): Steps<false> {
    for (const record of records) {
      record.gap(reason);
      this.#parts.executions.deliveries.touch(record);
    }
    yield* this.#flush();
    return false;
  }

  /** Logs an error of the recorder. Throws a ReplyLostError again. */
  #warn(error: unknown): void {
    if (error instanceof ReplyLostError) {
      throw error;
    }
    const text = `the kernel's recorder can't be read: ${errorMessage(error)}`;
    this.#parts.agenda.add({ type: "log", level: "warn", text });
  }
}

/** True for messages that can follow the end of an execution. */
function isLateOutput(message: IncomingMessage): boolean {
  const { msg_type } = message.header;
  return isOutput(msg_type) || msg_type === "clear_output" || isCapture(message);
}
