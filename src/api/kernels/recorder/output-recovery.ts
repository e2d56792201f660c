import type { Log } from "../../http/log.ts";
import { ReplyLostError } from "../connection/kernel-requests.ts";
import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { GapReason } from "../executions/executions.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import type { OutputGate } from "./output-gate.ts";
import type { KernelRecorder, RecordedMessage, RecorderMark } from "./recorder.ts";

/** Where output began to be missing, and for which executions. */
export interface OutputLoss {
  /** The last message that certainly arrived; undefined when none did. */
  readonly mark: string | undefined;
  readonly affected: ReadonlySet<ExecutionRecord>;
  readonly reason: GapReason;
}

export interface RecoveryListener {
  /** Called after messages or gaps went to executions. A pending promise holds back what follows. */
  flush(): void | Promise<void>;
  /** Something was pushed onto an execution. */
  touch(record: ExecutionRecord): void;
  /** The execution that has this id, if it is one that is followed. */
  recordOf(message: IncomingMessage): ExecutionRecord | undefined;
}

/** Reads from the kernel's recorder what did not come over the socket, and puts it where it belongs. */
export class OutputRecovery {
  readonly #gate: OutputGate;
  readonly #listener: RecoveryListener;
  readonly #log: Log;
  /** True when the server dropped output again since it was looked at last. */
  #isDropping = false;
  #isFilling = false;

  constructor(gate: OutputGate, listener: RecoveryListener, log: Log) {
    this.#gate = gate;
    this.#listener = listener;
    this.#log = log;
  }

  /** True while what the server drops will be read all the same. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  /** The server said that it drops output. */
  noticeDrop(): void {
    this.#isDropping = true;
  }

  /**
   * Fills a loss. Messages that arrive meanwhile are held back, so that the order stays. Throws a ReplyLostError when the
   * connection broke again: the loss is still to be filled then. True when nothing is missing.
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
      this.#log.warn(`the kernel's recorder cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      this.#gate.release();
      await this.#report(loss.affected, loss.reason);
      return false;
    }
  }

  async #readUntilQuiet(loss: OutputLoss, recorder: KernelRecorder): Promise<boolean> {
    let mark: RecorderMark = { type: "messages", ids: loss.mark === undefined ? [] : [loss.mark] };
    let isComplete = true;
    // Without a mark all that the recorder has is read: what it dropped may be from long before these executions.
    let isCut = false;
    const begun = new Set<ExecutionRecord>();
    // The server starts to count anew with each request that the kernel has finished: output that it dropped between this
    // reading and that moment is in the next one.
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
          const record = this.#listener.recordOf(message);
          if (record !== undefined) {
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
      isLast &&= !this.#isDropping && !this.#gate.takeOverflow();
    }
    const affected = [...loss.affected];
    const whole = affected.findIndex((record) => begun.has(record));
    const cut = isCut ? affected.slice(0, whole < 0 ? affected.length : whole) : [];
    if (cut.length > 0) {
      isComplete = false;
      await this.#report(cut, { type: "recorderFull", messages: undefined });
    }
    // From this moment on a notice of the server is of a new loss.
    this.#isFilling = false;
    this.#gate.release();
    await this.#listener.flush();
    return isComplete;
  }

  /**
   * Gives executions all of their messages again, from the first: after a reload, and where the recorder can be read
   * only when no cell runs. What the recorder has no beginning of gets a gap. True when nothing is missing.
   */
  async replay(records: ReadonlySet<ExecutionRecord>, recorder: KernelRecorder): Promise<boolean> {
    this.#holdWhile(recorder);
    try {
      const { messages, isComplete } = await this.#readAll(records, recorder);
      for (const record of records) {
        const own = messages.get(record) ?? [];
        const hasBeginning = own.some(({ message }) => message.header.msg_type === "execute_input");
        if (hasBeginning) {
          record.replay();
        } else if (!isComplete || own.length > 0) {
          record.gap({ type: "recorderFull", messages: undefined });
        }
        this.#listener.touch(record);
        this.#gate.forget(hasBeginning ? own.map(({ message }) => message.header.msg_id) : []);
        for (const { message } of own) {
          this.#gate.pass(message, true);
        }
      }
      return isComplete;
    } catch (error) {
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#log.warn(`the kernel's recorder cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      await this.#report(records, { type: "connectionLost" });
      return false;
    } finally {
      this.#gate.release();
      await this.#listener.flush();
    }
  }

  /** Without subshells the answer comes when the kernel is idle: nothing is held back for that long. */
  #holdWhile(recorder: KernelRecorder): void {
    if (recorder.isConcurrent) {
      this.#gate.hold();
    }
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
