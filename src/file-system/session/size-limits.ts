import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { Knowledge } from "./listing-cache.ts";

/** From this size on a file is read as raw bytes, and its version is its time and size: no server hashes it. */
const bigFileBytes = 4_000_000;
/** Above this size a file is written in chunks beside its place. */
export const chunkedSaveBytes = 16_000_000;
/** Up to this size a notebook travels as one, and a file that has a checkpoint in one piece. */
export const wholeSaveBytes = 200_000_000;

export type SizedItem = ContentItem & { readonly size: number };

/** The item when it is known to be a file of at least the size from which on it is read as raw bytes. */
export function bigFileIn(known: Knowledge): SizedItem | undefined {
  if (known.type !== "present" || known.item.type === "directory" || typeof known.item.size !== "number") {
    return undefined;
  }
  const { size } = known.item;
  return size >= bigFileBytes ? { ...known.item, size } : undefined;
}
