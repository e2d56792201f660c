import assert from "node:assert/strict";
import {
  type ContentVersion,
  isSameVersion,
  versionWritten,
} from "../../../../src/file-system/versions/content-version.ts";
import { EditorVersions } from "../../../../src/file-system/versions/editor-versions.ts";

const first: ContentVersion = { lastModified: "2026-01-01T00:00:00.000001Z", size: 4 };
const second: ContentVersion = { lastModified: "2026-01-01T00:00:00.000002Z", size: 4 };
const third: ContentVersion = { lastModified: "2026-01-01T00:00:00.000003Z", size: 4 };
const hashed = (version: ContentVersion, value: string): ContentVersion => ({
  ...version,
  hash: { algorithm: "sha256", value },
});

describe("the version that an editor's copy came from", () => {
  let now: number;
  let versions: EditorVersions;

  beforeEach(() => {
    now = 1_000;
    versions = new EditorVersions(() => now);
    versions.read("a", first, false);
  });

  it("is the one that was read; another one may not be replaced", () => {
    assert.notEqual(versions.verdict("a", first), "conflict");
    assert.equal(versions.verdict("a", second), "conflict");
    assert.notEqual(versions.verdict("unread", second), "conflict");
  });

  it("stays when the file is only looked at while there are unsaved changes, until there are none", () => {
    versions.read("a", second, true);
    assert.equal(versions.verdict("a", second), "conflict");
    versions.becameClean("a");
    assert.notEqual(versions.verdict("a", second), "conflict");
  });

  it("stays when somebody else reads another version while the editor holds the file, until the editor shows that", () => {
    const theirs = new Uint8Array([2]);
    versions.read("a", second, true, theirs);
    versions.becameClean("a", () => false);
    assert.equal(versions.verdict("a", second), "conflict");
    versions.becameClean("a", (bytes) => bytes === theirs);
    assert.equal(versions.verdict("a", second), "same");
    assert.equal(versions.verdict("a", first), "conflict");
  });

  it("may be replaced by what the person was just shown, and by nothing newer", () => {
    versions.reportConflict("a", second);
    assert.equal(versions.verdict("a", third), "conflict");
    assert.notEqual(versions.verdict("a", second), "conflict");
    now += 5_001;
    assert.equal(versions.verdict("a", second), "conflict");
    versions.rebase("a", second);
    assert.notEqual(versions.verdict("a", second), "conflict");
    assert.equal(versions.verdict("a", third), "conflict");
  });

  it("is what we wrote last, and what was accepted before counts no more", () => {
    versions.rebase("a", second);
    versions.written("a", third);
    assert.notEqual(versions.verdict("a", third), "conflict");
    assert.equal(versions.verdict("a", second), "conflict");
  });

  it("is the server's after it was dealt with; the editor still takes its copy for the older one until it is saved", () => {
    versions.rebase("a", second, new Uint8Array([2]));
    assert.deepEqual([versions.base("a"), versions.heldByEditor("a")], [second, first]);
    versions.rebase("a", third);
    assert.deepEqual(versions.heldByEditor("a"), first);
    versions.written("a", third);
    assert.equal(versions.heldByEditor("a"), undefined);
  });

  it("has its bytes remembered where the file is small, for as long as it is the base", () => {
    const bytes = new Uint8Array([1]);
    versions.read("a", first, false, bytes);
    versions.read("a", second, true, new Uint8Array([2]));
    assert.deepEqual(versions.baseContent("a"), bytes);
    versions.becameClean("a");
    assert.deepEqual(versions.baseContent("a"), new Uint8Array([2]));
    versions.move("a", "b");
    assert.deepEqual([versions.baseContent("a"), versions.baseContent("b")], [undefined, new Uint8Array([2])]);
    versions.written("b", third, new Uint8Array(5_000_000));
    assert.equal(versions.baseContent("b"), undefined);
  });

  it("is told of as a conflict while the server has another one", () => {
    let told = 0;
    versions.observeConflicts(() => {
      told += 1;
    });
    versions.noticed("a", first);
    versions.noticed("a", second);
    versions.reportConflict("a", third);
    assert.deepEqual([versions.conflicts(), versions.conflict("a"), told], [["a"], third, 1]);
    versions.noticed("a", first);
    assert.deepEqual([versions.conflicts(), told], [[], 2]);
    versions.noticed("a", second);
    versions.rebase("a", second);
    assert.deepEqual([versions.conflicts(), told], [[], 4]);
  });

  it("goes along with a renamed folder", () => {
    versions.read("folder/x", first, false);
    versions.move("folder", "renamed");
    assert.equal(versions.verdict("renamed/x", second), "conflict");
    assert.equal(versions.base("folder/x"), undefined);
  });

  it("of an earlier session outlives the reads of a window that brings unsaved changes back", () => {
    versions.restore({ b: first });
    versions.read("b", second, false);
    assert.equal(versions.verdict("b", second), "conflict");
    versions.becameClean("b");
    assert.notEqual(versions.verdict("b", second), "conflict");
  });

  it("learns the hash of the same time and size, and of no other", () => {
    versions.complete("a", hashed(second, "x"));
    assert.equal(versions.base("a")?.hash, undefined);
    versions.complete("a", hashed(first, "x"));
    assert.equal(versions.verdict("a", hashed(first, "y")), "conflict");
  });
});

describe("two versions", () => {
  it("are the same by hash whatever the time says, else by time and size", () => {
    assert.equal(isSameVersion(hashed(first, "x"), hashed(second, "x")), true);
    assert.equal(isSameVersion(hashed(first, "x"), hashed(first, "y")), false);
    assert.equal(isSameVersion(first, hashed(first, "x")), true);
    assert.equal(isSameVersion(first, second), false);
  });

  it("have no time or size made up: an answer without them is no version", () => {
    const bytes = new TextEncoder().encode("abcd");
    const answer = { name: "a", path: "a", type: "file", size: 4 };
    assert.equal(versionWritten(answer, bytes, "sha256"), undefined);
    const told = versionWritten({ ...answer, last_modified: first.lastModified }, bytes, "sha256");
    assert.equal(told?.hash?.value.length, 64);
    assert.equal(versionWritten({ ...answer, last_modified: first.lastModified }, bytes, "no-hash")?.hash, undefined);
  });
});
