import type { MimeBundle } from "../../../api/kernels/executions/executions.ts";
import type { OutputKey } from "./cell-outputs.ts";

/** Whoever can change an output that it has. */
export interface DisplayOwner {
  updateDisplay(key: OutputKey, bundle: MimeBundle): void;
}

interface Place {
  readonly owner: DisplayOwner;
  readonly key: OutputKey;
}

/** Display ids that are remembered; a server can send any number. */
const mostIds = 10_000;
const mostPlaces = 100;

/** Where in a notebook the displays with an id are: an update changes all of them, in whatever cell. */
export class Displays {
  readonly #places = new Map<string, Place[]>();

  add(displayId: string, owner: DisplayOwner, key: OutputKey): void {
    const places = this.#places.get(displayId) ?? [];
    this.#places.delete(displayId);
    this.#places.set(displayId, [...places, { owner, key }].slice(-mostPlaces));
    const [oldest] = this.#places.keys();
    if (this.#places.size > mostIds && oldest !== undefined) {
      this.#places.delete(oldest);
    }
  }

  update(displayId: string, bundle: MimeBundle): void {
    for (const { owner, key } of this.#places.get(displayId) ?? []) {
      owner.updateDisplay(key, bundle);
    }
  }

  /** The cell of that owner runs again, or shows other outputs now. */
  remove(owner: DisplayOwner): void {
    for (const [displayId, places] of this.#places) {
      const left = places.filter((place) => place.owner !== owner);
      if (left.length === 0) {
        this.#places.delete(displayId);
      } else if (left.length < places.length) {
        this.#places.set(displayId, left);
      }
    }
  }
}
