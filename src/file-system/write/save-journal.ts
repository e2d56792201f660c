import type { Replacement } from "../../api/content-server/replacement.ts";

/**
 * A started save in chunks. `uploading`: the temporary file is incomplete and can be discarded. `placing`: it is
 * complete, and is being moved to the target.
 */
export interface JournaledSave extends Replacement {
  readonly stage: "uploading" | "placing";
}

/** The part of the editor's storage that the journal needs. */
interface JournalStorage {
  get<T>(key: string, otherwise: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = "unfinishedSaves";

type Stored = Readonly<Record<string, readonly JournaledSave[]>>;

/**
 * The journal of one workspace's unfinished saves in chunks. It is persisted, so that the next session can finish a
 * save that was interrupted when the editor exited.
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

  /** The interrupted saves. Returns each of them only once until `retry` is called. */
  takeInterrupted(): readonly JournaledSave[] {
    if (this.#isTaken) {
      return [];
    }
    this.#isTaken = true;
    return this.#stored().filter((save) => !this.#running.has(save.upload));
  }

  /** Makes `takeInterrupted` return the unfinished saves again. */
  retry(): void {
    this.#isTaken = false;
  }

  /** Records the stage of a save. Await it before sending any request of this stage. */
  async record(save: JournaledSave): Promise<void> {
    this.#running.add(save.upload);
    await this.#store([...this.#stored().filter(({ upload }) => upload !== save.upload), save]);
  }

  /** Removes a save that has ended and left nothing on the server. */
  async ended(upload: string): Promise<void> {
    this.#running.delete(upload);
    await this.#store(this.#stored().filter((save) => save.upload !== upload));
  }

  /** Records a failed save that left something on the server. It is finished by the next successful request. */
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
