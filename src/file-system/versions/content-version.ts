import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { hashOf } from "../../api/content-server/content-hash.ts";

/** The version of a file as the server reports it: its hash if it has one, otherwise its date and size. */
export interface ContentVersion {
  /** The server's unparsed value, which is compared exactly. */
  readonly lastModified: string;
  /** Size in bytes. */
  readonly size: number;
  readonly hash?: { readonly algorithm: string; readonly value: string };
}

/** The version of an item; undefined if the server did not report its date or size. */
export function versionOf(item: ContentItem): ContentVersion | undefined {
  const { last_modified: lastModified, size, hash, hash_algorithm: algorithm } = item;
  if (typeof lastModified !== "string" || typeof size !== "number") {
    return undefined;
  }
  const hasHash = typeof hash === "string" && typeof algorithm === "string";
  return { lastModified, size, ...(hasHash ? { hash: { algorithm, value: hash } } : {}) };
}

/**
 * True if the content is the same. Compares hashes if both have one, regardless of the dates; otherwise date and size.
 */
export function isSameVersion(one: ContentVersion, other: ContentVersion): boolean {
  if (one.hash !== undefined && other.hash !== undefined && one.hash.algorithm === other.hash.algorithm) {
    return one.hash.value === other.hash.value;
  }
  return one.lastModified === other.lastModified && one.size === other.size;
}

/** The default hash algorithm of servers. Hashes of different algorithms are never compared. */
const usualAlgorithm = "sha256";

/**
 * The version after writing these bytes. The response to a PUT has no hash, so it is computed here, to allow the next
 * save to detect a change within one tick of the clock. `algorithm` is the server's algorithm, if known.
 */
export function versionWritten(
  item: ContentItem,
  bytes: Uint8Array,
  algorithm: string | null | undefined,
): ContentVersion | undefined {
  const version = versionOf(item);
  if (version === undefined || version.hash !== undefined) {
    return version;
  }
  const named = algorithm ?? usualAlgorithm;
  const value = hashOf(bytes, named);
  return value === undefined ? version : { ...version, hash: { algorithm: named, value } };
}

/** The version's date, in milliseconds since 1970. */
export function timeOf(version: ContentVersion): number {
  return Date.parse(version.lastModified);
}
