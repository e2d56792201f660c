import type { Log } from "../../http/log.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import type { ExecutionJournal, JournalEntry } from "./execution-journal.ts";
import type { ExecutionRecord } from "./execution-record.ts";

/** Executions that are remembered: finished ones beyond that are forgotten, the oldest first. */
const mostRecords = 2000;

/** The executions of one kernel, by the message id of their requests, and their journal. */
export class ExecutionTable {
  readonly #journal: ExecutionJournal;
  readonly #kernelId: string;
  readonly #sessionId: string;
  readonly #log: Log;
  readonly #records = new Map<string, ExecutionRecord>();
  readonly #changed = new Set<ExecutionRecord>();
  /** Entries of an earlier window whose cells are not known yet. */
  #unclaimed: readonly JournalEntry[];
  #writing: Promise<void> = Promise.resolve();
  #latest: ExecutionRecord | undefined;

  constructor(
    journal: ExecutionJournal,
    identity: { readonly kernelId: string; readonly sessionId: string; readonly entries: readonly JournalEntry[] },
    log: Log,
  ) {
    this.#journal = journal;
    this.#kernelId = identity.kernelId;
    this.#sessionId = identity.sessionId;
    this.#unclaimed = identity.entries;
    this.#log = log;
  }

  /** Those that are not ended, in the order of sending. */
  get pending(): readonly ExecutionRecord[] {
    return [...this.#records.values()].filter(({ phase }) => phase !== "ended");
  }

  /** Adds executions and writes the journal. Nothing was added when that fails. */
  async add(records: readonly ExecutionRecord[]): Promise<void> {
    for (const record of records) {
      this.#records.set(record.entry.messageId, record);
    }
    this.#trim();
    try {
      await this.save();
    } catch (error) {
      for (const record of records) {
        this.#records.delete(record.entry.messageId);
      }
      throw error;
    }
  }

  /** Takes the entries of an earlier window. */
  claim(): readonly JournalEntry[] {
    const entries = this.#unclaimed;
    this.#unclaimed = [];
    return entries;
  }

  isUnclaimed(messageId: string): boolean {
    return this.#unclaimed.some((entry) => entry.messageId === messageId);
  }

  get(messageId: string): ExecutionRecord | undefined {
    return this.#records.get(messageId);
  }

  /** The execution that a message belongs to. */
  recordOf({ parentHeader }: IncomingMessage): ExecutionRecord | undefined {
    return parentHeader === undefined ? undefined : this.#records.get(parentHeader.msg_id);
  }

  /** The execution that began last: output that names no cell is most likely its own. */
  get latest(): ExecutionRecord | undefined {
    return this.#latest;
  }

  take(record: ExecutionRecord, message: IncomingMessage): void {
    const before = record.phase;
    record.take(message);
    this.#changed.add(record);
    if (message.header.msg_type === "execute_input") {
      this.#latest = record;
    }
    if (before !== "ended" && record.phase === "ended") {
      this.saveLater();
    }
  }

  /** Those of the pending ones that were sent before this one. */
  sentBefore(record: ExecutionRecord): readonly ExecutionRecord[] {
    const before: ExecutionRecord[] = [];
    for (const other of this.#records.values()) {
      if (other === record) {
        return before;
      }
      if (other.phase === "sent" || other.phase === "running") {
        before.push(other);
      }
    }
    return before;
  }

  /** The kernel has dropped its reply: it ends once its output has come. */
  loseReply(record: ExecutionRecord): void {
    record.loseReply();
    this.touch(record);
    if (record.phase === "ended") {
      this.saveLater();
    }
  }

  /** Ends it, unless it is ended. */
  end(record: ExecutionRecord, outcome: Parameters<ExecutionRecord["end"]>[0]): void {
    record.end(outcome);
    this.touch(record);
    this.saveLater();
  }

  /**
   * The kernel ended: what is pending ends with it, but for what `keepsQueued` keeps for the kernel that comes in its place.
   * Gives what the kernel had been sent.
   */
  endPending({ keepsQueued }: { readonly keepsQueued: boolean }): readonly JournalEntry[] {
    const pending = this.pending;
    const sent = pending.filter(({ phase }) => phase !== "queued").map(({ entry }) => entry);
    for (const record of pending) {
      if (record.phase === "queued" && keepsQueued) {
        continue;
      }
      this.end(record, { type: record.phase === "queued" ? "dropped" : "kernelEnded" });
    }
    return sent;
  }

  /** Something was pushed onto it. */
  touch(record: ExecutionRecord): void {
    this.#changed.add(record);
  }

  /** Gives every sink what it has not got yet. A promise where one of them asks to wait. */
  flush(): void | Promise<void> {
    const waits: Promise<void>[] = [];
    for (const record of this.#changed) {
      if (record.hasEvents) {
        const wait = this.#deliver(record);
        if (wait !== undefined) {
          waits.push(wait);
        }
      }
    }
    this.#changed.clear();
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
  }

  async forget(messageIds: readonly string[]): Promise<void> {
    for (const id of messageIds) {
      if (this.#records.get(id)?.phase === "ended") {
        this.#records.delete(id);
      }
    }
    await this.save();
  }

  /** Writes the journal after every earlier writing of it. */
  save(): Promise<void> {
    return this.#afterWriting(async () => {
      const entries = [...this.#unclaimed, ...[...this.#records.values()].map(({ entry }) => entry)];
      await this.#journal.write(this.#kernelId, { sessionId: this.#sessionId, entries });
    });
  }

  /** Writes the journal when nobody waits for it. */
  saveLater(): void {
    this.#unobserved(this.save());
  }

  /** The kernel ended: its journal is removed. */
  removeJournal(): void {
    this.#unobserved(this.#afterWriting(() => this.#journal.remove(this.#kernelId)));
  }

  #afterWriting(write: () => Promise<void>): Promise<void> {
    const writing = this.#writing.then(write);
    this.#writing = writing.catch(() => {});
    return writing;
  }

  #unobserved(writing: Promise<void>): void {
    writing.catch((error: unknown) => this.#log.warn(`the journal of kernel ${this.#kernelId}: ${String(error)}`));
  }

  #deliver(record: ExecutionRecord): Promise<void> | undefined {
    const failed = (error: unknown): void => this.#log.error(`output of an execution was not taken: ${String(error)}`);
    try {
      return record.deliver()?.catch(failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  #trim(): void {
    for (const [id, record] of this.#records) {
      if (this.#records.size <= mostRecords) {
        return;
      }
      if (record.phase === "ended") {
        this.#records.delete(id);
      }
    }
  }
}
