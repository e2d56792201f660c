import assert from "node:assert/strict";
import type { ContentVersion } from "../../../../src/file-system/versions/content-version.ts";
import { EditorVersions } from "../../../../src/file-system/versions/editor-versions.ts";

const first: ContentVersion = { lastModified: "2026-01-01T00:00:00.000001Z", size: 4 };
const second: ContentVersion = { lastModified: "2026-01-01T00:00:00.000002Z", size: 4 };
const third: ContentVersion = { lastModified: "2026-01-01T00:00:00.000003Z", size: 4 };
const shown = { isDirty: false, shows: () => true };
const hashed = (version: ContentVersion, value: string): ContentVersion => ({
  ...version,
  hash: { algorithm: "sha256", value },
});

describe("the base version of an editor's copy", () => {
  let now: number;
  let versions: EditorVersions;

  beforeEach(() => {
    now = 1_000_000;
    versions = new EditorVersions(() => now);
    versions.read("a", first, false);
  });

  it("is the version that was read; another one must not be replaced", () => {
    assert.notEqual(versions.verdict("a", first), "conflict");
    assert.equal(versions.verdict("a", second), "conflict");
    assert.notEqual(versions.verdict("unread", second), "conflict");
  });

  it("stays if the file is only viewed while there are unsaved changes, until there are none", () => {
    versions.read("a", second, true);
    assert.equal(versions.verdict("a", second), "conflict");
    versions.becameClean("a");
    assert.notEqual(versions.verdict("a", second), "conflict");
  });

  it("stays if another reader gets another version while the file is open, until the editor shows it", () => {
    const theirs = new Uint8Array([2]);
    versions.read("a", second, true, theirs);
    versions.becameClean("a", () => false);
    assert.equal(versions.verdict("a", second), "conflict");
    versions.becameClean("a", (bytes) => bytes === theirs);
    assert.equal(versions.verdict("a", second), "same");
    assert.equal(versions.verdict("a", first), "conflict");
  });

  it("can be replaced after the user was just shown a version, but not a newer one", () => {
    versions.reportConflict("a", second);
    assert.equal(versions.verdict("a", third), "conflict");
    assert.equal(versions.verdict("a", second), "replace");
    now += 5_000;
    assert.equal(versions.verdict("a", second), "replace");
    now += 1;
    assert.equal(versions.verdict("a", second), "conflict");
    versions.rebase("a", second);
    assert.notEqual(versions.verdict("a", second), "conflict");
    assert.equal(versions.verdict("a", third), "conflict");
  });

  it("is the last written version, which resets earlier decisions", () => {
    versions.rebase("a", second);
    versions.written("a", third);
    assert.notEqual(versions.verdict("a", third), "conflict");
    assert.equal(versions.verdict("a", second), "conflict");
  });

  it("is the server's after a conflict was resolved, while the editor assumes the older one until a save", () => {
    versions.rebase("a", second, new Uint8Array([2]));
    assert.deepEqual([versions.base("a"), versions.heldByEditor("a")], [second, first]);
    versions.rebase("a", third);
    assert.deepEqual(versions.heldByEditor("a"), first);
    versions.written("a", third);
    assert.equal(versions.heldByEditor("a"), undefined);
  });

  it("has its bytes cached for a small file while it is the base", () => {
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

  it("is reported as a conflict while the server has another version", () => {
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

  it("moves with a renamed folder", () => {
    versions.read("folder/x", first, false);
    versions.move("folder", "renamed");
    assert.equal(versions.verdict("renamed/x", second), "conflict");
    assert.equal(versions.base("folder/x"), undefined);
  });

  it("of an earlier session survives the reads of a window that restores unsaved changes", () => {
    versions.restore("b", [{ version: first }]);
    versions.read("b", second, false);
    assert.equal(versions.verdict("b", second), "conflict");
    versions.becameClean("b");
    assert.notEqual(versions.verdict("b", second), "conflict");
  });

  it("gets the hash of a version with the same time and size only", () => {
    versions.complete("a", hashed(second, "x"));
    assert.equal(versions.base("a")?.hash, undefined);
    versions.complete("a", hashed(first, "x"));
    assert.equal(versions.verdict("a", hashed(first, "y")), "conflict");
  });

  it("is the newest read while the file is not open, and a file's first read in any case", () => {
    versions.read("a", second, false);
    assert.deepEqual(versions.base("a"), second);
    versions.read("b", first, true);
    assert.deepEqual(versions.base("b"), first);
  });

  it("of an earlier session is that of the content that the editor shows first, and of none to which it can't return", () => {
    for (const kind of ["text", "notebook"] as const) {
      const change = (key: string): unknown =>
        versions.changed("b", kind, () => (kind === "text" ? { key, isUndo: false } : { key, lines: () => [] }));
      for (const isDirty of [false, true]) {
        versions.closed("b");
        versions.restore(
          "b",
          [{ version: first }, { key: "mine", version: first }, { key: "both", version: second }],
          kind,
        );
        assert.equal(versions.verdict("b", second, kind, "both"), "same");
        versions.read("b", third, true);
        versions.opened("b", kind, { ...shown, isDirty, key: () => (isDirty ? "both" : "theirs") });
        change(isDirty ? "both" : "theirs");
        if (!isDirty) versions.becameClean("b", undefined, kind, kind === "text" ? () => "theirs" : undefined);
        change("more");
        for (const key of ["mine", "both"]) {
          change(key);
          assert.equal(versions.verdict("b", isDirty ? second : third, kind, key), "same", `${kind} ${isDirty} ${key}`);
        }
      }
    }
  });

  it("of an earlier session stays that of each content that the editor had since then, if it opens the file again", () => {
    versions.restore("b", [{ version: first }, { key: "both", version: second }], "text");
    for (const key of ["both", "more"]) {
      versions.opened("b", "text", { ...shown, isDirty: true, key: () => key });
      versions.changed("b", "text", () => ({ key, isUndo: false }));
      versions.merged("b", third, { from: key, to: `${key} and theirs` }, "text");
    }
    assert.equal(versions.verdict("b", second, "text", "both"), "same");
    assert.equal(versions.verdict("b", third, "text", "more and theirs"), "same");
  });

  it("leaves the editor with its date if something else reads the same content with a newer one", () => {
    versions.read("b", hashed(first, "x"), false);
    versions.opened("b", "notebook", { ...shown, key: () => "any" });
    versions.read("b", hashed(second, "x"), true);
    assert.deepEqual(versions.heldByEditor("b", "notebook"), hashed(first, "x"));
    assert.equal(versions.verdict("b", hashed(second, "x"), "notebook"), "same");
    versions.written("b", hashed(third, "y"), undefined, "notebook");
    assert.equal(versions.heldByEditor("b", "notebook"), undefined);
  });

  it("of an earlier session gets its bytes when they are loaded, unless it isn't the base any more", () => {
    versions.restore("b", [{ version: first }], "notebook");
    const bytes = new Uint8Array([1]);
    versions.loaded("b", "notebook", first, bytes);
    assert.equal(versions.baseContent("b", "notebook"), bytes);
    versions.written("b", second, undefined, "notebook");
    versions.loaded("b", "notebook", first, bytes);
    assert.equal(versions.baseContent("b", "notebook"), undefined);
  });

  it("is the last read version when an editor without changes shows unknown content", () => {
    versions.read("a", second, true);
    versions.becameClean("a", () => false);
    assert.deepEqual(versions.base("a"), second);
  });

  it("doesn't return to an earlier read when the editor has no changes again", () => {
    versions.read("a", second, true);
    versions.becameClean("a");
    versions.read("a", third, false);
    versions.becameClean("a");
    assert.deepEqual(versions.base("a"), third);
  });

  it("stays the version of a resolved conflict, not one that was read before", () => {
    versions.read("a", second, true);
    versions.rebase("a", third);
    versions.becameClean("a");
    assert.deepEqual(versions.base("a"), third);
  });

  it("leaves the editor with the date that it got for a conflict, also after it has loaded a notebook, but not a text", () => {
    for (const kind of ["notebook", "text"] as const) {
      for (const isMerged of [false, true]) {
        versions = new EditorVersions(() => now);
        versions.read("a", first, false);
        versions.opened("a", kind, { ...shown, key: () => "any" });
        if (isMerged) versions.rebase("a", second, undefined, kind);
        versions.read("a", second, true);
        versions.becameClean("a", undefined, kind, kind === "text" ? () => "loaded" : undefined);
        assert.deepEqual(versions.heldByEditor("a", kind), kind === "text" ? undefined : first);
        versions.written("a", third, undefined, kind);
        assert.equal(versions.heldByEditor("a", kind), undefined);
      }
    }
  });

  it("has its bytes only from its own read, save, or merge", () => {
    const [one, other] = [new Uint8Array([1]), new Uint8Array([2])];
    versions.rebase("a", second, one);
    assert.equal(versions.baseContent("a"), one);
    versions.written("a", third, other);
    assert.equal(versions.baseContent("a"), other);
    versions.read("a", first, false);
    assert.equal(versions.baseContent("a"), undefined);
  });

  it("is discarded with the editor's copy, including its bytes, its conflict, and its earlier session", () => {
    versions.restore("a", [{ version: first }]);
    versions.read("a", first, false, new Uint8Array([1]));
    versions.noticed("a", second);
    versions.closed("a");
    assert.deepEqual([versions.base("a"), versions.baseContent("a"), versions.conflicts()], [undefined, undefined, []]);
    versions.read("a", second, false);
    versions.read("a", third, false);
    assert.deepEqual(versions.base("a"), third);
  });

  it("has no conflict after another read, after the editor has no changes, or if it is unknown", () => {
    versions.noticed("unread", second);
    assert.deepEqual(versions.conflicts(), []);
    versions.noticed("a", second);
    versions.read("a", second, false);
    assert.deepEqual(versions.conflicts(), []);
    versions.noticed("a", third);
    versions.becameClean("a");
    assert.deepEqual(versions.conflicts(), []);
  });

  it("keeps its hash, and gets none if nothing was read", () => {
    versions.read("a", hashed(first, "x"), false);
    versions.complete("a", hashed(second, "x"));
    assert.deepEqual(versions.base("a"), hashed(first, "x"));
    versions.complete("unread", hashed(first, "x"));
    assert.equal(versions.base("unread"), undefined);
  });

  it("of an earlier session is replaced by reads once the editor has no changes", () => {
    versions.restore("b", [{ version: first }]);
    versions.becameClean("b");
    versions.read("b", second, false);
    assert.deepEqual(versions.base("b"), second);
  });

  it("stays if the user deletes the file, which a save creates again, but not over the file of someone else", () => {
    versions.read("a/b", first, false);
    versions.read("ab", first, false);
    versions.deleted("a");
    for (const path of ["a", "a/b"]) {
      assert.equal(versions.mustExist(path), false);
      assert.equal(versions.verdict(path, second), "conflict");
    }
    assert.equal(versions.mustExist("ab"), true);
    versions.written("a", third);
    assert.equal(versions.mustExist("a"), true);
  });

  describe("of a file that is renamed", () => {
    it("doesn't affect other files, even with the same prefix", () => {
      versions.read("folder/x", first, false);
      versions.read("folder2", second, false);
      versions.move("folder", "renamed");
      assert.deepEqual(
        ["renamed/x", "folder2", "a"].map((path) => versions.base(path)),
        [first, second, first],
      );
    });

    it("moves with the complete state of the editor's copy", () => {
      versions.rebase("a", second);
      versions.read("a", third, true);
      versions.noticed("a", third);
      versions.move("a", "b");
      assert.deepEqual([versions.heldByEditor("a"), versions.heldByEditor("b")], [undefined, first]);
      assert.deepEqual(versions.conflicts(), []);
      versions.becameClean("b");
      assert.deepEqual(versions.base("b"), third);
    });

    it("still survives reads if it is from an earlier session", () => {
      versions.restore("b", [{ version: first }]);
      versions.move("b", "c");
      versions.read("c", second, false);
      assert.equal(versions.verdict("c", second), "conflict");
    });

    it("is replaced by reads under the new name as before", () => {
      versions.move("a", "b");
      versions.read("b", second, false);
      assert.deepEqual(versions.base("b"), second);
    });

    it("keeps nothing of the replaced file", () => {
      versions.read("b", second, false);
      versions.rebase("b", third);
      versions.read("b", second, true);
      versions.noticed("b", second);
      versions.move("a", "b");
      assert.deepEqual([versions.heldByEditor("b"), versions.conflicts()], [undefined, []]);
      versions.becameClean("b");
      assert.deepEqual(versions.base("b"), first);
    });
  });
});

describe("the base of a content that a copy had before a merge", () => {
  let versions: EditorVersions;

  /** Contents are lists of words, each of which is a cell of a notebook. */
  const bookOf = (words: string): Uint8Array =>
    Buffer.from(JSON.stringify({ cells: words.split(" ").map((source) => ({ cell_type: "code", source })) }));
  const linesIn = (words: string): readonly string[] => words.split(" ").flatMap((word) => ["code", `  ${word}`]);
  const change = (kind: "text" | "notebook", key: string, isUndo = false): boolean =>
    versions.changed("a", kind, () => (kind === "text" ? { key, isUndo } : { key, lines: () => linesIn(key) }));
  const merge = (version: ContentVersion, content: string, merged: string, kind: "text" | "notebook"): void => {
    const unseen = kind === "text" ? {} : { lines: linesIn(content) };
    versions.merged("a", version, { from: content, to: content, bytes: bookOf(merged), ...unseen }, kind);
  };

  beforeEach(() => {
    versions = new EditorVersions();
    versions.read("a", first, false, bookOf("one old"));
    for (const kind of ["text", "notebook"] as const) versions.opened("a", kind, { ...shown, key: () => "any" });
  });

  for (const isSaved of [false, true]) {
    it(`is the older one for what lacks a change, after a ${isSaved ? "saved " : ""}merge that changed nothing in a notebook`, () => {
      merge(second, "one new mine", "one new", "notebook");
      const server = isSaved ? third : second;
      if (isSaved) versions.written("a", third, bookOf("one new mine"), "notebook");
      for (const [content, verdict] of [
        ["one new mine", "same"],
        ["one new mine more", "same"],
        ["one new", "same"],
        ["one newer mine", "same"],
        ["one old new mine", "conflict"],
        ["one new mine", "same"],
        ["one", "conflict"],
        ["one old more", "conflict"],
        ["new mine", "same"],
        ["one new mine more", "same"],
        ["one new mine and", "same"],
      ] as const) {
        change("notebook", content);
        assert.equal(versions.verdict("a", server, "notebook", content), verdict, content);
        if (verdict === "conflict") change("notebook", "one new mine");
      }
    });
  }

  it("is the newer one for a notebook in which a merge that changed nothing has kept a removed cell", () => {
    merge(second, "one old mine", "one", "notebook");
    for (const [content, verdict] of [
      ["one old mine more", "same"],
      ["one old old mine", "conflict"],
    ] as const) {
      change("notebook", content);
      assert.equal(versions.verdict("a", second, "notebook", content), verdict, content);
    }
  });

  it("is the older one for what the user may have saved before a merge that changed nothing, but someone else removed", () => {
    const [sent, bytes, lines] = [bookOf("new both"), bookOf("new"), linesIn("new mine")];
    versions.merged("a", second, { from: "new mine", to: "new mine", bytes, lines, sent }, "notebook");
    for (const [content, verdict] of [
      ["new mine more", "same"],
      ["new both", "conflict"],
    ] as const) {
      change("notebook", content);
      assert.equal(versions.verdict("a", second, "notebook", content), verdict, content);
    }
  });

  it("is the older one for any change of a notebook after a merge of unknown versions that changed nothing", () => {
    for (const bytes of [undefined, Buffer.from("no notebook")]) {
      versions.merged(
        "a",
        second,
        { from: "mine", to: "mine", lines: linesIn("mine"), ...(bytes && { bytes }) },
        "notebook",
      );
      change("notebook", "mine more");
      assert.equal(versions.verdict("a", second, "notebook", "mine more"), "conflict");
      change("notebook", "mine");
    }
  });

  it("is the newer one for what is added to the result of a merge", () => {
    versions.merged("a", second, { from: "mine", to: "both", lines: linesIn("both") }, "notebook");
    change("notebook", "both old");
    assert.equal(versions.verdict("a", second, "notebook", "both old"), "same");
    versions.merged("a", second, { from: "mine", to: "mine" }, "text");
    change("text", "mine and more");
    assert.equal(versions.verdict("a", second, "text", "mine and more"), "same");
  });

  it("is the one before the earliest undone one of several merges that changed nothing", () => {
    for (const kind of ["text", "notebook"] as const) {
      merge(second, "one new more", "one new", kind);
      merge(third, "one new more", "one new more", kind);
      change(kind, "one old more", true);
      assert.deepEqual(versions.base("a", kind), first, kind);
    }
    change("notebook", "one new more");
    change("notebook", "one new");
    assert.deepEqual(versions.base("a", "notebook"), second);
  });

  it("is the merged version for an earlier content that has all merged changes, whatever else it has", () => {
    for (const content of ["one new", "one", "one old"]) {
      versions = new EditorVersions();
      versions.read("a", first, false, bookOf("one old"));
      versions.opened("a", "notebook", { ...shown, key: () => "any" });
      merge(second, "zero one old", "one old", "notebook");
      change("notebook", `${content} other`);
      merge(third, `one new more`, "one new", "notebook");
      change("notebook", `${content} other`);
      assert.deepEqual(versions.base("a", "notebook"), content === "one new" ? third : second, content);
    }
  });

  it("is no merge's any more once a notebook has loaded another version", () => {
    merge(second, "one new", "one new", "notebook");
    versions.read("a", third, true, bookOf("one old"));
    versions.becameClean("a", undefined, "notebook");
    change("notebook", "one old more");
    assert.equal(versions.verdict("a", third, "notebook", "one old more"), "same");
  });

  it("is known however much is typed and undone between", () => {
    for (const kind of ["text", "notebook"] as const) {
      versions.merged("a", second, { from: "mine", to: "both" }, kind);
      const typed = Array.from({ length: 100 }, (_, index) => `both and ${index}`);
      for (const key of typed) change(kind, key);
      for (const key of [...typed.slice(0, -1).reverse(), "both", "mine"]) change(kind, key, true);
      assert.equal(versions.verdict("a", second, kind, "mine"), "conflict", kind);
    }
  });
});

describe("the bytes of base versions", () => {
  /** The maximum size of a remembered version. Eight of them are the maximum for all together. */
  const largest = new Uint8Array(4_000_000);
  const names = Array.from({ length: 8 }, (_, nth) => `file ${nth}`);
  let open: ReadonlySet<string>;
  let versions: EditorVersions;

  const read = (path: string, bytes: Uint8Array = largest): void => versions.read(path, first, false, bytes);
  const forgotten = (): readonly string[] =>
    [...names, "one more"].filter((path) => versions.baseContent(path) === undefined);

  beforeEach(() => {
    open = new Set();
    versions = new EditorVersions(
      () => 0,
      (path) => open.has(path),
    );
    for (const name of names) read(name);
  });

  it("are cached up to a limit per file and in total, regardless of repeated reads", () => {
    assert.deepEqual(forgotten(), ["one more"]);
    for (let times = 0; times < 20; times += 1) read("file 7");
    assert.deepEqual(forgotten(), ["one more"]);
    read("file 7", new Uint8Array(largest.byteLength + 1));
    assert.deepEqual(forgotten(), ["file 7", "one more"]);
  });

  it("are evicted for a new one, oldest first", () => {
    read("one more");
    assert.deepEqual(forgotten(), ["file 0"]);
  });

  it("are evicted last for open files, and never the new one", () => {
    open = new Set(["file 0", "file 1"]);
    read("one more");
    assert.deepEqual(forgotten(), ["file 2"]);
    open = new Set(names);
    read("file 2");
    assert.deepEqual(forgotten(), ["one more"]);
    read("one more");
    assert.deepEqual(forgotten(), ["file 0"]);
  });

  it("are evicted in order if the open files are unknown", () => {
    versions = new EditorVersions();
    for (const name of [...names, "one more"]) read(name);
    assert.deepEqual(forgotten(), ["file 0"]);
  });
});
