import type { ExecutionJournal, JournalEntry, KernelJournal } from "./execution-journal.ts";

/** Milliseconds within which changes are combined into one write, unless a request waits for it. */
const combineWithinMs = 100;
/** The journal is written anew when this many entries were appended, or more than it has. */
const minAppendedEntries = 500;

/**
 * Writes one kernel's journal: one write at a time, and only the entries that changed. The journal is written as a whole
 * at first, after a failure, and when the appended entries outnumber the others.
 */
export class JournalWriter {
  readonly #journal: ExecutionJournal;
  readonly #kernelId: string;
  readonly #current: () => KernelJournal;
  readonly #deliveredId: () => string | undefined;
  readonly #onError: (error: unknown) => void;
  /** Entries to write, by message id. */
  readonly #changed = new Map<string, JournalEntry>();
  /** False if the stored journal may lack entries, or have ones that were removed. */
  #isWhole = false;
  #appended = 0;
  /** The stored id of the last delivered message. */
  #writtenId: string | undefined;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /**
   * `current` returns the whole journal, and `deliveredId` only its id of the last delivered message. `onError` receives
   * failures that no caller waits for.
   */
  constructor(
    journal: ExecutionJournal,
    {
      kernelId,
      current,
      deliveredId,
    }: {
      readonly kernelId: string;
      readonly current: () => KernelJournal;
      readonly deliveredId: () => string | undefined;
    },
    onError: (error: unknown) => void,
  ) {
    this.#journal = journal;
    this.#kernelId = kernelId;
    this.#current = current;
    this.#deliveredId = deliveredId;
    this.#onError = onError;
  }

  /** Writes the entries, and all earlier changes. Resolves when they are stored. */
  write(entries: readonly JournalEntry[]): Promise<void> {
    this.#add(entries);
    return this.#write();
  }

  /** Writes the entry within 100 ms, together with other changes. */
  writeSoon(entry: JournalEntry): void {
    this.#add([entry]);
    this.#schedule();
  }

  /** Writes the id of the last delivered message within 100 ms, together with other changes. */
  writeDeliveredSoon(): void {
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#unobserved(this.#write()), combineWithinMs);
  }

  /** Makes the next write store the whole journal, because entries were removed. */
  markRemoved(): void {
    this.#isWhole = false;
  }

  /** Removes the journal, and forgets the changes that wait. */
  remove(): void {
    this.#cancelTimer();
    this.#changed.clear();
    this.#unobserved(
      this.#afterWriting(() => {
        this.#isWhole = false;
        return this.#journal.remove(this.#kernelId);
      }),
    );
  }

  /** Writes the changes that wait. Resolves when all writes are done. Never rejects. */
  finish(): Promise<void> {
    if (this.#changed.size > 0 || (this.#isWhole && this.#deliveredId() !== this.#writtenId)) {
      this.#unobserved(this.#write());
    }
    return this.#writing;
  }

  #add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#changed.set(entry.messageId, entry);
    }
  }

  #write(): Promise<void> {
    this.#cancelTimer();
    return this.#afterWriting(async () => {
      const entries = [...this.#changed.values()];
      const deliveredId = this.#deliveredId();
      const isMoved = deliveredId !== this.#writtenId;
      if (entries.length === 0 && !isMoved && this.#isWhole) {
        return;
      }
      const appended = this.#appended + entries.length + (isMoved ? 1 : 0);
      if (!this.#isWhole || (appended > minAppendedEntries && appended > this.#current().entries.length)) {
        return this.#replace();
      }
      this.#changed.clear();
      try {
        await this.#journal.append(this.#kernelId, entries, isMoved ? deliveredId : undefined);
        this.#appended = appended;
        this.#writtenId = deliveredId;
      } catch {
        // For example, the user deleted the file.
        await this.#replace();
      }
    });
  }

  async #replace(): Promise<void> {
    this.#cancelTimer();
    this.#changed.clear();
    this.#isWhole = true;
    try {
      const current = this.#current();
      await this.#journal.replace(this.#kernelId, current);
      this.#appended = 0;
      this.#writtenId = current.deliveredId;
    } catch (error) {
      this.#isWhole = false;
      throw error;
    }
  }

  #afterWriting(write: () => Promise<void>): Promise<void> {
    const writing = this.#writing.then(write);
    this.#writing = writing.catch(() => {});
    return writing;
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #unobserved(writing: Promise<void>): void {
    writing.catch(this.#onError);
  }
}
