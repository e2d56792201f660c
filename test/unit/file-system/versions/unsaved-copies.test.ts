import assert from "node:assert/strict";
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WindowSession } from "../../../../src/file-system/session/window-session.ts";
import type { ContentVersion } from "../../../../src/file-system/versions/content-version.ts";
import { EditorVersions } from "../../../../src/file-system/versions/editor-versions.ts";
import { UnsavedCopies } from "../../../../src/file-system/versions/unsaved-copies.ts";

const first: ContentVersion = { lastModified: "2026-01-01T00:00:00.000001Z", size: 4 };
const second: ContentVersion = { lastModified: "2026-01-01T00:00:00.000002Z", size: 4 };
const authority = "workspace.tenant";
const copyOf = (path: string) => ({ authority, path, kind: "text" as const });

describe("the bases of unsaved copies in windows with one storage", () => {
  let storage: string;
  const sessions: WindowSession[] = [];

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), "platform-workbench-unsaved-"));
  });
  afterEach(async () => {
    for (const session of sessions) session.end();
    await rm(storage, { recursive: true, force: true });
  });

  function open(): { copies: UnsavedCopies; end: () => void } {
    const session = new WindowSession();
    sessions.push(session);
    return { copies: new UnsavedCopies(storage, session), end: () => session.end() };
  }

  const found = (): readonly (readonly [string, readonly ContentVersion[]])[] =>
    open()
      .copies.storedFor(authority)
      .map(({ path, bases }) => [path, bases.map(({ version }) => version)] as const)
      .toSorted();

  it("are all kept, whichever window stores last", async () => {
    const [one, other] = [open(), open()];
    one.copies.set(copyOf("a"), [{ version: first }]);
    other.copies.set(copyOf("b"), [{ version: second }]);
    await Promise.all([one.copies.stored(), other.copies.stored()]);
    one.copies.set(copyOf("c"), [{ version: first }]);
    other.copies.set(copyOf("b"), []);
    await Promise.all([one.copies.stored(), other.copies.stored()]);
    assert.deepEqual(found(), [
      ["a", [first]],
      ["c", [first]],
    ]);
  });

  it("are stored at once when the window ends, although later changes are stored together", async () => {
    const { copies } = open();
    copies.set(copyOf("a"), [{ version: first }]);
    await copies.stored();
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      copies.set(copyOf("a"), [{ version: second }]);
      await copies.stored();
      assert.deepEqual(found(), [["a", [second]]]);
      copies.set(copyOf("a"), [{ version: first }]);
      // The wait has begun when the window ends.
      await nextTurn();
      copies.set(copyOf("b"), [{ version: second }]);
      await copies.stored();
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(found(), [
      ["a", [first]],
      ["b", [second]],
    ]);
  });

  it("of a running window stay if another window has no unsaved changes of the file", async () => {
    const one = open();
    one.copies.set(copyOf("a"), [{ version: first }]);
    await one.copies.stored();
    const other = open();
    other.copies.set(copyOf("a"), []);
    await other.copies.stored();
    assert.deepEqual(found(), [["a", [first]]]);
  });

  it("of a window that is reloading stay until a window that began later has the file", async () => {
    const reloading = open();
    reloading.copies.set(copyOf("a"), [{ version: first }]);
    await reloading.copies.stored();
    const other = open();
    reloading.end();
    for (const bases of [[{ version: second }], []]) {
      other.copies.set(copyOf("a"), bases);
      await other.copies.stored();
    }
    assert.deepEqual(found(), [["a", [first]]]);
    const reloaded = open();
    reloaded.copies.set(copyOf("a"), []);
    await reloaded.copies.stored();
    assert.deepEqual(found(), []);
  });

  it("are restored so that a save asks if one of them is older than the server's version", async () => {
    for (const version of [second, first]) {
      const { copies, end } = open();
      copies.set(copyOf("a"), [{ version }]);
      await copies.stored();
      end();
    }
    const versions = new EditorVersions();
    for (const { path, bases, kind } of open().copies.storedFor(authority)) versions.restore(path, bases, kind);
    assert.equal(versions.verdict("a", second, "text"), "conflict");
  });

  it("of several windows are unknown if they differ, whichever window is running, except for recorded contents", async () => {
    for (const version of [second, first, { ...second, lastModified: "2026-01-02T00:00:00Z" }]) {
      const { copies } = open();
      copies.set(copyOf("a"), [{ version }, { key: version.lastModified, version }]);
      copies.set(copyOf("b"), [{ version: first }]);
      await copies.stored();
    }
    sessions.at(-2)?.end();
    const versions = new EditorVersions();
    for (const { path, bases, kind } of open().copies.storedFor(authority)) versions.restore(path, bases, kind);
    assert.deepEqual([versions.base("a", "text"), versions.base("b", "text")], [undefined, first]);
    assert.ok(versions.isRestored("a", "text"));
    for (const version of [first, second]) {
      assert.equal(versions.verdict("a", version, "text", version.lastModified), "same");
    }
  });

  it("of several windows are unknown if they have the same date, but not the same content", async () => {
    const undated = (value: string): ContentVersion => ({
      lastModified: "",
      size: 4,
      hash: { algorithm: "sha256", value },
    });
    for (const value of ["11", "22"]) {
      const { copies } = open();
      copies.set(copyOf("a"), [{ version: undated(value) }]);
      copies.set(copyOf("b"), [{ version: undated("33") }]);
      await copies.stored();
    }
    const versions = new EditorVersions();
    for (const { path, bases, kind } of open().copies.storedFor(authority)) versions.restore(path, bases, kind);
    assert.deepEqual([versions.base("a", "text"), versions.base("b", "text")], [undefined, undated("33")]);
    assert.ok(versions.isRestored("a", "text"));
  });

  it("have their bytes in the next session, and there still when it stores the copy itself", async () => {
    const bytes = Buffer.from("base");
    const { copies, end } = open();
    copies.set(copyOf("a"), [{ version: first, bytes }]);
    await copies.stored();
    end();
    const next = open();
    assert.deepEqual(await next.copies.content(authority, "a", first), bytes);
    next.copies.set(copyOf("a"), [{ version: first }]);
    await next.copies.stored();
    next.end();
    assert.deepEqual(await open().copies.content(authority, "a", first), bytes);
    assert.equal(await open().copies.content(authority, "a", second), undefined);
  });

  it("that no entry has any more are removed, and nothing else", async () => {
    const { copies, end } = open();
    const paths = Array.from({ length: 20 }, (_, index) => `file${index}`);
    const bytesOf = (path: string): Buffer => Buffer.from(path);
    for (const path of paths) copies.set(copyOf(path), [{ version: first, bytes: bytesOf(path) }]);
    await copies.stored();
    end();
    const before = join(storage, "unsaved");
    const unused = ["0123456789abcdef0123456789abcdef.content", "other.content"];
    const fresh = "abcdef0123456789abcdef0123456789.content";
    for (const name of [...unused, fresh]) await writeFile(join(before, name), "x");
    const hoursAgo = new Date(Date.now() - 3 * 60 * 60_000);
    for (const name of await readdir(before)) {
      if (name !== fresh) await utimes(join(before, name), hoursAgo, hoursAgo);
    }
    // A process sweeps a folder once.
    const moved = await mkdtemp(join(tmpdir(), "platform-workbench-unsaved-"));
    await rename(before, join(moved, "unsaved"));
    await rm(storage, { recursive: true });
    storage = moved;
    const next = open().copies;
    next.set(copyOf("file0"), [{ version: first }]);
    await next.stored();
    const names = await readdir(join(storage, "unsaved"));
    assert.deepEqual(
      [...unused, fresh].filter((name) => names.includes(name)),
      [fresh],
    );
    for (const path of paths) assert.deepEqual(await next.content(authority, path, first), bytesOf(path));
    assert.equal(names.filter((name) => name.endsWith(".json")).length, paths.length);
  });

  it("are ignored if they are damaged", async () => {
    const { copies } = open();
    copies.set(copyOf("a"), [{ version: first }]);
    await copies.stored();
    const folder = join(storage, "unsaved");
    for (const name of await readdir(folder)) await writeFile(join(folder, name), "{");
    assert.deepEqual(found(), []);
  });
});

describe("a copy without a base", () => {
  it("is never taken for the server's version, except by a program that never read the file", () => {
    const versions = new EditorVersions();
    const opened = { isDirty: true, shows: () => true, keys: () => ["any"] };
    versions.read("a", first, false);
    versions.opened("a", "text", opened);
    assert.equal(versions.verdict("a", first, "text"), "conflict");
    versions.read("a", second, true);
    assert.equal(versions.verdict("a", second, "text"), "conflict");
    assert.equal(versions.verdict("b", first, "file"), "conflict");
    assert.equal(versions.verdict("b", first), "same");
  });
});
