import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WindowSession } from "../../../../src/file-system/session/window-session.ts";
import { type JournaledSave, SaveJournal } from "../../../../src/file-system/write/save-journal.ts";

const save = (name: string): JournaledSave => ({
  target: name,
  upload: `${name}.saving-1`,
  aside: `${name}.replaced-1`,
  stage: "uploading",
});

describe("the journals of windows with one storage", () => {
  let directory: string;
  const sessions: WindowSession[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-journal-"));
  });
  afterEach(async () => {
    for (const session of sessions) session.end();
    await rm(directory, { recursive: true, force: true });
  });

  function open(authority = "workspace.tenant"): { journal: SaveJournal; end: () => void } {
    const session = new WindowSession();
    sessions.push(session);
    return { journal: new SaveJournal({ directory, authority, session }), end: () => session.end() };
  }

  it("don't contain the running saves of other windows, but those of windows that have ended, once", async () => {
    const first = open();
    await first.journal.record(save("a"));
    const second = open();
    assert.deepEqual(second.journal.drainInterrupted(), []);
    first.end();
    second.journal.retry();
    const third = open();
    assert.deepEqual(open("other.tenant").journal.drainInterrupted(), []);
    assert.deepEqual(second.journal.drainInterrupted(), [save("a")]);
    assert.deepEqual(third.journal.drainInterrupted(), []);
    await second.journal.ended(save("a").upload);
    second.end();
    assert.deepEqual(open().journal.drainInterrupted(), []);
  });

  it("don't overwrite each other's entries", async () => {
    const [one, other] = [open(), open()];
    await Promise.all([one.journal.record(save("a")), other.journal.record(save("b"))]);
    one.end();
    other.end();
    const found = open().journal.drainInterrupted();
    assert.deepEqual(found.map(({ target }) => target).sort(), ["a", "b"]);
  });

  it("contain a failed save again, with its last stage, also for the window that takes it over", async () => {
    const { journal, end } = open();
    await journal.record(save("a"));
    const placing: JournaledSave = { ...save("a"), stage: "placing" };
    await journal.record(placing);
    assert.deepEqual(journal.drainInterrupted(), []);
    journal.failed(placing.upload);
    assert.deepEqual(journal.drainInterrupted(), [placing]);
    end();
    const next = open();
    assert.deepEqual(next.journal.drainInterrupted(), [placing]);
    next.end();
    assert.deepEqual(open().journal.drainInterrupted(), [placing]);
  });

  it("refuse what they can't store, so that it isn't begun", async () => {
    const session = new WindowSession();
    sessions.push(session);
    const full = join(directory, "full");
    await writeFile(full, "");
    const journal = new SaveJournal({ directory: full, authority: "workspace.tenant", session });
    await assert.rejects(journal.record(save("a")), { kind: "unrecorded", path: "a", message: /disk space/ });
    assert.deepEqual(journal.drainInterrupted(), []);
  });
});
