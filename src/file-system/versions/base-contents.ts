/** The largest file whose content is remembered, and all of them together, in bytes. */
const largestFile = 4_000_000;
const largestSum = 32_000_000;

/**
 * The bytes that the editor's copies came from: the base of a three-way merge. Small files alone, the newest ones; those
 * that are open go last.
 */
export class BaseContents {
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #isOpen: (path: string) => boolean;
  #sum = 0;

  constructor(isOpen: (path: string) => boolean) {
    this.#isOpen = isOpen;
  }

  get(path: string): Uint8Array | undefined {
    return this.#bytes.get(path);
  }

  set(path: string, bytes: Uint8Array | undefined): void {
    this.delete(path);
    if (bytes === undefined || bytes.byteLength > largestFile) {
      return;
    }
    this.#bytes.set(path, bytes);
    this.#sum += bytes.byteLength;
    for (const isKept of [(other: string): boolean => this.#isOpen(other), (): boolean => false]) {
      for (const other of [...this.#bytes.keys()]) {
        if (this.#sum > largestSum && other !== path && !isKept(other)) {
          this.delete(other);
        }
      }
    }
  }

  delete(path: string): void {
    const bytes = this.#bytes.get(path);
    if (bytes !== undefined) {
      this.#bytes.delete(path);
      this.#sum -= bytes.byteLength;
    }
  }

  move(from: string, to: string): void {
    const bytes = this.#bytes.get(from);
    this.delete(from);
    this.set(to, bytes);
  }
}
