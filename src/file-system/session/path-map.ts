import { parentOf } from "../../api/catalogue/content-path.ts";

/**
 * A map by path in the order of insertion, which also finds everything below a path. Its costs depend on the depth of a
 * path and on what is below it, not on the number of all paths.
 */
export class PathMap<T> {
  readonly #values = new Map<string, T>();
  /** The paths in a folder that are in the map, or that have paths below them. The root is in no folder. */
  readonly #inFolder = new Map<string, Set<string>>();

  get size(): number {
    return this.#values.size;
  }

  get(path: string): T | undefined {
    return this.#values.get(path);
  }

  set(path: string, value: T): void {
    this.#values.set(path, value);
    for (let below = path; below !== ""; ) {
      const folder = parentOf(below);
      const siblings = this.#inFolder.get(folder);
      if (siblings?.has(below)) {
        return;
      }
      if (siblings === undefined) {
        this.#inFolder.set(folder, new Set([below]));
      } else {
        siblings.add(below);
      }
      below = folder;
    }
  }

  delete(path: string): void {
    this.#values.delete(path);
    for (let below = path; below !== "" && !this.#values.has(below) && !this.#inFolder.has(below); ) {
      const folder = parentOf(below);
      const siblings = this.#inFolder.get(folder);
      siblings?.delete(below);
      if (siblings?.size === 0) {
        this.#inFolder.delete(folder);
      }
      below = folder;
    }
  }

  /** Removes a path and everything below it. */
  deleteWithin(path: string): void {
    for (const [key] of this.within(path)) {
      this.delete(key);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#inFolder.clear();
  }

  keys(): MapIterator<string> {
    return this.#values.keys();
  }

  /** The entries of a path and of everything below it. */
  within(path: string): readonly (readonly [string, T])[] {
    const found: (readonly [string, T])[] = [];
    const pending = [path];
    for (const next of pending) {
      const value = this.#values.get(next);
      if (value !== undefined) {
        found.push([next, value]);
      }
      for (const below of this.#inFolder.get(next) ?? []) {
        pending.push(below);
      }
    }
    return found;
  }
}
