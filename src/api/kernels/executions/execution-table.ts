import type { Log } from "../../http/log.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import type { ExecutionJournal, JournalEntry, KernelJournal } from "./execution-journal.ts";
import { ExecutionRecord } from "./execution-record.ts";
import type { ExecutionSink } from "./executions.ts";
import { JournalWriter } from "./journal-writer.ts";

/** Maximum number of executions to keep. The oldest finished ones are discarded. */
const maxRecords = 2000;

/** The executions of one kernel, by the message ids of their requests, and their journal. */
export class ExecutionTable {
  readonly #writer: JournalWriter;
  readonly #log: Log;
  readonly #records = new Map<string, ExecutionRecord>();
  readonly #changed = new Set<ExecutionRecord>();
  /** Entries of an earlier window whose cells are not known yet. */
  #unclaimed: readonly JournalEntry[];
  /** The delivery of the last events; undefined if all sinks have received theirs. */
  #delivery: Promise<void> | undefined;
  #latest: ExecutionRecord | undefined;
  #deliveredId: string | undefined;

  constructor(
    journal: ExecutionJournal,
    { kernelId, sessionId, entries, deliveredId }: KernelJournal & { readonly kernelId: string },
    log: Log,
  ) {
    const current = (): KernelJournal => ({
      sessionId,
      entries: [...this.#unclaimed, ...[...this.#records.values()].map(({ entry }) => entry)],
      deliveredId: this.#deliveredId,
    });
    this.#writer = new JournalWriter(journal, { kernelId, current, deliveredId: () => this.#deliveredId }, (error) =>
      log.warn(`the journal of kernel ${kernelId}: ${String(error)}`),
    );
    this.#deliveredId = deliveredId;
    this.#unclaimed = entries;
    this.#log = log;
  }

