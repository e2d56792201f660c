import type { JournalEntry, KernelJournal } from "../../executions/execution-journal.ts";
import { type Agenda, Awaited } from "../agenda.ts";
import type { JournalWrite } from "../effect.ts";

/** Milliseconds within which changes are combined into one write, unless a request waits for it. */
const combineWithinMs = 100;
/** The journal is written anew when this many entries were appended, or more than it has. */
const minAppendedEntries = 500;

type State =
  | { readonly type: "idle" }
  | { readonly type: "writing"; readonly write: JournalWrite; readonly waiting: readonly Awaited<void>[] };

/**
 * What one kernel's journal stores, and what of it still has to be written: one write at a time, and only the entries
 * that changed. The journal is written as a whole at first, after a failure, and when the appended entries outnumber
 * the others.
 */
export class Journal {
  readonly #agenda: Agenda;
  readonly #kernelId: string;
  readonly #current: () => KernelJournal;
  #state: State = { type: "idle" };
  /** Entries to write, by message id. */
  readonly #changed = new Map<string, JournalEntry>();
  /** What waits for the next write. */
  readonly #waiting: Awaited<void>[] = [];
  /** What waits for the end of all writes. */
  readonly #finishing: Awaited<void>[] = [];
  #isWriteDue = false;
  #isRemovalDue = false;
  /** False if the stored journal may lack entries, or have ones that were removed. */
  #isWhole = false;
  #appended = 0;
  /** Id of the last recorded message that executions received, and the stored one. */
  #deliveredId: string | undefined;
  #writtenId: string | undefined;
  #timer: number | undefined;

  /** `current` returns the session and the entries of the whole journal. */
  constructor(
    agenda: Agenda,
    kernelId: string,
    { current, deliveredId }: { readonly current: () => KernelJournal; readonly deliveredId: string | undefined },
  ) {
    this.#agenda = agenda;
    this.#kernelId = kernelId;
    this.#current = current;
    this.#deliveredId = deliveredId;
  }

  /** Number of entries and callers that wait for a write. */
  get size(): number {
    const writing = this.#state.type === "writing" ? 1 : 0;
    return writing + this.#changed.size + this.#waiting.length + this.#finishing.length;
  }

  /** Records the id of the last recorded message that was delivered. */
  noteDelivered(id: string | undefined): void {
    this.#deliveredId = id ?? this.#deliveredId;
  }

  /** Writes the entries, and all earlier changes. */
  write(entries: readonly JournalEntry[]): Awaited<void> {
    for (const entry of entries) {
      this.#changed.set(entry.messageId, entry);
    }
    return this.#write();
  }

  /** Writes the entry, or only the id of the last delivered message, within 100 ms, together with other changes. */
  writeSoon(entry?: JournalEntry): void {
    if (entry !== undefined) {
      this.#changed.set(entry.messageId, entry);
    }
    this.#timer ??= this.#agenda.setTimer({ name: "writeJournal" }, combineWithinMs);
  }

  /** Writes what has waited for the timer. */
  writeNow(): void {
    this.#timer = undefined;
    this.#isWriteDue = true;
    this.#proceed();
  }

  /** Makes the next write store the whole journal, because entries were removed. */
  markRemoved(): void {
    this.#isWhole = false;
  }

  /** Removes the journal, and what waits to be written. */
  remove(): void {
    this.#cancelTimer();
    this.#changed.clear();
    this.#isRemovalDue = true;
    this.#proceed();
  }

  /** Writes the changes that wait. Resolves when all writes are done, even if one fails. */
  finish(): Awaited<void> {
    const isMoved = this.#isWhole && this.#deliveredId !== this.#writtenId;
    if (this.#changed.size > 0 || isMoved) {
      this.#isWriteDue = true;
      this.#proceed();
    }
    const finished = new Awaited<void>(this.#agenda);
    if (this.#state.type === "idle") {
      finished.resolve();
    } else {
      this.#finishing.push(finished);
    }
    return finished;
  }

  /** Handles the end of a write. */
  written(error: Error | undefined): void {
    const state = this.#state;
    if (state.type !== "writing") {
      return;
    }
    this.#state = { type: "idle" };
    const { write, waiting } = state;
    if (error !== undefined && write.type === "append") {
      // For example, the user deleted the file.
      this.#replace(waiting);
      return;
    }
    this.#end(write, waiting, error);
    // First, what a failed write would have stored is removed.
    this.#agenda.defer(() => {
      // Nothing is written after `finish` has resolved for its callers.
      this.#isWriteDue ||= this.#finishing.length > 0 && this.#changed.size > 0;
      this.#proceed();
      if (this.#state.type === "idle") {
        for (const done of this.#finishing.splice(0)) {
          done.resolve();
        }
      }
    });
  }

  #end(write: JournalWrite, waiting: readonly Awaited<void>[], error: Error | undefined): void {
    if (error === undefined && write.type === "append") {
      this.#appended += write.entries.length + (write.deliveredId === undefined ? 0 : 1);
      this.#writtenId = write.deliveredId ?? this.#writtenId;
    } else if (error === undefined && write.type === "replace") {
      this.#appended = 0;
      this.#writtenId = write.journal.deliveredId;
    } else if (write.type === "replace") {
      this.#isWhole = false;
    }
    if (error !== undefined && waiting.length === 0) {
      this.#agenda.add({
        type: "log",
        level: "warn",
        text: `the journal of kernel ${this.#kernelId}: ${String(error)}`,
      });
    }
    for (const one of waiting) {
      if (error === undefined) {
        one.resolve();
      } else {
        one.reject(error);
      }
    }
  }

  #write(): Awaited<void> {
    const written = new Awaited<void>(this.#agenda);
    this.#waiting.push(written);
    this.#isWriteDue = true;
    this.#proceed();
    return written;
  }

  /** Begins the next write, if there is one to make and none is under way. */
  #proceed(): void {
    if (this.#state.type === "writing") {
      return;
    }
    if (this.#isRemovalDue) {
      this.#isRemovalDue = false;
      this.#isWriteDue = false;
      this.#isWhole = false;
      this.#begin({ type: "remove" }, this.#waiting.splice(0));
      return;
    }
    if (!this.#isWriteDue) {
      return;
    }
    this.#isWriteDue = false;
    this.#cancelTimer();
    const waiting = this.#waiting.splice(0);
    const entries = [...this.#changed.values()];
    const deliveredId = this.#deliveredId === this.#writtenId ? undefined : this.#deliveredId;
    if (entries.length === 0 && deliveredId === undefined && this.#isWhole) {
      for (const one of waiting) {
        one.resolve();
      }
      return;
    }
    const appended = this.#appended + entries.length + (deliveredId === undefined ? 0 : 1);
    if (!this.#isWhole || (appended > minAppendedEntries && appended > this.#current().entries.length)) {
      this.#replace(waiting);
    } else {
      this.#changed.clear();
      this.#begin({ type: "append", entries, deliveredId }, waiting);
    }
  }

  #replace(waiting: readonly Awaited<void>[]): void {
    this.#cancelTimer();
    this.#changed.clear();
    this.#isWhole = true;
    this.#begin({ type: "replace", journal: { ...this.#current(), deliveredId: this.#deliveredId } }, waiting);
  }

  #begin(write: JournalWrite, waiting: readonly Awaited<void>[]): void {
    this.#state = { type: "writing", write, waiting };
    this.#agenda.add({ type: "writeJournal", write });
  }

  #cancelTimer(): void {
    this.#agenda.cancelTimer(this.#timer);
    this.#timer = undefined;
  }
}
