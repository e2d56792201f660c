import type { KernelRequest } from "./kernel-messages.ts";
import type { KernelProcess } from "./kernel-process.ts";

/** The requests on a kernel's main shell, or on a subshell. They are handled one after the other. */
export class ShellQueue {
  readonly #kernel: KernelProcess;
  readonly #handle: (request: KernelRequest) => void;
  /** `stopAborting`: from here on, requests are no longer aborted. */
  readonly #waiting: (KernelRequest | "stopAborting")[] = [];
  #isHandling = false;
  isAborting = false;

  constructor(kernel: KernelProcess, handle: (request: KernelRequest) => void) {
    this.#kernel = kernel;
    this.#handle = handle;
  }

  add(request: KernelRequest): void {
    this.#waiting.push(request);
    this.#next();
  }

  /** Aborts what waits, and what comes in the next moments. */
  abort(): void {
    this.isAborting = true;
    this.#kernel.after(this.#kernel.random.next() * 3, () => {
      this.#waiting.push("stopAborting");
      this.#next();
    });
  }

  /** Call this when a request was handled. */
  done(): void {
    this.#isHandling = false;
    this.#next();
  }

  #next(): void {
    if (this.#isHandling || this.#waiting.length === 0) return;
    this.#isHandling = true;
    this.#kernel.after(this.#kernel.random.next(), () => {
      const next = this.#waiting.shift();
      if (next === "stopAborting") {
        this.isAborting = false;
        this.done();
      } else if (next !== undefined) {
        this.#handle(next);
      }
    });
  }
}
