import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { Knowledge } from "./listing-cache.ts";

/**
 * Files of this size or larger are read as raw bytes. Their version is their date and size, because servers don't hash
 * them.
 */
const bigFileBytes = 4_000_000;
/** Files above this size are written in chunks to a temporary name. */
export const chunkedSaveBytes = 16_000_000;
/** Up to this size, notebooks are written as notebooks, and files with a checkpoint are written in one request. */
export const wholeSaveBytes = 200_000_000;

export type SizedItem = ContentItem & { readonly size: number };

/** The item if it is known to be a file that must be read as raw bytes. */
export function bigFileIn(known: Knowledge): SizedItem | undefined {
  if (known.type !== "present" || known.item.type === "directory" || typeof known.item.size !== "number") {
    return undefined;
  }
  const { size } = known.item;
  return size >= bigFileBytes ? { ...known.item, size } : undefined;
}
