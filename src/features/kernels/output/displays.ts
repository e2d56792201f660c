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

/**
 * Number of displays with one ID up to which each update is applied at once. A kernel can send any number of displays
 * and updates, so of the updates of more displays, only the last one in an interval is applied.
 */
const maxImmediate = 1000;
const intervalMs = 100;

/**
 * Finds the displays of a notebook by id. An update changes all displays with the id, in any cell. Has only displays
 * that cells show, which limits their number.
 */
export class Displays {
  readonly #places = new Map<string, Place[]>();
  readonly #idsOfOwner = new Map<DisplayOwner, Set<string>>();
  /** The last update of each ID that isn't applied yet. */
  readonly #updates = new Map<string, MimeBundle>();
  #timer: NodeJS.Timeout | undefined;

  add(displayId: string, owner: DisplayOwner, key: OutputKey): void {
    // An update changes only the displays before it.
    this.#apply(displayId);
    const places = this.#places.get(displayId) ?? [];
    places.push({ owner, key });
    this.#places.set(displayId, places);
    const ids = this.#idsOfOwner.get(owner) ?? new Set();
    ids.add(displayId);
    this.#idsOfOwner.set(owner, ids);
  }

  update(displayId: string, bundle: MimeBundle): void {
    const places = this.#places.get(displayId) ?? [];
    if (places.length === 0) {
      return;
    }
    this.#updates.set(displayId, bundle);
    if (places.length <= maxImmediate) {
      this.#apply(displayId);
    } else {
      this.#timer ??= setTimeout(() => this.applyUpdates(), intervalMs);
    }
  }

  /** Applies the last updates now, for example because a cell ends. */
  applyUpdates(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const displayId of [...this.#updates.keys()]) {
      this.#apply(displayId);
    }
  }

  #apply(displayId: string): void {
    const bundle = this.#updates.get(displayId);
    if (bundle === undefined) {
      return;
    }
    this.#updates.delete(displayId);
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
