import { errorMessage } from "../../error-message.ts";
import type { Log } from "../../http/log.ts";
import { isThreadOutput, ReplyLostError } from "../connection/kernel-requests.ts";
import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { GapReason } from "../executions/executions.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { isOutput } from "../wire/message-events.ts";
import { captureOf } from "./output-captures.ts";
import type { OutputGate } from "./output-gate.ts";
import type { KernelRecorder, RecordedMessage, RecorderMark } from "./recorder.ts";

/** A loss of output: where it begins, and which executions it affects. */
export interface OutputLoss {
  /** Id of the last message that certainly arrived; undefined if there is none. */
  readonly mark: string | undefined;
  readonly affected: ReadonlySet<ExecutionRecord>;
  readonly reason: GapReason;
}

export interface RecoveryListener {
  /**
   * Called after messages or gaps were passed to executions. No more are passed on while a returned promise is pending.
   */
  flush(): void | Promise<void>;
  /** Called after an event was added to an execution. */
  touch(record: ExecutionRecord): void;
  /** Called with each message from the recorder. */
  read(message: IncomingMessage): void;
  /** The execution that a message belongs to; undefined if it is not tracked. */
  recordOf(message: IncomingMessage): ExecutionRecord | undefined;
  /** The execution that began last. */
  latest(): ExecutionRecord | undefined;
}

/**
 * Reads messages that did not arrive over the socket from the kernel's recorder, and delivers them to their executions.
 */
export class OutputRecovery {
  readonly #gate: OutputGate;
  readonly #listener: RecoveryListener;
  readonly #log: Log;
  /** True if the server has dropped output since the recovery last checked. */
  #isDropping = false;
  #isFilling = false;

