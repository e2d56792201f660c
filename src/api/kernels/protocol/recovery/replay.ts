import type { RecordedMessage } from "../../recorder/recorder.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import { isBeginning } from "../../wire/message-events.ts";
import type { Steps } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import type { Output } from "../output.ts";
import type { RecorderReader } from "./recorder-reader.ts";

/** Maximum number of times that the recorder is read again, because output arrived meanwhile. */
const maxReads = 3;

/** Executions of an earlier window, which may have shown some of their messages, the last one with `earlierId`. */
export interface Resumed {
  readonly earlierId: string | undefined;
}

/**
 * Passes recorded messages on in order. Delivers all messages of an execution again where the order can't be kept
 * otherwise.
 */
export class Replay {
  readonly #executions: Executions;
  readonly #output: Output;
  readonly #reader: RecorderReader;
  /** Executions that show output before which some is missing. */
  readonly #disordered = new Set<ExecutionRecord>();

  constructor(executions: Executions, output: Output, reader: RecorderReader) {
    this.#executions = executions;
    this.#output = output;
    this.#reader = reader;
  }

  /**
   * Passes a recorded message on after the held ones that precede it, unless its execution must be replayed first,
   * because it shows later output already, or is replayed anyway.
   */
  pass(record: ExecutionRecord | undefined, message: IncomingMessage): void {
    if (record?.awaitsReplay === true) {
      return;
    }
    this.#output.releaseBefore(message.header.publishedNumber);
    if (record?.isPast(message) === true && !this.#output.hasDelivered(message.header.msg_id)) {
      this.#disordered.add(record);
    } else {
      this.#output.pass(message);
    }
  }

  /** Replays the executions in which output is missing before what they show. */
  *replayDisordered(): Steps<void> {
    const records = new Set(this.#disordered);
    this.#disordered.clear();
    if (records.size > 0) {
      yield* this.replay(records);
    }
  }

  /**
   * Delivers all messages of executions again from the first one: after a window reload, or if the recorder can be read
   * only while no cell runs. Adds a gap to an execution whose beginning is not in the recorder. True if nothing is
   * missing. Throws an EvaluationError or a ReplyLostError.
   */
  *replay(records: ReadonlySet<ExecutionRecord>, resumed?: Resumed): Steps<boolean> {
    for (let reads = 1; ; reads += 1) {
      const read = yield* this.#reader.readAll(records);
      const afterCut = read.messages.slice(read.cutAt);
      const own = Map.groupBy(afterCut, ({ message }) => this.#executions.recordOf(message));
      // Output of one of these can be delivered while the recorder is read.
      if (reads === maxReads || ![...records].some((record) => isOutdated(own.get(record), record))) {
        this.#passOthers(records, read.messages);
        for (const record of records) {
          if (resumed !== undefined && (!record.isEnded || record.outcome !== undefined)) {
            // Without that message, this may be another recorder than the one that the kernel had when it was sent.
            record.markRecorded(read.ids.has(resumed.earlierId));
          }
          const { isComplete } = read;
          this.#replayOne(record, own.get(record) ?? [], { isResumed: resumed !== undefined, isComplete });
        }
        return read.isComplete;
      }
    }
  }

  /** Passes on the messages of other executions. They can be missing as well. */
  #passOthers(records: ReadonlySet<ExecutionRecord>, messages: readonly RecordedMessage[]): void {
    for (const { message } of messages) {
      const record = this.#executions.recordOf(message);
      if (record !== undefined && !records.has(record)) {
        this.pass(record, message);
      }
    }
  }

  #replayOne(
    record: ExecutionRecord,
    own: readonly RecordedMessage[],
    { isResumed, isComplete }: { readonly isResumed: boolean; readonly isComplete: boolean },
  ): void {
    const isDelivered = ({ message }: RecordedMessage): boolean => this.#output.hasDelivered(message.header.msg_id);
    if (!isResumed && isComplete && own.length > 0 && own.every(isDelivered)) {
      return;
    }
    if (isOutdated(own, record)) {
      this.#executions.reportGap([record], { type: "notDelivered" });
      return;
    }
    if (own.some(({ message }) => isBeginning(message))) {
      record.replay();
      this.#output.deleteIds(own.map(({ message }) => message.header.msg_id));
      for (const { message } of own) {
        this.#output.pass(message, true);
      }
      return;
    }
    // An earlier window has shown an execution that it saw end, if the recorder has dropped even the end since then.
    const wasShown = isResumed && record.isEnded && record.outcome === undefined;
    if (own.length > 0 || (!isComplete && !wasShown) || record.isPartlyRecorded) {
      if (isResumed && own.length > 0) {
        record.push({ type: "partialReplay" });
      }
      this.#executions.reportGap([record], { type: "recorderFull", messages: undefined });
    }
    this.#executions.deliveries.touch(record);
    // Without the beginning, what precedes a message that was shown already can't be put in its place.
    for (const { message } of own.slice(own.findLastIndex(isDelivered) + 1)) {
      this.#output.releaseBefore(message.header.publishedNumber);
      this.#output.pass(message, true);
    }
  }
}

/** True if an execution shows output that was published after these messages. */
function isOutdated(own: readonly RecordedMessage[] = [], { newestNumber }: ExecutionRecord): boolean {
  const last = own.findLast(({ message }) => message.header.publishedNumber !== undefined);
  return last !== undefined && (last.message.header.publishedNumber ?? newestNumber) < newestNumber;
}
