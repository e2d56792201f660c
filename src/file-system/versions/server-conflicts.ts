import type { ContentVersion } from "./content-version.ts";

/** The files whose version on the server is known, and is not the base version of an editor's copy. */
export class ServerConflicts {
  readonly #versions = new Map<string, ContentVersion>();
  #onChanged: () => void = () => {};

  /** Calls `observer` when the conflicting paths change. */
  observe(observer: () => void): void {
    this.#onChanged = observer;
  }

  get(path: string): ContentVersion | undefined {
    return this.#versions.get(path);
  }

  paths(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** Records the conflicting version; undefined if there is no conflict. */
  set(path: string, version: ContentVersion | undefined): void {
    const before = this.#versions.get(path);
    if (version === undefined) {
      this.#versions.delete(path);
    } else {
      this.#versions.set(path, version);
    }
    if ((before === undefined) !== (version === undefined)) {
      this.#onChanged();
    }
  }
}
