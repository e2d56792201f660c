import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { hashOf } from "../../api/content-server/content-hash.ts";

/** Which state of a file this is, as the server tells it: its hash where it has one, else time and size. */
export interface ContentVersion {
  /** The server's own text, compared to the letter. */
  readonly lastModified: string;
  /** Bytes. */
  readonly size: number;
  readonly hash?: { readonly algorithm: string; readonly value: string };
}

/** The version of an item; undefined when the server left out time or size, which nobody here makes up. */
export function versionOf(item: ContentItem): ContentVersion | undefined {
  const { last_modified: lastModified, size, hash, hash_algorithm: algorithm } = item;
  if (typeof lastModified !== "string" || typeof size !== "number") {
    return undefined;
  }
  const hasHash = typeof hash === "string" && typeof algorithm === "string";
  return { lastModified, size, ...(hasHash ? { hash: { algorithm, value: hash } } : {}) };
}

/** True when the content is the same: by hash where both have it, whatever the time says; else by time and size. */
export function isSameVersion(one: ContentVersion, other: ContentVersion): boolean {
  if (one.hash !== undefined && other.hash !== undefined && one.hash.algorithm === other.hash.algorithm) {
    return one.hash.value === other.hash.value;
  }
  return one.lastModified === other.lastModified && one.size === other.size;
}

/** What servers hash with unless they are told otherwise. A hash by another one than the server's is never compared. */
const usualAlgorithm = "sha256";

/**
 * The version after these bytes were written as they are: a PUT's answer has no hash, so it is worked out here, for then
 * the next save can tell a change within the same moment. `algorithm`: the server's, where it has told it.
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

/** Milliseconds since 1970 of the version's time. */
export function timeOf(version: ContentVersion): number {
  return Date.parse(version.lastModified);
}
