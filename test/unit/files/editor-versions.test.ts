import assert from "node:assert/strict";
import { type ContentVersion, isSameVersion, versionWritten } from "../../../src/files/content-version.ts";
import { EditorVersions } from "../../../src/files/editor-versions.ts";

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
    assert.equal(versions.mayReplace("a", first), true);
    assert.equal(versions.mayReplace("a", second), false);
    assert.equal(versions.mayReplace("unread", second), true);
  });

  it("stays when the file is only looked at while there are unsaved changes, until there are none", () => {
    versions.read("a", second, true);
    assert.equal(versions.mayReplace("a", second), false);
    versions.becameClean("a");
    assert.equal(versions.mayReplace("a", second), true);
  });

  it("may be replaced by what the person was just shown, and by nothing newer", () => {
    versions.reportConflict("a", second);
    assert.equal(versions.mayReplace("a", third), false);
    assert.equal(versions.mayReplace("a", second), true);
    now += 5_001;
    assert.equal(versions.mayReplace("a", second), false);
    versions.acceptOverwrite("a", second);
    assert.equal(versions.mayReplace("a", second), true);
    assert.equal(versions.mayReplace("a", third), false);
  });

  it("is what we wrote last, and what was accepted before counts no more", () => {
    versions.acceptOverwrite("a", second);
    versions.written("a", third);
    assert.equal(versions.mayReplace("a", third), true);
    assert.equal(versions.mayReplace("a", second), false);
  });

  it("goes along with a renamed folder", () => {
    versions.read("folder/x", first, false);
    versions.move("folder", "renamed");
    assert.equal(versions.mayReplace("renamed/x", second), false);
    assert.equal(versions.base("folder/x"), undefined);
  });

  it("of an earlier session outlives the reads of a window that brings unsaved changes back", () => {
    versions.restore({ b: first });
    versions.read("b", second, false);
    assert.equal(versions.mayReplace("b", second), false);
    versions.becameClean("b");
    assert.equal(versions.mayReplace("b", second), true);
  });

  it("learns the hash of the same time and size, and of no other", () => {
    versions.complete("a", hashed(second, "x"));
    assert.equal(versions.base("a")?.hash, undefined);
    versions.complete("a", hashed(first, "x"));
    assert.equal(versions.mayReplace("a", hashed(first, "y")), false);
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
