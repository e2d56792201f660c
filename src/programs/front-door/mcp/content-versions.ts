import { createHash } from "node:crypto";
import type { ContentItem } from "../../../api/catalogue/models/contents.ts";

/**
 * The version of a file as a caller holds it: the server's hash where it has one, else its time and size. A caller gives
 * it back to say which version it has seen; it is compared to the letter.
 */
export function versionTextOf(item: ContentItem): string | undefined {
  return hashTextOf(item) ?? timeTextOf(item);
}

/** True when the server has the version that the text names, by hash or by time and size. */
export function isVersion(text: string, item: ContentItem): boolean {
  return text === hashTextOf(item) || text === timeTextOf(item);
}

/**
 * The version after these bytes were written as they are. The answer to a write has no hash; one is worked out with the
 * algorithm that the server used before, for a read afterwards could be of somebody else's version already.
 */
export function versionAfterWriting(
  answer: ContentItem,
  bytes: Uint8Array | undefined,
  algorithm: string | null | undefined,
): string | undefined {
  const told = hashTextOf(answer);
  if (told !== undefined || bytes === undefined || typeof algorithm !== "string") {
    return told ?? timeTextOf(answer);
  }
  try {
    return hashText(algorithm, createHash(algorithm).update(bytes).digest("hex"));
  } catch {
    return timeTextOf(answer);
  }
}

function hashTextOf({ hash, hash_algorithm: algorithm }: ContentItem): string | undefined {
  return typeof hash === "string" && typeof algorithm === "string" ? hashText(algorithm, hash) : undefined;
}

function timeTextOf({ last_modified: modified, size }: ContentItem): string | undefined {
  return typeof modified === "string" && typeof size === "number" ? `${modified} ${size}` : undefined;
}

function hashText(algorithm: string, hash: string): string {
  return `${algorithm}:${hash}`;
}
