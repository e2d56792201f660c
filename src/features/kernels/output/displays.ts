import type { MimeBundle } from "../../../api/kernels/executions/executions.ts";
import type { OutputKey } from "./cell-outputs.ts";

/** An owner of outputs that can be updated. */
export interface DisplayOwner {
  updateDisplay(key: OutputKey, bundle: MimeBundle): void;
}

interface Place {
  readonly owner: DisplayOwner;
  readonly key: OutputKey;
}

/** Maximum number of tracked display ids. A server can send any number. */
const mostIds = 10_000;
const mostPlaces = 100;

/** Finds the displays of a notebook by id. An update changes all displays with the id, in any cell. */
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

  /** Removes the displays of an owner whose cell runs again or shows other outputs. */
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
