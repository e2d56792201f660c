import type { ContentVersion } from "./content-version.ts";

/** Maximum size of a file whose content is kept, and of all kept content together, in bytes. */
const maxFileBytes = 4_000_000;
const maxTotalBytes = 32_000_000;

/** A version of a file that an editor's copy can be based on. Copies of the same read share one object. */
export interface Base {
  readonly version: ContentVersion;
}

/**
 * The bytes of base versions, for three-way merges. Keeps only small files and the most recent ones. Open files are
 * evicted last.
 */
export class BaseContents {
  readonly #entries = new Map<Base, { readonly path: string; readonly bytes: Uint8Array }>();
  readonly #isOpen: (path: string) => boolean;
  #sum = 0;

  constructor(isOpen: (path: string) => boolean) {
    this.#isOpen = isOpen;
  }

  get(base: Base | undefined): Uint8Array | undefined {
    return base === undefined ? undefined : this.#entries.get(base)?.bytes;
  }

  set(path: string, base: Base, bytes: Uint8Array | undefined): void {
    this.#delete(base);
    if (bytes === undefined || bytes.byteLength > maxFileBytes) {
      return;
    }
    this.#entries.set(base, { path, bytes });
    this.#sum += bytes.byteLength;
    for (const isKept of [(other: string): boolean => this.#isOpen(other), (): boolean => false]) {
      for (const [other, entry] of [...this.#entries]) {
        if (this.#sum > maxTotalBytes && other !== base && !isKept(entry.path)) {
          this.#delete(other);
        }
      }
    }
  }

  /** Deletes the bytes of a path's versions that are no longer used. */
  retainOnly(path: string, used: ReadonlySet<Base>): void {
    for (const [base, entry] of [...this.#entries]) {
      if (entry.path === path && !used.has(base)) {
        this.#delete(base);
      }
    }
  }

  move(from: string, to: string): void {
    for (const [base, { path, bytes }] of [...this.#entries]) {
      if (path === from) {
        this.#entries.set(base, { path: to, bytes });
      }
    }
  }

  #delete(base: Base): void {
    const entry = this.#entries.get(base);
    if (entry !== undefined) {
      this.#entries.delete(base);
      this.#sum -= entry.bytes.byteLength;
    }
  }
}
