import type { Replacement } from "../../api/content-server/replacement.ts";

/**
 * A save in chunks that has begun. `uploading`: the file beside the target is not complete and of no use; `placing`: it is
 * complete and on its way to the target's place.
 */
export interface JournaledSave extends Replacement {
  readonly stage: "uploading" | "placing";
}

/** The part of the editor's storage that is needed here. */
interface JournalStorage {
  get<T>(key: string, otherwise: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = "unfinishedSaves";

type Stored = Readonly<Record<string, readonly JournaledSave[]>>;

/**
 * The journal of one workspace's saves in chunks: which have begun and not ended. It is kept where it outlives an editor
 * that ends in the middle of a save, so that the next session can end the save.
 */
export class SaveJournal {
  readonly #storage: JournalStorage | undefined;
  readonly #authority: string;
  readonly #running = new Set<string>();
  #isTaken = false;

  constructor(storage?: JournalStorage, authority = "") {
    this.#storage = storage;
    this.#authority = authority;
  }

  /** The saves that were interrupted before; each once, until `retry`. */
  takeInterrupted(): readonly JournaledSave[] {
    if (this.#isTaken) {
      return [];
    }
    this.#isTaken = true;
    return this.#stored().filter((save) => !this.#running.has(save.upload));
  }

  /** What could not be ended is to be tried again. */
  retry(): void {
    this.#isTaken = false;
  }

  /** Records the stage of a save. Nothing may be sent for this stage before this has ended. */
  async record(save: JournaledSave): Promise<void> {
    this.#running.add(save.upload);
    await this.#store([...this.#stored().filter(({ upload }) => upload !== save.upload), save]);
  }

  /** The save has ended and nothing is left of it. */
  async ended(upload: string): Promise<void> {
    this.#running.delete(upload);
    await this.#store(this.#stored().filter((save) => save.upload !== upload));
  }

  /** The save has failed with something left on the server: the next request that gets through is to end it. */
  failed(upload: string): void {
    this.#running.delete(upload);
    this.retry();
  }

  #stored(): readonly JournaledSave[] {
    return this.#storage?.get<Stored>(storageKey, {})[this.#authority] ?? [];
  }

  async #store(saves: readonly JournaledSave[]): Promise<void> {
    const { [this.#authority]: _, ...others } = this.#storage?.get<Stored>(storageKey, {}) ?? {};
    await this.#storage?.update(storageKey, saves.length === 0 ? others : { ...others, [this.#authority]: saves });
  }
}
