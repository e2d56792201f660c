import type { Checkpoint } from "../../api/catalogue/models/contents.ts";
import {
  createCheckpoint,
  deleteCheckpoint,
  listCheckpoints,
  restoreCheckpoint,
} from "../../api/catalogue/operations/contents.ts";
import type { ContentClient } from "../../api/client/client.ts";

/** The checkpoints of one file or notebook on its content server. */
export class FileCheckpoints {
  readonly #client: ContentClient;
  readonly #path: string;

  constructor(client: ContentClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  /** Newest first; those without a date last. */
  async list(): Promise<readonly Checkpoint[]> {
    const all = await this.#client.call(listCheckpoints, { path: this.#path });
    return all.toSorted((one, other) => timeOf(other) - timeOf(one));
  }

  create(): Promise<Checkpoint> {
    return this.#client.call(createCheckpoint, { path: this.#path });
  }

  async restore({ id }: Checkpoint): Promise<void> {
    await this.#client.call(restoreCheckpoint, { path: this.#path, checkpointId: id });
  }

  async delete({ id }: Checkpoint): Promise<void> {
    await this.#client.call(deleteCheckpoint, { path: this.#path, checkpointId: id });
  }
}

function timeOf({ last_modified: time }: Checkpoint): number {
  const parsed = Date.parse(time ?? "");
  return Number.isNaN(parsed) ? Number.NEGATIVE_INFINITY : parsed;
}
