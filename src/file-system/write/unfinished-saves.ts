import type { Replacement } from "../../api/content-server/replacement.ts";

/**
 * A save in chunks that has begun. `uploading`: the file beside the target is not complete and of no use; `placing`: it is
 * complete and on its way to the target's place.
 */
export interface UnfinishedSave extends Replacement {
  readonly stage: "uploading" | "placing";
}

/** The part of the editor's memory that is needed here. */
export interface Memory {
  get<T>(key: string, otherwise: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = "unfinishedSaves";

type Stored = Readonly<Record<string, readonly UnfinishedSave[]>>;

/** The begun saves of one workspace, kept where they outlive an editor that ends in the middle of one. */
export class UnfinishedSaves {
  readonly #memory: Memory | undefined;
  readonly #authority: string;
  readonly #running = new Set<string>();
  #isTaken = false;

  constructor(memory?: Memory, authority = "") {
    this.#memory = memory;
    this.#authority = authority;
  }

  /** What was broken off before, each once until `again`. */
  take(): readonly UnfinishedSave[] {
    if (this.#isTaken) {
      return [];
    }
    this.#isTaken = true;
    return this.#stored().filter((save) => !this.#running.has(save.upload));
  }

  /** What could not be ended is to be tried again. */
  again(): void {
    this.#isTaken = false;
  }

  /** Notes where a save stands. Nothing may be sent for this stage before it has ended. */
  async note(save: UnfinishedSave): Promise<void> {
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
    this.again();
  }

  #stored(): readonly UnfinishedSave[] {
    return this.#memory?.get<Stored>(storageKey, {})[this.#authority] ?? [];
  }

  async #store(saves: readonly UnfinishedSave[]): Promise<void> {
    const { [this.#authority]: _, ...others } = this.#memory?.get<Stored>(storageKey, {}) ?? {};
    await this.#memory?.update(storageKey, saves.length === 0 ? others : { ...others, [this.#authority]: saves });
  }
}
