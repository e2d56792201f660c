import assert from "node:assert/strict";
import type { ContentVersion } from "../../../../src/file-system/versions/content-version.ts";
import { type CopyKind, EditorVersions } from "../../../../src/file-system/versions/editor-versions.ts";

const version = (number: number, hash?: string): ContentVersion => ({
  lastModified: `2026-01-0${number}T00:00:00Z`,
  size: 4,
  ...(hash === undefined ? {} : { hash: { algorithm: "sha256", value: hash } }),
});
const [first, second, third] = [version(1), version(2), version(3)];
const bytesOf = (number: number): Uint8Array => new Uint8Array([number]);

describe("the base versions of a path that several editors show", () => {
  let versions: EditorVersions;

  const open = (path: string, kind: CopyKind, { isDirty = false, isShown = true } = {}): void =>
    versions.opened(path, kind, { isDirty, shows: () => isShown, keys: () => ["opened"] });
  const bases = (path: string): readonly unknown[] =>
    (["text", "notebook", "file"] as const).map((kind) => versions.base(path, kind));

  beforeEach(() => {
    versions = new EditorVersions();
  });

  describe("a text, and a notebook that has a newer one", () => {
    beforeEach(() => {
      versions.read("a", first, false, bytesOf(1));
      open("a", "text");
      versions.read("a", second, true, bytesOf(2));
      versions.closed("a", "file");
      versions.read("a", second, true, bytesOf(2));
      open("a", "notebook");
    });

    it("are those of their own reads, each with its bytes", () => {
      assert.deepEqual(bases("a"), [first, second, second]);
      assert.deepEqual(
        [versions.baseContent("a", "text"), versions.baseContent("a", "notebook")],
        [bytesOf(1), bytesOf(2)],
      );
      assert.equal(versions.verdict("a", second, "text"), "conflict");
      assert.equal(versions.verdict("a", second, "notebook"), "same");
      assert.deepEqual(versions.baseOf("a", "text", "any"), first);
    });

    it("stay apart when one of them is saved, reverted, merged, or overwrites a version", () => {
      versions.written("a", third, bytesOf(3), "notebook");
      assert.deepEqual(bases("a"), [first, third, third]);
      versions.rebase("a", third, bytesOf(3), "text");
      assert.deepEqual(bases("a"), [third, third, third]);
      versions.read("a", first, true, bytesOf(1));
      versions.becameClean("a", undefined, "notebook");
      assert.deepEqual(bases("a"), [third, first, third]);
      versions.merged("a", second, { from: ["opened"], to: ["both"], bytes: bytesOf(2) }, "text");
      assert.deepEqual(bases("a"), [second, first, third]);
    });

    it("are outdated if that of one of them is, whatever other readers know", () => {
      versions.noticed("a", second);
      assert.deepEqual(versions.conflict("a"), second);
      versions.becameClean("a", undefined, "notebook");
      assert.deepEqual(versions.conflict("a"), second, "the text's remains");
      versions.rebase("a", second, undefined, "text");
      assert.equal(versions.conflict("a"), undefined);
      versions.written("a", third, undefined, "notebook");
      assert.deepEqual(versions.conflict("a"), third, "the text has it now");
      versions.rebase("a", third, undefined, "text");
      versions.read("a", first, false);
      assert.equal(versions.isOutdated("a", third), false, "no document is based on the last read");
    });

    it("are discarded only with their own editor", () => {
      versions.closed("a", "notebook");
      assert.deepEqual([versions.base("a", "text"), versions.base("a")], [first, first]);
      versions.noticed("a", second);
      versions.closed("a");
      assert.deepEqual([...bases("a"), versions.conflict("a")], [undefined, undefined, undefined, undefined]);
    });

    it("are those of other readers for a save that belongs to neither, and that of the only document otherwise", () => {
      assert.deepEqual(versions.base("a"), second);
      versions.written("a", third);
      assert.deepEqual(bases("a"), [first, second, third]);
      versions.closed("a", "notebook");
      assert.deepEqual(versions.base("a"), first);
    });

    it("get a hash together, but each its own", () => {
      versions.complete("a", version(2, "x"));
      assert.deepEqual(bases("a"), [first, version(2, "x"), version(2, "x")]);
      assert.deepEqual(versions.baseContent("a", "notebook"), bytesOf(2));
    });

    it("may all be assumed by the editor", () => {
      versions.read("a", third, true);
      assert.deepEqual(versions.assumable("a", "text"), [third, first]);
      assert.deepEqual(versions.assumable("b"), []);
    });
  });

  it("is what an editor with unsaved changes came from, which is unknown", () => {
    versions.read("a", first, false);
    open("a", "text", { isDirty: true });
    assert.equal(versions.base("a", "text"), undefined);
    assert.equal(versions.verdict("a", first, "text"), "conflict");
    versions.read("b", first, false);
    open("b", "text");
    assert.equal(versions.verdict("b", first, "text"), "same");
    versions.merged("b", second, { from: ["opened"], to: ["both"] }, "text");
    assert.deepEqual(
      versions.heldByEditor("b", "text"),
      first,
      "the date that the editor assumes, after the merge, too",
    );
    versions.unknown("b", "text");
    assert.equal(versions.verdict("b", second, "text", "both"), "conflict");
    assert.equal(versions.heldByEditor("b", "text"), undefined);
    assert.equal(versions.verdict("b", first, "text"), "conflict");
  });

  it("is the version that was read last for a new text that shows it, and not for a notebook or another text", () => {
    for (const [kind, isShown, expected] of [
      ["text", true, second],
      ["text", false, first],
      ["notebook", true, first],
    ] as const) {
      versions = new EditorVersions();
      versions.read("a", first, false);
      versions.read("a", second, true, bytesOf(2));
      open("a", kind, { isShown });
      assert.deepEqual(versions.base("a", kind), expected, `${kind} ${isShown}`);
      assert.equal(versions.hasOtherRead("a", kind), expected === first);
      assert.equal(
        versions.showsOtherRead("a", kind, () => isShown),
        expected === first && isShown,
      );
    }
  });

  it("stays while the same content has a newer date, and takes the hash of a version only once", () => {
    versions.read("a", version(1, "x"), false, bytesOf(1));
    open("a", "notebook");
    assert.equal(versions.isOutdated("a", version(2, "x")), false);
    assert.equal(versions.isOutdated("a", version(1, "y")), true);
  });

  it("must exist on the server when a document is saved, until the user decides to create it again", () => {
    versions.read("a", first, false);
    open("b", "text", { isDirty: true });
    assert.deepEqual(
      [versions.mustExist("a"), versions.mustExist("b", "text"), versions.mustExist("unread")],
      [true, true, false],
    );
    versions.createAgain("b", "text");
    versions.createAgain("unread", "notebook");
    assert.deepEqual([versions.mustExist("b", "text"), versions.mustExist("unread", "notebook")], [false, false]);
    assert.equal(versions.mustExist("a"), true);
    versions.written("b", first, undefined, "text");
    assert.equal(versions.mustExist("b", "text"), true);
  });

  it("has no conflict any more after the user deletes the file", () => {
    versions.read("a/b", first, false);
    versions.noticed("a/b", second);
    versions.deleted("a");
    assert.deepEqual(versions.conflicts(), []);
  });

  it("is stored again when it changes without an edit", () => {
    const told: unknown[] = [];
    versions.observeBases((path, kind) => told.push([path, kind]));
    for (const path of ["a", "b"]) versions.read(path, first, false);
    open("a", "text");
    open("a", "notebook");
    versions.rebase("a", second, undefined, "notebook");
    versions.merged("a", second, { from: ["opened"], to: ["both"] }, "text");
    versions.rebase("b", second);
    assert.deepEqual(told, [
      ["a", "notebook"],
      ["a", "text"],
      ["b", "file"],
    ]);
  });

  it("of a content whose save began before the merge was undone is that of the merge", () => {
    for (const kind of ["text", "notebook"] as const) {
      versions = new EditorVersions();
      versions.read("a", first, false);
      open("a", kind);
      versions.merged("a", second, { from: ["opened"], to: ["both"] }, kind);
      const era = versions.eraOf("a", kind, "both");
      versions.changed("a", kind, { keys: ["opened"], isUndo: true });
      versions.written("a", third, undefined, kind, era);
      assert.equal(versions.verdict("a", third, kind, "opened"), "conflict", kind);
      assert.equal(versions.verdict("a", third, kind, "both"), "same", kind);
      assert.equal(versions.hasBases("a", kind), true);
    }
    assert.equal(versions.hasBases("b", "text"), false);
    assert.equal(versions.eraOf("b", "text", undefined), undefined);
  });

  it("of a text is the older one after the user undoes what it has loaded, or a merge that changed nothing", () => {
    versions.read("a", first, false);
    open("a", "text");
    versions.read("a", second, true);
    versions.becameClean("a", undefined, "text", () => ["loaded"]);
    versions.changed("a", "text", { keys: ["loaded and more"], isUndo: false });
    assert.equal(versions.verdict("a", second, "text", "loaded and more"), "same");
    for (const content of ["loaded", "from before"]) {
      versions.changed("a", "text", { keys: [content], isUndo: true });
      assert.equal(versions.verdict("a", second, "text", content), content === "loaded" ? "same" : "conflict", content);
    }
    for (const merges of [[second], [second, third]]) {
      versions.read("b", first, false);
      open("b", "text");
      for (const one of merges) versions.merged("b", one, { from: ["same"], to: ["same"] }, "text");
      versions.changed("b", "text", { keys: ["same and more"], isUndo: false });
      versions.changed("b", "text", { keys: ["same"], isUndo: true });
      assert.deepEqual(versions.base("b", "text"), merges.at(-1));
      versions.changed("b", "text", { keys: ["from before"], isUndo: true });
      assert.deepEqual(versions.base("b", "text"), first, "before all merges");
      versions.closed("b");
    }
  });

  it("of restored contents is shared by those with the same version, and gets the version of their save together", () => {
    versions.restore(
      "a",
      [{ version: first }, { key: "one", version: { ...first } }, { key: "two", version: second }],
      "text",
    );
    assert.equal(versions.isRestored("a", "text"), true);
    assert.equal(versions.isRestored("b", "text"), false);
    versions.changed("a", "text", { keys: ["one"], isUndo: false });
    versions.written("a", third, undefined, "text");
    assert.equal(versions.isRestored("a", "text"), false);
    assert.equal(versions.verdict("a", third, "text", "one"), "same");
    assert.equal(versions.verdict("a", third, "text", "typed"), "same");
    assert.equal(versions.verdict("a", third, "text", "two"), "conflict");
  });

  it("of restored contents that have no base of their own is the one of the others", () => {
    versions.restore(
      "a",
      [{ version: first }, { key: "one", version: second }, { key: "two", version: { ...second } }],
      "text",
    );
    versions.changed("a", "text", { keys: ["one"], isUndo: false });
    versions.written("a", third, undefined, "text");
    assert.equal(versions.verdict("a", third, "text", "two"), "same");
    versions.restore("b", [{ version: first }, { key: "one", version: { ...first } }], "text");
    versions.changed("b", "text", { keys: ["one"], isUndo: false });
    assert.equal(versions.hasBases("b", "text"), false, "both have the same");
  });

  it("of a restored file that closes leaves no conflict", () => {
    versions.restore("a", [{ version: first }], "text");
    versions.noticed("a", second);
    assert.deepEqual(versions.conflicts(), ["a"]);
    versions.closed("a", "text");
    assert.deepEqual(versions.conflicts(), []);
  });

  it("moves with its bytes and those of its copies, and leaves nothing", () => {
    versions.read("a/b", first, false, bytesOf(1));
    open("a/b", "text");
    versions.merged("a/b", second, { from: ["opened"], to: ["both"], bytes: bytesOf(2) }, "text");
    versions.move("a", "c");
    assert.deepEqual([versions.base("a/b", "text"), versions.base("c/b", "text")], [undefined, second]);
    assert.deepEqual(
      [versions.baseContent("c/b", "text", "opened"), versions.baseContent("c/b", "text", "both")],
      [bytesOf(1), bytesOf(2)],
    );
  });
});
