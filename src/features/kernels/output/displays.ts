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

/** Maximum number of displays with one id. Each update changes all of them, and a kernel can send any number. */
const maxPlaces = 10_000;

/**
 * Finds the displays of a notebook by id. An update changes all displays with the id, in any cell. Has only displays
 * that cells show, which limits their number.
 */
export class Displays {
  readonly #places = new Map<string, Place[]>();
  readonly #idsOfOwner = new Map<DisplayOwner, Set<string>>();

  add(displayId: string, owner: DisplayOwner, key: OutputKey): void {
    const places = this.#places.get(displayId) ?? [];
    places.push({ owner, key });
    if (places.length > maxPlaces) {
      places.shift();
    }
    this.#places.set(displayId, places);
    const ids = this.#idsOfOwner.get(owner) ?? new Set();
    ids.add(displayId);
    this.#idsOfOwner.set(owner, ids);
  }

  update(displayId: string, bundle: MimeBundle): void {
    for (const { owner, key } of this.#places.get(displayId) ?? []) {
      owner.updateDisplay(key, bundle);
    }
  }

  /** Removes the displays of an owner whose cell runs again or shows other outputs. */
  remove(owner: DisplayOwner): void {
    for (const displayId of this.#idsOfOwner.get(owner) ?? []) {
      const left = this.#places.get(displayId)?.filter((place) => place.owner !== owner) ?? [];
      if (left.length === 0) {
        this.#places.delete(displayId);
      } else {
        this.#places.set(displayId, left);
      }
    }
    this.#idsOfOwner.delete(owner);
  }
}
