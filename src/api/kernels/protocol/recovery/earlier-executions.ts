import type { Steps } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import type { Output } from "../output.ts";
import type { Losses } from "./losses.ts";
import type { RecordedOutput } from "./recorded-output.ts";
import type { RecorderReader } from "./recorder-reader.ts";

interface EarlierExecutionsParts {
  readonly executions: Executions;
  readonly output: Output;
  readonly losses: Losses;
  readonly reader: RecorderReader;
  readonly recorded: RecordedOutput;
}

/** Executions of an earlier window until they are read from the recorder: as a whole, or only their late output. */
export class EarlierExecutions {
  readonly #parts: EarlierExecutionsParts;
  /** Those that are replayed. */
  #resumed: readonly ExecutionRecord[] = [];
  /** Those whose late output is read. */
  #late: ReadonlySet<ExecutionRecord> = new Set();
  #deliveredId: string | undefined;

  constructor(parts: EarlierExecutionsParts, deliveredId: string | undefined) {
    this.#parts = parts;
    this.#deliveredId = deliveredId;
  }

  /** Number of executions that wait. */
  get size(): number {
    return this.#resumed.length + this.#late.size;
  }

  /** Id of the last recorded message that the earlier window received; undefined if the kernel has a new recorder. */
  get deliveredId(): string | undefined {
    return this.#deliveredId;
  }

  resume(records: readonly ExecutionRecord[]): void {
    this.#resumed = [...this.#resumed, ...records];
  }

  /** Returns false if there is nothing to read. */
  resumeLate(records: readonly ExecutionRecord[]): boolean {
    if (this.#deliveredId === undefined || records.length === 0) {
      this.#parts.output.releaseEarlier();
      return false;
    }
    this.#late = new Set([...this.#late, ...records]);
    return true;
  }

  /** Reads late output, and replays. True if nothing is missing. */
  *takeUp(): Steps<boolean> {
    yield* this.#takeUpLate();
    const resumed = new Set(this.#resumed);
    if (resumed.size === 0) {
      return true;
    }
    const { losses } = this.#parts;
    losses.beginReplay();
    const isComplete = yield* this.#replay(resumed);
    losses.endReplay(resumed);
    this.#end(resumed);
    return isComplete;
  }

  *#takeUpLate(): Steps<void> {
    const { output, reader, recorded } = this.#parts;
    const records = this.#late;
    if (records.size === 0) {
      return;
    }
    if (reader.isInstalled && this.#deliveredId !== undefined) {
      yield* recorded.continueAfter(this.#deliveredId, records);
    }
    this.#late = new Set([...this.#late].filter((record) => !records.has(record)));
    output.releaseEarlier();
  }

  *#replay(records: ReadonlySet<ExecutionRecord>): Steps<boolean> {
    const { output, reader, recorded } = this.#parts;
    let isComplete = false;
    if (reader.isConcurrent) {
      output.hold();
    } else {
      // The kernel replies only when it is idle. Don't hold messages for that long.
      output.releaseEarlier();
    }
    if (reader.isInstalled) {
      isComplete = yield* recorded.replay(records, { earlierId: this.#deliveredId });
    } else {
      this.#reportUnread(records);
    }
    output.releaseEarlier();
    return isComplete;
  }

  /** Reports to those that have ended in this window, but were not replayed, that output may be missing. */
  reportEnded(): void {
    const ended = this.#resumed.filter(({ outcome }) => outcome !== undefined);
    this.#parts.executions.reportGap(ended, { type: "connectionLost" });
  }

  /** Stops waiting, because what is shown in the order of its arrival must not be shown again. */
  clear(): void {
    this.#late = new Set();
    this.#end(new Set(this.#resumed));
  }

  /** Nothing of them can be read, because the kernel's process ended. */
  abandon(): void {
    this.#reportUnread(this.#resumed);
    this.clear();
  }

  /** The kernel has a new recorder, which does not have what the earlier window received. */
  resetDelivered(): void {
    this.#deliveredId = undefined;
  }

  /** Stops waiting for those that have not ended, because the recorder is newer than they are. Returns them. */
  takeUnrecorded(): ReadonlySet<ExecutionRecord> {
    const unrecorded = new Set(this.#resumed.filter(({ isEnded }) => !isEnded));
    this.#end(unrecorded);
    return unrecorded;
  }

  /** Reports that executions are not read from a recorder. The earlier window has shown what has ended. */
  #reportUnread(records: Iterable<ExecutionRecord>): void {
    const unread = [...records].filter(({ isEnded, outcome }) => !isEnded || outcome !== undefined);
    this.#parts.executions.reportGap(unread, { type: "connectionLost" });
  }

  /** From now on, they get new messages only. */
  #end(records: ReadonlySet<ExecutionRecord>): void {
    this.#resumed = this.#resumed.filter((record) => !records.has(record));
    for (const record of records) {
      record.markReplayed();
    }
  }
}
