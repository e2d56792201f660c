import type { JournalEntry, KernelJournal } from "../../src/api/kernels/executions/execution-journal.ts";
import type { JournalWrite } from "../../src/api/kernels/protocol/effect.ts";

/** A journal that outlives windows. */
export class JournalStore {
  readonly #sessionId: string;
  #journal: KernelJournal | undefined;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** What a new window reads. */
  get journal(): KernelJournal {
    return this.#journal ?? { sessionId: this.#sessionId, entries: [] };
  }

  /** Returns the error if there is no journal to append to. */
  write(write: JournalWrite): Error | undefined {
    switch (write.type) {
      case "replace":
        this.#journal = write.journal;
        break;
      case "append": {
        if (this.#journal === undefined) return new Error("There is no journal.");
        const { sessionId, entries, deliveredId } = this.#journal;
        const all = new Map<string, JournalEntry>(
          [...entries, ...write.entries].map((entry) => [entry.messageId, entry] as const),
        );
        this.#journal = { sessionId, entries: [...all.values()], deliveredId: write.deliveredId ?? deliveredId };
        break;
      }
      case "remove":
        this.#journal = undefined;
        break;
    }
    return undefined;
  }
}
