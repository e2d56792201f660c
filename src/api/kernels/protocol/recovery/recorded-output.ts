import { errorMessage } from "../../../error-message.ts";
import type { GapReason } from "../../executions/executions.ts";
import type { RecorderMark, RecorderPage } from "../../recorder/recorder.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import type { Agenda, Steps } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import type { Output } from "../output.ts";
import { isThreadOutput, ReplyLostError } from "../requests.ts";
import type { Losses, OutputLoss } from "./losses.ts";
import { isLateOutput, type RecorderReader } from "./recorder-reader.ts";
import { Replay, type Resumed } from "./replay.ts";

interface Parts {
  readonly agenda: Agenda;
  readonly executions: Executions;
  readonly output: Output;
  readonly losses: Losses;
  readonly reader: RecorderReader;
}

/**
 * Reads messages that did not arrive over the socket from the kernel's recorder, and passes them to their executions. No
 * more is read until the sinks have received what was. Every method throws a ReplyLostError if the connection breaks:
 * what is held back stays held for the next recovery.
 */
export class RecordedOutput {
  readonly #parts: Parts;
  readonly #replay: Replay;
  /** True if the server has dropped output since the recovery last checked. */
  #isDropping = false;
  #isFilling = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#replay = new Replay(parts.executions, parts.output, parts.reader);
  }

  /** True while output that the server dropped is being read from the recorder. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  /** Records that output was dropped, so that the recorder is read again. */
  noticeDrop(): void {
    this.#isDropping = true;
  }

  /** Recovers a loss. Holds back messages that arrive meanwhile to preserve the order. True if nothing is missing. */
  *fill(loss: OutputLoss): Steps<boolean> {
    const { reader, output } = this.#parts;
    if (!reader.isInstalled) {
      return yield* this.#report(loss.affected, loss.reason);
    }
    if (!reader.isConcurrent) {
      return yield* this.replay(loss.affected);
    }
    output.hold();
    this.#isFilling = true;
    try {
      return yield* this.#readUntilQuiet(loss);
    } catch (error) {
      this.#isFilling = false;
      this.#warn(error);
      output.release();
      return yield* this.#report(loss.affected, loss.reason);
    }
  }

  *#readUntilQuiet(loss: OutputLoss): Steps<boolean> {
    const { executions, output, reader } = this.#parts;
    let mark: RecorderMark = { type: "messages", ids: loss.mark === undefined ? [] : [loss.mark] };
    let isComplete = true;
    // Without a mark, everything in the recorder is read. Messages that the recorder dropped can be older than these
    // executions.
    let isCut = false;
    const begun = new Set<ExecutionRecord>();
    const isShown = this.#shownEarlier(loss.mark);
    const take = function* (this: RecordedOutput, page: RecorderPage, isFirst: boolean): Steps<void> {
      if (page.dropped !== 0 && isFirst && mark.type === "messages" && loss.mark === undefined) {
        isCut = true;
      } else if (page.dropped !== 0) {
        isComplete = yield* this.#report(loss.affected, { type: "recorderFull", messages: page.dropped });
      }
      for (const recorded of page.messages) {
        const { message } = recorded;
        const record = loss.mark === undefined ? executions.recordOf(message) : this.#ownerOf(message);
        if (record === undefined) {
          continue;
        }
        if (!reader.isRepeated(record, recorded) && !isShown(record, message)) {
          this.#replay.pass(record, message);
        }
        if (message.header.msg_type === "execute_input") {
          begun.add(record);
        }
      }
      yield* executions.deliveries.flush();
    };
    // The server resets its counters with each request that the kernel finishes. The next read contains output that is
    // dropped between this read and the reset.
    for (let isLast = false; !isLast; ) {
      isLast = !this.#isDropping;
      this.#isDropping = false;
      mark = { type: "number", number: yield* reader.readFrom(mark, take.bind(this)) };
      isLast &&= !this.#isDropping && !output.takeOverflow();
    }
    yield* this.#replay.replayDisordered();
    const affected = [...loss.affected];
    const whole = affected.findIndex((record) => begun.has(record));
    const cut = isCut ? affected.slice(0, whole < 0 ? affected.length : whole) : [];
    if (cut.length > 0) {
      isComplete = yield* this.#report(cut, { type: "recorderFull", messages: undefined });
    }
    // From now on, a notice from the server reports a new loss.
    this.#isFilling = false;
    output.release();
    yield* executions.deliveries.flush();
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

  /** Delivers all messages of executions again. True if nothing is missing. */
  *replay(records: ReadonlySet<ExecutionRecord>, resumed?: Resumed): Steps<boolean> {
    try {
      return yield* this.#replay.replay(records, resumed);
    } catch (error) {
      this.#warn(error);
      return yield* this.#report(records, { type: "connectionLost" });
    }
  }

  /**
   * Delivers output of executions of an earlier window that the kernel sent after the last message that the window
   * received.
   */
  *continueAfter(deliveredId: string, records: ReadonlySet<ExecutionRecord>): Steps<void> {
    let messages: readonly IncomingMessage[];
    try {
      messages = yield* this.#parts.reader.readLate(deliveredId);
    } catch (error) {
      this.#warn(error);
      return;
    }
    // A window has seen the end of these executions, and shown what precedes it.
    const ends = new Map<ExecutionRecord | undefined, number>();
    for (const [index, message] of messages.entries()) {
      if (message.header.msg_type === "status" && message.content.execution_state === "idle") {
        ends.set(this.#parts.executions.recordOf(message), index);
      }
    }
    for (const [index, message] of messages.entries()) {
      const record = this.#ownerOf(message);
      const isLate = record !== undefined && records.has(record) && isLateOutput(message);
      if (isLate ? index > (ends.get(record) ?? -1) : record?.hasOnlyLateOutput === false) {
        this.#replay.pass(record, message);
      }
    }
  }

  /**
   * Delivers messages of executions that did not arrive. A reply can get lost even on an open socket. True if the recorder
   * has everything. `unread`: only what was not read before.
   */
  *complete(extent: "all" | "unread" = "all"): Steps<boolean> {
    const { executions, output, reader, losses } = this.#parts;
    if (!reader.isInstalled) {
      return false;
    }
    if (reader.isConcurrent) {
      output.hold();
    }
    let isComplete = false;
    try {
      const read = yield* extent === "all" ? reader.readAll() : reader.readUnread();
      for (const { message } of read.messages) {
        this.#replay.pass(executions.recordOf(message), message);
      }
      yield* this.#replay.replayDisordered();
      isComplete = read.isComplete;
    } catch (error) {
      this.#warn(error);
    }
    if (!losses.areWaiting) {
      output.release();
    }
    return isComplete;
  }

  /** The execution that a recent message belongs to. */
  #ownerOf(message: IncomingMessage): ExecutionRecord | undefined {
    const { executions } = this.#parts;
    return executions.recordOf(message) ?? (isThreadOutput(message) ? executions.latest : undefined);
  }

  /** Reports that output may be missing. Returns false: it is not complete. */
  *#report(records: Iterable<ExecutionRecord>, reason: GapReason): Steps<false> {
    this.#parts.executions.reportGap(records, reason);
    yield* this.#parts.executions.deliveries.flush();
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
