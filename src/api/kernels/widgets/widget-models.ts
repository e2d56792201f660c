import type { Fields } from "../wire/kernel-message.ts";
import { fieldsOf } from "../wire/message-codec.ts";
import { buffersByPath, type WidgetBuffer } from "./widget-buffers.ts";

/** A widget's model in the kernel. Its state names its classes in `_model_module`, `_model_name`, and so on. */
export interface WidgetModel {
  readonly commId: string;
  readonly state: Fields;
  readonly buffers: readonly WidgetBuffer[];
}

/** Limits of the stored widgets of a kernel. `size` counts characters of state and bytes of buffers. */
export interface WidgetLimits {
  readonly models: number;
  readonly size: number;
}

const defaultLimits: WidgetLimits = { models: 20_000, size: 64 * 1024 * 1024 };

interface Kept {
  state: Record<string, unknown>;
  buffers: readonly WidgetBuffer[];
  /** Size of each member of the state. */
  readonly sizes: Map<string, number>;
  size: number;
}

/**
 * The widgets of a kernel, stored even if no page shows them. A page that opens while the kernel is busy reads them
 * from here. Beyond the limits, the oldest are removed.
 */
export class WidgetModels {
  readonly #limits: WidgetLimits;
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  constructor(limits: WidgetLimits = defaultLimits) {
    this.#limits = limits;
  }

  has(commId: string): boolean {
    return this.#kept.has(commId);
  }

  get(commId: string): WidgetModel | undefined {
    const kept = this.#kept.get(commId);
    return kept === undefined ? undefined : { commId, state: kept.state, buffers: kept.buffers };
  }

  /** All widgets, in the order in which they were opened. */
  all(): readonly WidgetModel[] {
    return [...this.#kept].map(([commId, { state, buffers }]) => ({ commId, state, buffers }));
  }

  /** Stores a widget that was opened, or whose complete state was read. */
  open(commId: string, state: Fields, buffers: readonly WidgetBuffer[]): void {
    this.close(commId);
    this.#kept.set(commId, { state: {}, buffers: [], sizes: new Map(), size: 0 });
    this.update(commId, state, buffers);
  }

  /** Updates some members of a widget's state, including their binary values. */
  update(commId: string, state: Fields, buffers: readonly WidgetBuffer[]): void {
    const kept = this.#kept.get(commId);
    if (kept === undefined) {
      return;
    }
    // Binary members are only in the buffers.
    const bufferSizes = sizesByMember(buffers);
    const changed = new Set([...Object.keys(state), ...bufferSizes.keys()]);
    kept.buffers = [...kept.buffers.filter(({ path }) => !changed.has(String(path[0]))), ...buffers];
    let { size } = kept;
    for (const name of changed) {
      delete kept.state[name];
      if (Object.hasOwn(state, name) && name !== "__proto__") {
        kept.state[name] = state[name];
      }
      const stateSize = JSON.stringify(kept.state[name])?.length ?? 0;
      const memberSize = name.length + stateSize + (bufferSizes.get(name) ?? 0);
      size += memberSize - (kept.sizes.get(name) ?? 0);
      kept.sizes.set(name, memberSize);
    }
    this.#size += size - kept.size;
    kept.size = size;
    this.#trim(commId);
  }

  close(commId: string): void {
    const kept = this.#kept.get(commId);
    this.#size -= kept?.size ?? 0;
    this.#kept.delete(commId);
  }

  clear(): void {
    this.#kept.clear();
    this.#size = 0;
  }

  #trim(newest: string): void {
    for (const commId of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.models && this.#size <= this.#limits.size) {
        return;
      }
      if (commId !== newest || this.#size > this.#limits.size) {
        this.close(commId);
      }
    }
  }
}

/** Bytes of the binary values per member of the state. */
function sizesByMember(buffers: readonly WidgetBuffer[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { path, data } of buffers) {
    const name = String(path[0]);
    sizes.set(name, (sizes.get(name) ?? 0) + data.byteLength);
  }
  return sizes;
}

/** The widget state in the data of a comm's `open` or `update`. */
export function stateIn(data: Fields, buffers: readonly Uint8Array[]): Pick<WidgetModel, "state" | "buffers"> {
  return { state: fieldsOf(data.state), buffers: buffersByPath(data.buffer_paths, buffers) };
}
