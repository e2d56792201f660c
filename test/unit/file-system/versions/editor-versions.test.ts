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
      const change = (key: string): void => versions.changed("b", kind, { keys: [key], isUndo: false });
      for (const isDirty of [false, true]) {
        versions.closed("b");
        versions.restore(
          "b",
          [{ version: first }, { key: "mine", version: first }, { key: "both", version: second }],
          kind,
        );
        assert.equal(versions.verdict("b", second, kind, "both"), "same");
        versions.read("b", third, true);
        versions.opened("b", kind, { ...shown, isDirty, keys: () => [isDirty ? "both" : "theirs"] });
        change(isDirty ? "both" : "theirs");
        if (!isDirty) versions.becameClean("b", undefined, kind, () => ["theirs"]);
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
      versions.opened("b", "text", { ...shown, isDirty: true, keys: () => [key] });
      versions.changed("b", "text", { keys: [key], isUndo: false });
      versions.merged("b", third, { from: [key], to: [`${key} and theirs`] }, "text");
    }
    assert.equal(versions.verdict("b", second, "text", "both"), "same");
    assert.equal(versions.verdict("b", third, "text", "more and theirs"), "same");
  });

  it("leaves the editor with its date if something else reads the same content with a newer one", () => {
    versions.read("b", hashed(first, "x"), false);
    versions.opened("b", "notebook", { ...shown, keys: () => ["any"] });
    versions.read("b", hashed(second, "x"), true);
    assert.deepEqual(versions.heldByEditor("b", "notebook"), hashed(first, "x"));
    assert.equal(versions.verdict("b", hashed(second, "x"), "notebook"), "same");
    versions.written("b", hashed(third, "y"), undefined, "notebook");
    assert.equal(versions.heldByEditor("b", "notebook"), undefined);
  });

  it("leaves an editor with the oldest date that another editor of the path assumes when it opens", () => {
    versions.read("b", hashed(first, "x"), false);
    versions.opened("b", "text", { ...shown, keys: () => ["any"] });
    versions.read("b", hashed(second, "x"), true);
    versions.opened("b", "notebook", { ...shown, keys: () => ["any"] });
    assert.deepEqual(versions.base("b", "notebook"), hashed(second, "x"));
    versions.written("b", hashed(third, "y"), undefined, "text");
    assert.deepEqual(versions.heldByEditor("b", "notebook"), hashed(first, "x"));
    versions.written("b", hashed(third, "y"), undefined, "notebook");
    assert.equal(versions.heldByEditor("b", "notebook"), undefined);
    versions.restore("c", [{ version: { ...second, lastModified: "2026-01-02T00:00:00Z" } }], "text");
    versions.restore("c", [{ version: first }], "file");
    versions.opened("c", "notebook", { ...shown, keys: () => ["any"] });
    assert.deepEqual(versions.heldByEditor("c", "notebook"), first);
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

  it("leaves the editor with the date that it got for a conflict, also after it has loaded a notebook, but not another text", () => {
    for (const kind of ["notebook", "text"] as const) {
      for (const isMerged of [false, true]) {
        versions = new EditorVersions(() => now);
        versions.read("a", first, false);
        versions.opened("a", kind, { ...shown, keys: () => ["any"] });
        if (isMerged) versions.rebase("a", second, undefined, kind);
        versions.read("a", second, true);
        versions.becameClean("a", undefined, kind, () => ["loaded"]);
        assert.deepEqual(versions.heldByEditor("a", kind), kind === "text" && !isMerged ? undefined : first);
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
  const kinds = ["text", "notebook"] as const;
  type Kind = (typeof kinds)[number];
  let versions: EditorVersions;

  const change = (kind: Kind, content: string, isUndo = false): void =>
    versions.changed("a", kind, { keys: [content], isUndo });
  const merge = (version: ContentVersion, content: string, kind: Kind): void =>
    versions.merged("a", version, { from: [content], to: [content] }, kind);

  beforeEach(() => {
    versions = new EditorVersions();
    versions.read("a", first, false);
    for (const kind of kinds) {
      versions.opened("a", kind, { ...shown, keys: () => ["opened"] });
      for (const content of ["opened", "one", "one two"]) change(kind, content);
    }
  });

  for (const isSaved of [false, true]) {
    it(`is the older one after a ${isSaved ? "saved " : ""}merge that changed nothing, whatever is typed after Undo`, () => {
      for (const kind of kinds) {
        merge(second, "one two", kind);
        const server = isSaved ? third : second;
        if (isSaved) versions.written("a", third, undefined, kind);
        for (const [content, verdict] of [
          ["one two three", "same"],
          ["one two", "same"],
          ["one", "conflict"],
          ["one new", "conflict"],
          ["opened", "conflict"],
          ["one two", "same"],
          ["one two new", "same"],
        ] as const) {
          change(kind, content, verdict === "conflict");
          assert.equal(versions.verdict("a", server, kind, content), verdict, `${kind} ${content}`);
        }
      }
    });
  }

  it("is the newer one for what is added to the result of a merge", () => {
    for (const kind of kinds) {
      versions.merged("a", second, { from: ["one two"], to: ["both"] }, kind);
      change(kind, "both and more");
      assert.equal(versions.verdict("a", second, kind, "both and more"), "same");
    }
  });

  it("is the one before all merges that changed nothing in the same content", () => {
    for (const kind of kinds) {
      merge(second, "one two", kind);
      merge(third, "one two", kind);
      change(kind, "one", true);
      assert.deepEqual(versions.base("a", kind), first, kind);
    }
  });

  it("is the one before a merge of outputs alone only while the outputs are those from before", () => {
    const whole = (outputs: string): void =>
      versions.changed("a", "notebook", { keys: [outputs, "one"], isUndo: false });
    versions.merged("a", second, { from: ["mine", "one"], to: ["theirs", "one"] }, "notebook");
    for (const [outputs, base] of [
      ["run again", second],
      ["theirs", second],
      ["mine", first],
      ["run a third time", first],
      ["theirs", second],
    ] as const) {
      whole(outputs);
      assert.deepEqual(versions.base("a", "notebook"), base, outputs);
    }
  });

  it("is the one before the merge for the cells from before, whatever their outputs are now", () => {
    versions.merged("a", second, { from: ["mine", "one"], to: ["both", "two"] }, "notebook");
    for (const [keys, base] of [
      [["run", "two"], second],
      [["run again", "one"], first],
      [["run a third time", "two"], second],
    ] as const) {
      versions.changed("a", "notebook", { keys, isUndo: false });
      assert.deepEqual(versions.base("a", "notebook"), base, keys.join());
    }
  });

  it("is no merge's any more once a notebook has loaded another version", () => {
    merge(second, "one two", "notebook");
    versions.read("a", third, true);
    versions.becameClean("a", undefined, "notebook", () => ["loaded"]);
    for (const content of ["loaded", "one", "one two"]) {
      change("notebook", content);
      assert.equal(versions.verdict("a", third, "notebook", content), "same");
    }
  });

  it("is known however much is typed and undone between", () => {
    for (const kind of kinds) {
      versions.merged("a", second, { from: ["mine"], to: ["both"] }, kind);
      const typed = Array.from({ length: 4_000 }, (_, index) => `both and ${index}`);
      for (const key of typed) change(kind, key);
      for (const key of [...typed.slice(0, -1).reverse(), "both", "mine"]) change(kind, key, true);
      assert.equal(versions.verdict("a", second, kind, "mine"), "conflict", kind);
    }
  });

  it("is stored with the contents that the copy had last, if there are several", () => {
    assert.deepEqual(versions.stored("a", "notebook"), [
      { key: undefined, version: first, held: undefined, bytes: undefined },
    ]);
    merge(second, "one two", "notebook");
    const stored = versions.stored("a", "notebook").map(({ key, version }) => [key, version]);
    assert.deepEqual(stored, [
      [undefined, first],
      ["opened", first],
      ["one", first],
      ["one two", second],
    ]);
    for (let index = 0; index < 100; index += 1) change("notebook", `more ${index}`);
    assert.equal(versions.stored("a", "notebook").length, 65);
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
