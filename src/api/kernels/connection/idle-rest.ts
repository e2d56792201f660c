import type { Presence } from "../../presence.ts";

interface IdleRestParts {
  readonly presence: Presence;
  /** True if the kernel runs nothing, and no reply is awaited. */
  readonly isQuiet: () => boolean;
  readonly rest: () => void;
  readonly wake: () => void;
}

/**
 * Lets a connection rest while nobody is present and the kernel runs nothing. An open socket answers the server's pings,
 * which counts as activity: a hub would never stop the server of a window that somebody left open.
 */
export class IdleRest {
  readonly #parts: IdleRestParts;
  readonly #listener: { dispose(): void };

  constructor(parts: IdleRestParts) {
    this.#parts = parts;
    this.#listener = parts.presence.onChange(() => (parts.presence.isPresent ? parts.wake() : this.check()));
  }

  /** Rests if possible. Call this when something has ended. */
  check(): void {
    if (!this.#parts.presence.isPresent && this.#parts.isQuiet()) {
      this.#parts.rest();
    }
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
