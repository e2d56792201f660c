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
  #isFilling = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** True while output that the server dropped is being read from the recorder. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  /** Records that the server reported dropped output. */
  noticeDrop(): void {
    this.#isDropping = true;
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
        if (page.dropped !== 0 && loss.mark === undefined) {
          isCut = true;
        } else if (page.dropped !== 0) {
          isComplete = yield* this.#report(loss.affected, { type: "recorderFull", messages: page.dropped });
        }
        for (const { message } of page.messages) {
          this.#noteRead(message);
          const record = loss.mark === undefined ? executions.recordOf(message) : this.#ownerOf(message);
          if (record !== undefined && !isShown(record, message)) {
            output.pass(message);
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
    const affected = [...loss.affected];
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
   * executions are those of an earlier window, which may have shown some of the messages. `keepsHolding` is called at the
   * end, and returns true to keep holding messages back because a loss is recovered next. True if nothing is missing.
   */
  *replay(
    records: ReadonlySet<ExecutionRecord>,
    recorder: KernelRecorder,
    {
      isResumed = false,
      keepsHolding = () => false,
    }: { readonly isResumed?: boolean; readonly keepsHolding?: () => boolean } = {},
  ): Steps<boolean> {
    const { output } = this.#parts;
    if (recorder.isConcurrent) {
      // Without subshells, the kernel replies only when it is idle, which is too long to hold messages back.
      output.hold();
    }
    try {
      const { messages, isComplete } = yield* this.#readAll(records, recorder);
      for (const record of records) {
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
    // An earlier window has shown an execution that it saw end, if the recorder has dropped even the end since then.
    const wasShown = isResumed && record.isEnded;
    const hasBeginning = own.some(({ message }) => message.header.msg_type === "execute_input");
    if (hasBeginning) {
      record.replay();
      output.deleteIds(own.map(({ message }) => message.header.msg_id));
    } else if (own.length > 0 || (!isComplete && !wasShown)) {
      if (isResumed && own.length > 0) {
        record.push({ type: "partialReplay" });
      }
      record.gap({ type: "recorderFull", messages: undefined });
    }
    executions.deliveries.touch(record);
    for (const { message } of own) {
      output.pass(message, true);
    }
  }

  /**
   * Delivers output of executions of an earlier window that the kernel sent after the last message that the window
   * received.
   */
  *continueAfter(deliveredId: string, records: ReadonlySet<ExecutionRecord>, recorder: KernelRecorder): Steps<void> {
    try {
      let mark: RecorderMark = { type: "messages", ids: [deliveredId] };
      for (let left = 1; left > 0; ) {
        const page: RecorderPage = yield* recorder.read(mark);
        for (const { message } of page.messages) {
          this.#noteRead(message);
          const record = this.#ownerOf(message);
          if (record !== undefined && records.has(record) && isLateOutput(message)) {
            this.#parts.output.pass(message);
          }
        }
        const number = page.messages.at(-1)?.number ?? page.last;
        mark = { type: "number", number };
        left = page.last - number;
      }
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Delivers messages of executions that did not arrive. A reply can get lost even on an open socket. */
  *complete(records: ReadonlySet<ExecutionRecord>, recorder: KernelRecorder): Steps<void> {
    try {
      const { messages } = yield* this.#readAll(records, recorder);
      for (const [record, own] of messages) {
        for (const { message } of own) {
          this.#parts.output.pass(message);
        }
        this.#parts.executions.deliveries.touch(record);
      }
    } catch (error) {
      this.#warn(error);
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
  ): Steps<{ readonly messages: Map<ExecutionRecord, RecordedMessage[]>; readonly isComplete: boolean }> {
    const messages = new Map<ExecutionRecord, RecordedMessage[]>();
    let isComplete = true;
    for (let mark = 0, last = 1; mark < last; ) {
      const page: RecorderPage = yield* recorder.read({ type: "number", number: mark });
      isComplete &&= page.dropped === 0;
      for (const recorded of page.messages) {
        this.#noteRead(recorded.message);
        const record = this.#parts.executions.recordOf(recorded.message);
        if (record !== undefined && records.has(record)) {
          const own = messages.get(record) ?? [];
          own.push(recorded);
          messages.set(record, own);
        }
      }
      last = page.last;
      mark = page.messages.at(-1)?.number ?? last;
    }
    return { messages, isComplete };
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