  constructor(gate: OutputGate, listener: RecoveryListener, log: Log) {
    this.#gate = gate;
    this.#listener = listener;
    this.#log = log;
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
   * Recovers a loss. Holds back messages that arrive meanwhile to preserve the order. Resolves with true if nothing is
   * missing. Throws a ReplyLostError if the connection broke again. The loss must then be recovered later.
   */
  async fill(loss: OutputLoss, recorder: KernelRecorder | undefined): Promise<boolean> {
    if (recorder === undefined) {
      await this.#report(loss.affected, loss.reason);
      return false;
    }
    if (!recorder.isConcurrent) {
      return await this.replay(loss.affected, recorder);
    }
    this.#gate.hold();
    this.#isFilling = true;
    try {
      return await this.#readUntilQuiet(loss, recorder);
    } catch (error) {
      this.#isFilling = false;
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#log.warn(`the kernel's recorder can't be read: ${errorMessage(error)}`);
      this.#gate.release();
      await this.#report(loss.affected, loss.reason);
      return false;
    }
  }

  async #readUntilQuiet(loss: OutputLoss, recorder: KernelRecorder): Promise<boolean> {
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
      let last = 0;
      do {
        const page = await recorder.read(mark);
        if (page.dropped !== 0 && loss.mark === undefined) {
          isCut = true;
        } else if (page.dropped !== 0) {
          isComplete = false;
          await this.#report(loss.affected, { type: "recorderFull", messages: page.dropped });
        }
        for (const { message } of page.messages) {
          this.#listener.read(message);
          const record = loss.mark === undefined ? this.#listener.recordOf(message) : this.#ownerOf(message);
          if (record !== undefined && !isShown(record, message)) {
            this.#gate.pass(message);
          }
          if (record !== undefined && message.header.msg_type === "execute_input") {
            begun.add(record);
          }
        }
        await this.#listener.flush();
        const read = page.messages.at(-1)?.number ?? page.last;
        mark = { type: "number", number: read };
        last = page.last - read;
      } while (last > 0);
      isLast &&= !this.#isDropping && !this.#gate.clearOverflow();
    }
    const affected = [...loss.affected];
    const whole = affected.findIndex((record) => begun.has(record));
    const cut = isCut ? affected.slice(0, whole < 0 ? affected.length : whole) : [];
    if (cut.length > 0) {
      isComplete = false;
      await this.#report(cut, { type: "recorderFull", messages: undefined });
    }
    // From now on, a notice from the server reports a new loss.
    this.#isFilling = false;
    this.#gate.release();
    await this.#listener.flush();
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
      if (this.#gate.hasDelivered(header.msg_id)) {
        received.add(record);
      }
      return true;
    };
  }

  /**
   * Delivers all messages of executions again from the first one: after a window reload, or if the recorder can be read
   * only while no cell runs. Adds a gap to an execution whose beginning is not in the recorder. `isResumed`: the
   * executions are those of an earlier window, which may have shown some of the messages. `keepsHolding` is called at the
   * end, and returns true to keep holding messages back because a loss is recovered next. Resolves with true if nothing
   * is missing.
   */
  async replay(
    records: ReadonlySet<ExecutionRecord>,
    recorder: KernelRecorder,
    {
      isResumed = false,
      keepsHolding = () => false,
    }: { readonly isResumed?: boolean; readonly keepsHolding?: () => boolean } = {},
  ): Promise<boolean> {
    this.#holdWhile(recorder);
    // An earlier window has shown an execution that it saw end, if the recorder has dropped even the end since then.
    const wasShown = ({ phase }: ExecutionRecord): boolean => isResumed && phase === "ended";
    try {
      const { messages, isComplete } = await this.#readAll(records, recorder);
      for (const record of records) {
        const own = messages.get(record) ?? [];
        const hasBeginning = own.some(({ message }) => message.header.msg_type === "execute_input");
        if (hasBeginning) {
          record.replay();
        } else if (own.length > 0 || (!isComplete && !wasShown(record))) {
          if (isResumed && own.length > 0) {
            record.push({ type: "partialReplay" });
          }
          record.gap({ type: "recorderFull", messages: undefined });
        }
        this.#listener.touch(record);
        this.#gate.deleteIds(hasBeginning ? own.map(({ message }) => message.header.msg_id) : []);
        for (const { message } of own) {
          this.#gate.pass(message, true);
        }
      }
      return isComplete;
    } catch (error) {
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#log.warn(`the kernel's recorder can't be read: ${errorMessage(error)}`);
      await this.#report(records, { type: "connectionLost" });
      return false;
    } finally {
      if (!keepsHolding()) {
        this.#gate.release();
      }
      await this.#listener.flush();
    }
  }

  /**
   * Delivers output of executions of an earlier window that the kernel sent after the last message that the window
   * received.
   */
  async continueAfter(
    deliveredId: string,
    records: ReadonlySet<ExecutionRecord>,
    recorder: KernelRecorder,
  ): Promise<void> {
    try {
      let mark: RecorderMark = { type: "messages", ids: [deliveredId] };
      for (let left = 1; left > 0; ) {
        const page = await recorder.read(mark);
        for (const { message } of page.messages) {
          this.#listener.read(message);
          const record = this.#ownerOf(message);
          if (record !== undefined && records.has(record) && isLateOutput(message)) {
            this.#gate.pass(message);
          }
        }
        const number = page.messages.at(-1)?.number ?? page.last;
        mark = { type: "number", number };
        left = page.last - number;
      }
    } catch (error) {
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#log.warn(`the kernel's recorder can't be read: ${errorMessage(error)}`);
    }
  }

  /** Delivers messages of executions that did not arrive. A reply can get lost even on an open socket. */
  async complete(records: ReadonlySet<ExecutionRecord>, recorder: KernelRecorder): Promise<void> {
    try {
      const { messages } = await this.#readAll(records, recorder);
      for (const [record, own] of messages) {
        for (const { message } of own) {
          this.#gate.pass(message);
        }
        this.#listener.touch(record);
      }
    } catch (error) {
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#log.warn(`the kernel's recorder can't be read: ${errorMessage(error)}`);
    }
  }

  /** Without subshells, the kernel replies only when it is idle, which is too long to hold messages back. */
  #holdWhile(recorder: KernelRecorder): void {
    if (recorder.isConcurrent) {
      this.#gate.hold();
    }
  }

  /** The execution that a recent message belongs to. */
  #ownerOf(message: IncomingMessage): ExecutionRecord | undefined {
    return this.#listener.recordOf(message) ?? (isThreadOutput(message) ? this.#listener.latest() : undefined);
  }

  async #readAll(
    records: ReadonlySet<ExecutionRecord>,
    recorder: KernelRecorder,
  ): Promise<{ readonly messages: Map<ExecutionRecord, RecordedMessage[]>; readonly isComplete: boolean }> {
    const messages = new Map<ExecutionRecord, RecordedMessage[]>();
    let isComplete = true;
    for (let mark = 0, last = 1; mark < last; ) {
      const page = await recorder.read({ type: "number", number: mark });
      isComplete &&= page.dropped === 0;
      for (const recorded of page.messages) {
        this.#listener.read(recorded.message);
        const record = this.#listener.recordOf(recorded.message);
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

  async #report(records: Iterable<ExecutionRecord>, reason: GapReason): Promise<void> {
    for (const record of records) {
      record.gap(reason);
      this.#listener.touch(record);
    }
    await this.#listener.flush();
  }
}

/** True for messages that can follow the end of an execution. */
function isLateOutput(message: IncomingMessage): boolean {
  const { msg_type } = message.header;
  return isOutput(msg_type) || msg_type === "clear_output" || captureOf(message) !== undefined;
}
