import type { FilesClient } from "../client.ts";
import type { Person } from "../person.ts";
import type { Base } from "./expectations.ts";
import { isBelow } from "./paths.ts";

/** Milliseconds that content which was read for a status may serve a read. */
const readFollowsWithin = 3_000;

/** What the model remembers of one client. */
export class ClientState {
  readonly client: FilesClient;
  readonly person: Person;
  /** The versions that this client read or wrote last, of files that no editor holds. */
  readonly bases = new Map<string, Base>();
  /** The versions that the editors' copies came from. */
  readonly documents = new Map<string, Base>();
  /** When this client last learned for certain what a path is, as the tree counts time. */
  readonly #learned = new Map<string, number>();
  #refreshedAt = 0;
  /** When this client asked for the status of a path: in its own milliseconds, and as the tree counts time. */
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
   * The time of the tree since when a read may give what was there: the status of a file can be answered by reading it,
   * and what was read then serves the read that follows.
   */
  readableSince(path: string, time: number): number {
    const earliest = this.client.time.now() - readFollowsWithin;
    return this.#glances.get(path)?.find(({ at }) => at >= earliest)?.time ?? time;
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
