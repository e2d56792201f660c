import type { GapReason } from "../../executions/executions.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";

/** A loss of output: where it begins, and which executions it affects. */
export interface OutputLoss {
  /** Id of the last message that certainly arrived; undefined if there is none. */
  readonly mark: string | undefined;
  /** Grows while the loss is recovered, if the server drops more output. */
  readonly affected: Set<ExecutionRecord>;
  readonly reason: GapReason;
}

/** The loss of output that is known: one that waits for its recovery, and one that is being recovered. */
export class Losses {
  readonly #executions: Executions;
  #waiting: OutputLoss | undefined;
  #current: OutputLoss | undefined;
  /** The executions of losses that were added since an execution began to be replayed; undefined if none is. */
  #addedMeanwhile: Set<ExecutionRecord> | undefined;
  /** The executions that know that the server drops output; undefined while it drops none that can't be recovered. */
  #droppingKnownBy: ReadonlySet<ExecutionRecord> | undefined;

  constructor(executions: Executions) {
    this.#executions = executions;
  }

  /** Number of executions that are affected. */
  get size(): number {
    return (this.#waiting?.affected.size ?? 0) + (this.#current?.affected.size ?? 0);
  }

  /** True if a loss waits for its recovery. */
  get areWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /**
   * Adds a loss. It is recovered together with an earlier one that waits. An execution whose replay has not begun loses
   * nothing.
   */
  add(loss: OutputLoss): void {
    const isReplaying = this.#addedMeanwhile !== undefined;
    const added = [...loss.affected].filter(({ awaitsReplay }) => isReplaying || !awaitsReplay);
    for (const record of added) {
      this.#addedMeanwhile?.add(record);
    }
    const earlier = this.#waiting;
    if (earlier === undefined) {
      this.#waiting = { ...loss, affected: new Set(added) };
      return;
    }
    const affected = new Set([...earlier.affected, ...added]);
    const reason = loss.reason.type === "connectionLost" ? loss.reason : earlier.reason;
    this.#waiting = { mark: earlier.mark, affected, reason };
  }

  /** Adds executions to the loss that is being recovered. */
  addToCurrent(records: Iterable<ExecutionRecord>): void {
    for (const record of records) {
      this.#current?.affected.add(record);
    }
  }

  /**
   * Call this before executions are replayed from the recorder, which recovers what they lost until now. A loss that is
   * noticed meanwhile can be later than what the recorder had when it was read.
   */
  beginReplay(): void {
    this.#addedMeanwhile = new Set();
  }

  /** Removes replayed executions from the loss that waits, unless they have lost more since `beginReplay`. */
  endReplay(records: Iterable<ExecutionRecord>): void {
    for (const record of records) {
      if (this.#addedMeanwhile?.has(record) !== true) {
        this.#waiting?.affected.delete(record);
      }
    }
    this.#addedMeanwhile = undefined;
  }

  /** Begins to recover the loss that waits. */
  begin(): OutputLoss | undefined {
    this.#current = this.#waiting;
    this.#waiting = undefined;
    return this.#current;
  }

  /** Ends the recovery of the current loss. */
  end(): void {
    this.#current = undefined;
  }

  /** Makes the current loss wait again, because its recovery failed. */
  restore(): void {
    const current = this.#current;
    const later = this.#waiting;
    this.#current = undefined;
    if (current !== undefined) {
      this.#waiting = { ...current, affected: new Set([...current.affected, ...(later?.affected ?? [])]) };
    }
  }

  /** Reports all losses, because nothing of them can be recovered. */
  reportAll(): void {
    this.#addedMeanwhile = undefined;
    this.restore();
    this.report();
  }

  /** Reports the loss that waits, because it can't be recovered. */
  report(): void {
    if (this.#waiting !== undefined) {
      this.#executions.reportGap(this.#waiting.affected, this.#waiting.reason);
      this.#waiting = undefined;
    }
  }

  /** Reports all losses to the executions that have ended, which no later window recovers. */
  reportEnded(): void {
    this.restore();
    if (this.#waiting !== undefined) {
      const ended = [...this.#waiting.affected].filter(({ isEnded }) => isEnded);
      this.#executions.reportGap(ended, this.#waiting.reason);
    }
  }

  /** Drops the loss that waits. */
  clear(): void {
    this.#waiting = undefined;
  }

  /** Reports a loss of output that the server continues to drop, and that can't be recovered. */
  reportDropping(affected: ReadonlySet<ExecutionRecord>): void {
    this.#droppingKnownBy = affected;
    this.report();
  }

  /** The server reports once that it drops output, and continues until the kernel is idle again. */
  noteStatus(message: IncomingMessage): void {
    const known = this.#droppingKnownBy;
    if (known === undefined || message.header.msg_type !== "status") {
      return;
    }
    const record = this.#executions.recordOf(message);
    if (record !== undefined && !known.has(record)) {
      this.#executions.reportGap([record], { type: "rateLimit" });
      this.#droppingKnownBy = new Set([...known, record]);
    }
    if (message.content.execution_state === "idle") {
      this.#droppingKnownBy = undefined;
    }
  }
}
