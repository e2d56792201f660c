import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { hashOf } from "../../api/content-server/content-hash.ts";

/** The version of a file as the server reports it: its hash if it has one, otherwise its date and size. */
export interface ContentVersion {
  /** The server's unparsed value, which is compared exactly. Empty if the server doesn't know the date. */
  readonly lastModified: string;
  /** Size in bytes. */
  readonly size: number;
  readonly hash?: { readonly algorithm: string; readonly value: string };
}

/** The version of an item; undefined if the server did not report its size, or neither its date nor its hash. */
export function versionOf(item: ContentItem): ContentVersion | undefined {
  const { size, hash, hash_algorithm: algorithm } = item;
  const lastModified = knownDate(item.last_modified);
  const hasHash = typeof hash === "string" && typeof algorithm === "string";
  if (typeof size !== "number" || (lastModified === undefined && !hasHash)) {
    return undefined;
  }
  return { lastModified: lastModified ?? "", size, ...(hasHash ? { hash: { algorithm, value: hash } } : {}) };
}

/** A server's date; undefined if it is invalid, or the year 1970, which servers over object stores use for unknown. */
export function knownDate(date: string | null | undefined): string | undefined {
  return typeof date === "string" && Date.parse(date) > 0 ? date : undefined;
}

/**
 * The item of this content. If the server left out its version, as servers over object stores do, the version is that
 * of the content. `isHashed`: in any case.
 */
export function withVersionOf(bytes: Uint8Array, item: ContentItem, isHashed = false): ContentItem {
  if ((!isHashed || typeof item.hash === "string") && versionOf(item) !== undefined) {
    return item;
  }
  const hash_algorithm = item.hash_algorithm ?? usualAlgorithm;
  const hash = hashOf(bytes, hash_algorithm);
  return { ...item, size: item.size ?? bytes.byteLength, ...(hash === undefined ? {} : { hash, hash_algorithm }) };
}

/**
 * True if the content is the same. Compares hashes if both have one, regardless of the dates; otherwise date and size.
 * An unknown date, which only a listing leaves to be compared with a version that has a hash, equals any other.
 */
export function isSameVersion(one: ContentVersion, other: ContentVersion): boolean {
  if (one.hash !== undefined && other.hash !== undefined && one.hash.algorithm === other.hash.algorithm) {
    return one.hash.value === other.hash.value;
  }
  const isUndated = one.lastModified === "" || other.lastModified === "";
  return one.size === other.size && (isUndated || one.lastModified === other.lastModified);
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
  return versionOf(withVersionOf(bytes, { ...item, hash_algorithm: item.hash_algorithm ?? algorithm }, true));
}

/** The version's date, in milliseconds since 1970; 0 if it is unknown. */
export function versionTime(version: ContentVersion): number {
  return Date.parse(version.lastModified) || 0;
}