  /** Executions that have not ended, in sending order. */
  get pending(): readonly ExecutionRecord[] {
    return [...this.#records.values()].filter(({ phase }) => phase !== "ended");
  }

  /** True if this window has no executions in the kernel other than those of an earlier window. */
  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  /** Records the id of the last recorded message that was delivered, for the journal. */
  noteDelivered(id: string | undefined): void {
    this.#deliveredId = id ?? this.#deliveredId;
  }

  /** Writes what has changed in the journal. Resolves when all writes are done. Never rejects. */
  finishWriting(): Promise<void> {
    return this.#writer.finish();
  }

  /** Adds executions and writes the journal. If that fails, none of them is added. */
  async add(records: readonly ExecutionRecord[]): Promise<void> {
    for (const record of records) {
      this.#records.set(record.entry.messageId, record);
    }
    this.#trim();
    try {
      await this.#writer.write(records.map(({ entry }) => entry));
    } catch (error) {
      for (const record of records) {
        this.#records.delete(record.entry.messageId);
      }
      throw error;
    }
  }

  /**
   * Creates executions for the entries of an earlier window for which `sinkFor` returns a sink. `sinkFor` is called
   * with the newest entry first.
   */
  claim(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): readonly ExecutionRecord[] {
    const newestFirst = this.#unclaimed.toReversed();
    this.#unclaimed = [];
    this.#writer.markRemoved();
    const records = newestFirst.flatMap((entry) => {
      const sink = sinkFor(entry);
      return sink === undefined ? [] : [new ExecutionRecord(entry, sink)];
    });
    this.#latest ??= records[0];
    return records.toReversed();
  }

  /** True until the cells of an earlier window's executions are known. */
  get hasUnclaimed(): boolean {
    return this.#unclaimed.length > 0;
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

  /** The execution that began last. Output without a parent most likely belongs to it. */
  get latest(): ExecutionRecord | undefined {
    return this.#latest;
  }

  handle(record: ExecutionRecord, message: IncomingMessage): void {
    const before = record.phase;
    record.handle(message);
    this.#changed.add(record);
    if (message.header.msg_type === "execute_input") {
      this.#latest = record;
    }
    if (before === "ended") {
      this.#writer.writeDeliveredSoon();
    } else {
      this.#writeIfEnded(record);
    }
  }

  /** The pending executions that were sent before this one. */
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

  /** Records that the kernel dropped the reply. The execution ends once its output has arrived. */
  loseReply(record: ExecutionRecord): void {
    record.loseReply();
    this.touch(record);
    this.#writeIfEnded(record);
  }

  /** Ends an execution unless it has already ended. */
  end(record: ExecutionRecord, outcome: Parameters<ExecutionRecord["end"]>[0]): void {
    record.end(outcome);
    this.touch(record);
    this.#writeIfEnded(record);
  }

  /**
   * Prepares for a restart of the kernel. Drops unsent executions, and withdraws all others. Returns the message ids of
   * those that the kernel has received but not begun.
   */
  withdrawPending(): readonly string[] {
    const withdrawn: string[] = [];
    for (const record of this.pending) {
      if (record.phase === "queued") {
        this.end(record, { type: "dropped" });
        continue;
      }
      if (record.phase === "sent") {
        withdrawn.push(record.entry.messageId);
      }
      record.withdraw();
    }
    return withdrawn;
  }

  /** Makes withdrawn executions valid again, because the kernel was not restarted. */
  reinstatePending(): void {
    for (const record of this.pending) {
      record.reinstate();
      this.touch(record);
      this.#writeIfEnded(record);
    }
  }

  /**
   * Ends the pending executions, because the kernel ended. `keepsQueued` keeps unsent executions for the new kernel.
   * `notRun`: message ids of executions that the kernel discarded. Returns the entries of executions that were sent.
   */
  endPending({
    keepsQueued,
    notRun,
  }: {
    readonly keepsQueued: boolean;
    readonly notRun?: ReadonlySet<string>;
  }): readonly JournalEntry[] {
    const pending = this.pending;
    const sent = pending.filter(({ phase }) => phase !== "queued").map(({ entry }) => entry);
    for (const record of pending) {
      if (record.phase === "queued" && keepsQueued) {
        continue;
      }
      const isNotRun = record.phase === "sent" && notRun?.has(record.entry.messageId) === true;
      this.end(record, { type: record.phase === "queued" ? "dropped" : isNotRun ? "aborted" : "kernelEnded" });
    }
    return sent;
  }

  /** Marks an execution as changed after an event was added to it. */
  touch(record: ExecutionRecord): void {
    this.#changed.add(record);
  }

  /**
   * Delivers the pending events to one sink after the other, in the order of the executions, because an execution can
   * update a display of an earlier one. Returns a promise if a sink that has events now, or one before it, returned
   * one.
   */
  flush(): void | Promise<void> {
    let last: Promise<void> | undefined;
    for (const record of this.#takeChanged()) {
      const delivery =
        this.#delivery === undefined ? this.#deliver(record) : this.#delivery.then(() => this.#deliver(record));
      if (delivery !== undefined) {
        const done = delivery.then(() => {
          if (this.#delivery === done) {
            this.#delivery = undefined;
          }
        });
        this.#delivery = done;
        last = done;
      }
    }
    return last;
  }

  async delete(messageIds: readonly string[]): Promise<void> {
    for (const id of messageIds) {
      if (this.#records.get(id)?.phase === "ended") {
        this.#records.delete(id);
      }
    }
    this.#writer.markRemoved();
    await this.#writer.write([]);
  }

  /** Removes the journal, because the kernel ended. */
  removeJournal(): void {
    this.#writer.remove();
  }

  #writeIfEnded(record: ExecutionRecord): void {
    if (record.phase === "ended") {
      this.#writer.writeSoon(record.entry);
    }
  }

  /**
   * The executions with new events, in sending order. Their messages can arrive out of order, because replies and
   * output use different channels.
   */
  #takeChanged(): readonly ExecutionRecord[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    if (changed.length < 2) {
      return changed;
    }
    const places = new Map([...this.#records.values()].map((record, index) => [record, index]));
    return changed.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  }

  #deliver(record: ExecutionRecord): Promise<void> | undefined {
    if (!record.hasEvents) {
      return undefined;
    }
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
      if (this.#records.size <= maxRecords) {
        return;
      }
      if (record.phase === "ended") {
        this.#records.delete(id);
      }
    }
  }
}
