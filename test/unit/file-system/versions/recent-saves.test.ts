import assert from "node:assert/strict";
import { isUndone, RecentSaves } from "../../../../src/file-system/versions/recent-saves.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const version = { lastModified: "2026-01-01T00:00:00Z", size: 1 };

describe("recent saves", () => {
  it("are deleted after ten seconds, and never contain a large content", () => {
    let now = 1_000_000;
    const saves = new RecentSaves(() => now);
    const save = { kind: "text", before: { version, bytes: bytes("a") }, saved: bytes("b") } as const;
    saves.saved("one.py", save);
    assert.equal(saves.of("one.py")?.saved, save.saved);
    now += 10_001;
    assert.equal(saves.of("one.py"), undefined);
    saves.saved("two.py", { ...save, saved: new Uint8Array(4_000_001) });
    assert.equal(saves.of("two.py"), undefined);
  });

  it("start at the version before the first of several", () => {
    const saves = new RecentSaves(() => 1_000_000);
    saves.saved("one.py", { kind: "text", before: { version, bytes: bytes("a") }, saved: bytes("b") });
    saves.saved("one.py", { kind: "text", before: { version, bytes: bytes("b") }, saved: bytes("c") });
    assert.deepEqual(saves.of("one.py")?.before.bytes, bytes("a"));
  });

  it("are undone if a line that they added is missing, or one that they removed is back", () => {
    const save = { before: { version, bytes: bytes("a\nold\n") }, saved: bytes("a\nnew\n") };
    assert.equal(isUndone("one.py", save, bytes("a\nnew\nmore\n")), false);
    assert.equal(isUndone("one.py", save, bytes("a\n")), true);
    assert.equal(isUndone("one.py", save, bytes("a\nnew\nold\n")), true);
    assert.equal(isUndone("one.ipynb", save, bytes("no JSON")), false);
  });
});
