import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ContentItem } from "../../../../src/api/catalogue/models/contents.ts";
import {
  type ContentVersion,
  isSameVersion,
  versionOf,
  versionTime,
  versionWritten,
  withVersionOf,
} from "../../../../src/file-system/versions/content-version.ts";

const time = "2026-01-01T00:00:00.000001Z";
const first: ContentVersion = { lastModified: time, size: 4 };
const second: ContentVersion = { lastModified: "2026-01-01T00:00:00.000002Z", size: 4 };
const hashed = (version: ContentVersion, value: string, algorithm = "sha256"): ContentVersion => ({
  ...version,
  hash: { algorithm, value },
});
const response: ContentItem = { name: "a", path: "a", type: "file", last_modified: time, size: 4 };

describe("two versions", () => {
  it("are the same by hash, regardless of the time, or else by time and size", () => {
    assert.equal(isSameVersion(hashed(first, "x"), hashed(second, "x")), true);
    assert.equal(isSameVersion(hashed(first, "x"), hashed(first, "y")), false);
    assert.equal(isSameVersion(first, { ...first }), true);
    assert.equal(isSameVersion(first, second), false);
    assert.equal(isSameVersion(first, { ...first, size: 5 }), false);
  });

  it("are compared by time and size if only one has a hash, or if the algorithms differ", () => {
    for (const [one, other] of [
      [hashed(first, "x"), first],
      [hashed(first, "x"), hashed(first, "x", "md5")],
      [hashed(first, "x"), hashed(first, "y", "md5")],
    ] as const) {
      const later = { ...other, lastModified: second.lastModified };
      assert.deepEqual([isSameVersion(one, other), isSameVersion(other, one)], [true, true]);
      assert.deepEqual([isSameVersion(one, later), isSameVersion(later, one)], [false, false]);
    }
  });
});

describe("the version of an item", () => {
  it("are compared by size if the date of one of them is unknown, and its hash, too", () => {
    const undated = { ...first, lastModified: "" };
    for (const [one, other] of [
      [undated, hashed(first, "x")],
      [hashed(first, "x"), undated],
      [undated, undated],
    ] as const) {
      assert.equal(isSameVersion(one, other), true);
      assert.equal(isSameVersion({ ...one, size: 5 }, other), false);
    }
  });

  it("has the server's time and size, and its hash if the server returns value and algorithm", () => {
    assert.deepEqual(versionOf(response), first);
    assert.deepEqual(versionOf({ ...response, hash: "x", hash_algorithm: "sha256" }), hashed(first, "x"));
    assert.deepEqual(versionOf({ ...response, hash: "x", hash_algorithm: null }), first);
    assert.deepEqual(versionOf({ ...response, hash: null, hash_algorithm: "sha256" }), first);
    assert.equal(versionTime(first), Date.UTC(2026, 0, 1));
  });

  it("is undefined without a size, and without a time unless it has a hash", () => {
    for (const missing of [null, undefined, "", "unknown", "1970-01-01T00:00:00Z"]) {
      const item = { ...response, last_modified: missing };
      assert.equal(versionOf(item), undefined);
      const version = versionOf({ ...item, hash: "x", hash_algorithm: "sha256" });
      assert.deepEqual(version, hashed({ lastModified: "", size: 4 }, "x"));
      assert.equal(version === undefined ? undefined : versionTime(version), 0);
    }
    assert.equal(versionOf({ ...response, size: null }), undefined);
  });

  it("is that of its content if the server doesn't report it", () => {
    const bytes = new TextEncoder().encode("abcd");
    const value = createHash("sha256").update(bytes).digest("hex");
    assert.deepEqual(versionOf(withVersionOf(bytes, { ...response, size: null })), hashed(first, value));
    const undated = hashed({ lastModified: "", size: 4 }, value);
    assert.deepEqual(versionOf(withVersionOf(bytes, { ...response, last_modified: null })), undated);
    assert.deepEqual(versionOf(withVersionOf(bytes, response)), first);
    assert.deepEqual(versionOf(withVersionOf(bytes, response, true)), hashed(first, value));
  });
});

describe("the version after a write", () => {
  const bytes = new TextEncoder().encode("abcd");
  const digest = (algorithm: string): string => createHash(algorithm).update(bytes).digest("hex");

  it("has the hash of the written bytes, by the server's algorithm or the default one", () => {
    assert.deepEqual(versionWritten(response, bytes, "sha512"), hashed(first, digest("sha512"), "sha512"));
    assert.deepEqual(versionWritten(response, bytes, undefined), hashed(first, digest("sha256")));
    assert.deepEqual(versionWritten(response, bytes, null), hashed(first, digest("sha256")));
  });

  it("keeps the server's hash, and has none if the algorithm is unknown", () => {
    const told = { ...response, hash: "x", hash_algorithm: "sha256" };
    assert.deepEqual(versionWritten(told, bytes, "sha256"), hashed(first, "x"));
    assert.deepEqual(versionWritten(response, bytes, "no-hash"), first);
  });
});
