import { parentOf } from "../../api/catalogue/content-path.ts";

interface Revision {
  number: number;
  underWay: number;
}

/** The locks of one workspace's paths, and the revisions of its directories. */
export class PathLocks {
  readonly #locks = new Map<string, Promise<void>>();
  readonly #revisions = new Map<string, Revision>();

  /** Serializes writes to the same path. A write of several paths waits for all of them. */
  async exclusively<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = paths.map((path) => this.#locks.get(path) ?? Promise.resolve());
    const directories = new Set(paths.flatMap((path) => [path, parentOf(path)]));
    this.#count(directories, 1);
    const running = Promise.allSettled(before).then(work);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    for (const path of paths) {
      this.#locks.set(path, settled);
    }
    try {
      return await running;
    } finally {
      this.#count(directories, -1);
      for (const path of paths) {
        if (this.#locks.get(path) === settled) {
          this.#locks.delete(path);
        }
      }
    }
  }

  /** A number that changes with each of our own changes in a directory; undefined while one is in progress. */
  revision(directory: string): number | undefined {
    const known = this.#revisions.get(directory);
    return known === undefined ? 0 : known.underWay > 0 ? undefined : known.number;
  }

  #count(directories: ReadonlySet<string>, more: 1 | -1): void {
    for (const directory of directories) {
      const known = this.#revisions.get(directory) ?? { number: 0, underWay: 0 };
      known.number += 1;
      known.underWay += more;
      this.#revisions.set(directory, known);
    }
  }
}
