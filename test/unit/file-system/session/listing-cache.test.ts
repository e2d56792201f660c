import assert from "node:assert/strict";
import type { ContentItem } from "../../../../src/api/catalogue/models/contents.ts";
import { ListingCache } from "../../../../src/file-system/session/listing-cache.ts";

function item(path: string, type = "file"): ContentItem {
  return { name: path.slice(path.lastIndexOf("/") + 1), path, type, last_modified: "2026-01-01T00:00:00Z", size: 1 };
}

describe("the listing cache", () => {
  let now: number;
  let cache: ListingCache;
  const typeOf = (path: string, maxAgeMs?: number): string => cache.lookUp(path, maxAgeMs).type;

  beforeEach(() => {
    now = 1_000;
    cache = new ListingCache(() => now);
    cache.setListing(item("", "directory"), [item("a.txt"), item("folder", "directory")], now);
  });

  it("knows listed and missing items, and everything below a file or a missing item", () => {
    assert.equal(typeOf(""), "present");
    assert.equal(typeOf("a.txt"), "present");
    assert.equal(typeOf("b.txt"), "absent");
    assert.equal(typeOf(".vscode/settings.json"), "absent");
    assert.equal(typeOf("a.txt/below"), "absent");
    assert.equal(typeOf("folder/unlisted.txt"), "unknown");
  });

  it("doesn't treat names that servers never list as missing", () => {
    for (const name of ["x.pyc", "__pycache__", "draft.txt~", ".DS_Store"]) {
      assert.equal(typeOf(name), "unknown", name);
    }
  });

  it("is fresh for five seconds, and a hint afterward", () => {
    now += ListingCache.freshMs;
    assert.equal(typeOf("a.txt"), "present");
    now += 1;
    assert.equal(typeOf("a.txt"), "unknown");
    assert.equal(typeOf("b.txt"), "unknown");
    assert.equal(typeOf("a.txt", Number.POSITIVE_INFINITY), "present");
    assert.equal(typeOf("b.txt", Number.POSITIVE_INFINITY), "absent");
  });

  it("caches missing items for a shorter time if the listing specifies one, but not existing items", () => {
    cache.setListing(item("", "directory"), [item("a.txt")], now, { absentMs: 1_000 });
    now += 1_000;
    assert.equal(typeOf("b.txt"), "absent");
    now += 1;
    assert.deepEqual([typeOf("a.txt"), typeOf("b.txt")], ["present", "unknown"]);
    assert.equal(typeOf("b.txt", Number.POSITIVE_INFINITY), "absent", "a hint");
  });

  it("keeps the last known state of an invalidated path, but not of a removed one", () => {
    const seen = (path: string): string | undefined =>
      cache
        .lastSeen(path)
        ?.children.map(({ name }) => name)
        .join();
    cache.setListing(item("folder", "directory"), [item("folder/deep.txt")], now);
    cache.invalidate("folder");
    assert.deepEqual([typeOf(""), typeOf("a.txt"), typeOf("folder/deep.txt")], ["unknown", "unknown", "unknown"]);
    assert.equal(cache.listing(""), undefined);
    assert.deepEqual([seen(""), seen("folder")], ["a.txt,folder", "deep.txt"]);
    assert.equal(cache.lastSeenItem("folder/deep.txt")?.path, "folder/deep.txt");
    assert.equal(cache.lastSeenItem("folder/other.txt"), undefined);
    cache.invalidate("");
    assert.deepEqual([seen(""), seen("folder")], ["a.txt,folder", "deep.txt"], "invalidated twice");
    cache.setListing(item("", "directory"), [item("a.txt")], now);
    cache.delete("folder");
    assert.deepEqual([seen(""), seen("folder")], ["a.txt", undefined]);
    cache.clear();
    assert.equal(seen(""), undefined);
  });

  it("doesn't keep the last known state of a directory that a newer listing lacks", () => {
    cache.setListing(item("folder", "directory"), [item("folder/inner", "directory")], now);
    cache.setListing(item("folder/inner", "directory"), [], now);
    cache.setListing(item("folderish", "directory"), [], now);
    cache.invalidate("");
    cache.setListing(item("", "directory"), [item("folder", "directory")], now);
    const known = ["folder", "folder/inner", "folderish"].map((path) => cache.lastSeen(path) !== undefined);
    assert.deepEqual(known, [true, true, false]);
  });

  it("keeps the last known state of at most 1,000 directories, the newest", () => {
    for (let count = 0; count <= 1_000; count += 1) {
      cache.setListing(item(`folder ${count}`, "directory"), [], now);
    }
    cache.invalidate("");
    const known = ["folder 0", "folder 1", "folder 2", "folder 1000"].map((path) => cache.lastSeen(path) !== undefined);
    // The root is the oldest, then the first folder.
    assert.deepEqual(known, [false, true, true, true]);
  });

  it("applies own writes immediately, also to the listing", () => {
    cache.set(item("b.txt"));
    cache.setAbsent("a.txt");
    assert.equal(typeOf("b.txt"), "present");
    assert.equal(typeOf("a.txt"), "absent");
    assert.deepEqual(
      cache
        .listing("", 0)
        ?.children.map(({ name }) => name)
        .sort(),
      ["b.txt", "folder"],
    );
  });

  it("keeps a write that is newer than the request of a listing", () => {
    const askedAt = now;
    now += 10;
    cache.set(item("new.txt"));
    cache.setListing(item("", "directory"), [item("a.txt")], askedAt);
    assert.equal(typeOf("new.txt"), "present");
    now += 10;
    cache.setListing(item("", "directory"), [item("a.txt")], now);
    assert.equal(typeOf("new.txt"), "absent");
  });

  it("keeps a write or a listing that is newer than the request of an item", () => {
    const askedAt = now;
    now += 10;
    cache.set({ ...item("a.txt"), size: 2 });
    cache.set(item("a.txt"), askedAt);
    const known = cache.lookUp("a.txt");
    assert.equal(known.type === "present" && known.item.size, 2);
    cache.setAbsent("a.txt", askedAt);
    assert.equal(typeOf("a.txt"), "present");

    cache.setAbsent("b.txt");
    cache.set(item("b.txt"), askedAt);
    assert.equal(typeOf("b.txt"), "absent");

    cache.setListing(item("", "directory"), [], now);
    cache.set(item("c.txt"), askedAt);
    assert.equal(typeOf("c.txt"), "absent");
    assert.deepEqual(cache.listing("")?.children, []);
    cache.set(item("c.txt"), now);
    assert.equal(typeOf("c.txt"), "present");
  });

  it("removes a directory with everything below it", () => {
    cache.setListing(item("folder", "directory"), [item("folder/x.txt")], now);
    cache.set(item("folderish.txt"));
    cache.delete("folder");
    assert.equal(cache.listing("folder", Number.POSITIVE_INFINITY), undefined);
    assert.equal(typeOf("folderish.txt"), "present");
    cache.clear();
    assert.equal(typeOf("a.txt"), "unknown");
  });

  it("stores no content", () => {
    cache.set({ ...item("a.txt"), content: "secret", format: "text" });
    const known = cache.lookUp("a.txt");
    assert.equal(known.type === "present" ? known.item.content : "?", null);
  });
});
