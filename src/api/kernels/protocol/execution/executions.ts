import type { JournalEntry, KernelJournal } from "../../executions/execution-journal.ts";
import type { ExecutionOutcome, ExecutionSink, GapReason } from "../../executions/executions.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import type { Agenda, Awaited } from "../agenda.ts";
import { Deliveries } from "./deliveries.ts";
import { ExecutionRecord } from "./execution.ts";
import { Journal } from "./journal.ts";

/** Maximum number of executions to keep. The oldest finished ones are discarded. */
const maxRecords = 2000;

/** The executions of one kernel, by the message ids of their requests, with their journal and their deliveries. */
export class Executions {
  readonly deliveries: Deliveries;
  readonly journal: Journal;
  readonly #agenda: Agenda;
  readonly #records = new Map<string, ExecutionRecord>();
  /** Entries of an earlier window whose cells are not known yet. */
  #unclaimed: readonly JournalEntry[];
  #latest: ExecutionRecord | undefined;
  /** True if the kernel has a recorder. */
  isRecording = false;

  constructor(agenda: Agenda, kernelId: string, { sessionId, entries, deliveredId }: KernelJournal) {
    this.#agenda = agenda;
    this.#unclaimed = entries;
    this.deliveries = new Deliveries(agenda);
    const current = (): KernelJournal => ({
      sessionId,
      entries: [...this.#unclaimed, ...[...this.#records.values()].map(({ entry }) => entry)],
    });
    this.journal = new Journal(agenda, kernelId, { current, deliveredId });
  }

  /** Executions that have not ended, in sending order. */
  get pending(): readonly ExecutionRecord[] {
    return [...this.#records.values()].filter(({ isEnded }) => !isEnded);
  }

  /** True if an execution was sent and has not ended. */
  get areAwaited(): boolean {
    for (const { socket, isEnded } of this.#records.values()) {
      if (socket !== undefined && !isEnded) {
        return true;
      }
    }
    return false;
  }

  /** True if this window has no executions in the kernel other than those of an earlier window. */
  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  /** Adds executions and writes the journal. If that fails, none of them is added. */
  add(records: readonly ExecutionRecord[]): Awaited<void> {
    for (const record of records) {
      this.#records.set(record.entry.messageId, record);
    }
    this.#trim();
    const written = this.journal.write(records.map(({ entry }) => entry));
    written.onResult(
      () => {},
      () => {
        for (const record of records) {
          this.#records.delete(record.entry.messageId);
        }
      },
    );
    return written;
  }

  /** Entries of an earlier window whose cells are not known yet. */
  get unclaimed(): readonly JournalEntry[] {
    return this.#unclaimed;
  }

  /** Creates executions for the entries of an earlier window that have a sink. Discards the others. */
  claim(sinks: ReadonlyMap<string, ExecutionSink>, hasOnlyLateOutput: boolean): readonly ExecutionRecord[] {
    const records = this.#unclaimed.flatMap((entry) => {
      const sink = sinks.get(entry.messageId);
      return sink === undefined ? [] : [new ExecutionRecord(entry, sink, { hasOnlyLateOutput })];
    });
    this.#unclaimed = [];
    this.journal.markRemoved();
    this.#latest ??= records.at(-1);
    return records;
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
    const hadEnded = record.isEnded;
    record.handle(message, this.#agenda.now, this.isRecording);
    if (message.header.msg_type === "execute_input") {
      this.#latest = record;
    }
    if (hadEnded) {
      this.deliveries.touch(record);
      this.journal.writeSoon();
    } else {
      this.#noteChange(record);
    }
  }

  /** The pending executions that were sent before this one. */
  sentBefore(record: ExecutionRecord): readonly ExecutionRecord[] {
    const before: ExecutionRecord[] = [];
    for (const other of this.#records.values()) {
      if (other === record) {
        return before;
      }
      if (other.socket !== undefined) {
        before.push(other);
      }
    }
    return before;
  }

  /** Records that the kernel dropped the reply. The execution ends once its output has arrived. */
  loseReply(record: ExecutionRecord): void {
    record.loseReply(this.#agenda.now);
    this.#noteChange(record);
  }

  /** Reports that output of executions may be missing. */
  reportGap(records: Iterable<ExecutionRecord>, reason: GapReason): void {
    for (const record of records) {
      record.gap(reason);
      if (reason.type === "recorderFull") {
        record.markRecorded(false);
      }
      this.deliveries.touch(record);
    }
  }

  /** Ends an execution unless it has already ended. */
  end(record: ExecutionRecord, outcome: ExecutionOutcome): void {
    if (!record.isEnded) {
      record.end(outcome, this.#agenda.now);
      this.#noteChange(record);
    }
  }

  /** Ends an execution with the reply that arrived. */
  endWithReply(record: ExecutionRecord): void {
    record.endWithReply();
    this.#noteChange(record);
  }

  /** Ends the executions that were not sent, because an interrupt, a restart, or a failure emptied the queue. */
  dropQueued(isDropped: (record: ExecutionRecord) => boolean = () => true): void {
    for (const record of this.pending) {
      if (record.phase === "queued" && isDropped(record)) {
        this.end(record, { type: "dropped" });
      }
    }
  }

  /**
   * Prepares for a restart of the kernel. Drops unsent executions, and withdraws all others. Returns the message ids of
   * those that the kernel has received but not begun.
   */
  withdrawPending(): readonly string[] {
    this.dropQueued();
    const { pending } = this;
    for (const record of pending) {
      record.withdraw();
    }
    return pending.filter(({ phase }) => phase === "sent").map(({ entry }) => entry.messageId);
  }

  /** Makes withdrawn executions valid again, because the kernel was not restarted. */
  reinstatePending(): void {
    for (const record of this.pending) {
      record.reinstate(this.#agenda.now);
      this.#noteChange(record);
    }
  }

  /**
   * Ends the pending executions, because the kernel ended. `keepsQueued` keeps unsent executions for the new kernel.
   * `notRun`: message ids of executions that the kernel discarded unless it had begun them. `socket`: the open one, on which
   * all messages arrive. Returns the entries of executions that were sent.
   */
  endPending({
    keepsQueued,
    notRun = new Set(),
    socket,
  }: {
    readonly keepsQueued: boolean;
    readonly notRun?: ReadonlySet<string>;
    readonly socket?: number | undefined;
  }): readonly JournalEntry[] {
    const { pending } = this;
    const sent = pending.filter(({ phase }) => phase !== "queued").map(({ entry }) => entry);
    for (const record of pending) {
      if (record.phase !== "queued") {
        const isNotBegun =
          record.phase === "sent" && !record.isReceived && (record.isRecorded || record.socket === socket);
        const isNotRun = isNotBegun && notRun.has(record.entry.messageId);
        this.end(record, { type: isNotRun ? "aborted" : "kernelEnded" });
      } else if (!keepsQueued) {
        this.end(record, { type: "dropped" });
      }
    }
    return sent;
  }

  /** Discards ended executions. */
  delete(messageIds: readonly string[]): Awaited<void> {
    for (const id of messageIds) {
      if (this.#records.get(id)?.isEnded === true) {
        this.#records.delete(id);
      }
    }
    this.journal.markRemoved();
    return this.journal.write([]);
  }

  /** Delivers the new events, in sending order. */
  deliver(): void {
    this.deliveries.deliver((changed) => {
      const places = new Map([...this.#records.values()].map((record, index) => [record, index]));
      return changed.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
    });
  }

  #noteChange(record: ExecutionRecord): void {
    this.deliveries.touch(record);
    if (record.isEnded) {
      this.journal.writeSoon(record.entry);
    }
  }

  #trim(): void {
    for (const [id, record] of this.#records) {
      if (this.#records.size <= maxRecords) {
        return;
      }
      if (record.isEnded) {
        this.#records.delete(id);
      }
    }
  }
}
