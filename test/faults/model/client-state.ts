import type { FilesClient } from "../client.ts";
import type { Person } from "../person.ts";
import type { Base } from "./expectations.ts";
import { isBelow } from "./paths.ts";

/** Milliseconds that content that was read for a status can serve a read. */
const readDelaysMs = 3_000;
/** Milliseconds that a status can serve a save. */
const saveFollowsWithin = 1_500;

/** The model's knowledge of one client. */
export class ClientState {
  readonly client: FilesClient;
  readonly person: Person;
  /** The versions that this client last read or wrote, of files that are not open in an editor. */
  readonly bases = new Map<string, Base>();
  /** The versions on which the editors' copies are based. */
  readonly documents = new Map<string, Base>();
  /** The time in the tree at which this client last knew the state of a path for certain. */
  readonly #learned = new Map<string, number>();
  #refreshedAt = 0;
  /** The time at which this client requested the status of a path: in its own milliseconds, and in the tree. */
  readonly #glances = new Map<string, { readonly at: number; readonly time: number }[]>();

  constructor(client: FilesClient, person: Person) {
    this.client = client;
    this.person = person;
  }

  learned(path: string, time: number): void {
    this.#learned.set(path, time);
  }

  refreshed(time: number): void {
    this.#refreshedAt = time;
  }

  learnedAt(path: string): number {
    return Math.max(this.#refreshedAt, this.#learned.get(path) ?? 0);
  }

  glanced(path: string, time: number): void {
    const glances = this.#glances.get(path) ?? [];
    glances.push({ at: this.client.time.now(), time });
    this.#glances.set(path, glances);
  }

  /**
   * The time in the tree since when a read may return an older state: the status of a file can be answered by reading
   * it, and the following read then gets the same content.
   */
  readableSince(path: string, time: number): number {
    return this.#glancedWithin(readDelaysMs, path) ?? time;
  }

  /** The time in the tree since when a save may not have seen changes: it uses the status that was just requested. */
  savableSince(path: string, time: number): number {
    return this.#glancedWithin(saveFollowsWithin, path) ?? time;
  }

  /** The time in the tree of the first request for the status of a path within these milliseconds. */
  #glancedWithin(milliseconds: number, path: string): number | undefined {
    const earliest = this.client.time.now() - milliseconds;
    return this.#glances.get(path)?.find(({ at }) => at >= earliest)?.time;
  }

  moved(from: string, to: string): void {
    for (const [path, base] of [...this.bases]) {
      if (path === from || isBelow(path, from)) {
        this.bases.delete(path);
        this.bases.set(to + path.slice(from.length), base);
      }
    }
  }
}
