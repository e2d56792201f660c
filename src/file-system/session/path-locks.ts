import { parentOf } from "../../api/catalogue/content-path.ts";
import { SerialWork } from "../../api/serial-work.ts";

interface Revision {
  number: number;
  underWay: number;
}

/** The locks of one workspace's paths, and the revisions of its directories. */
export class PathLocks {
  readonly #locks = new SerialWork();
  readonly #revisions = new Map<string, Revision>();

  /** Serializes writes to the same path. A write of several paths waits for all of them. */
  async exclusively<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const directories = new Set(paths.flatMap((path) => [path, parentOf(path)]));
    this.#count(directories, 1);
    try {
      return await this.#locks.run(paths, work);
    } finally {
      this.#count(directories, -1);
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
