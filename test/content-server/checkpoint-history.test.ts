import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CheckpointHistory, type HistoryEntry, UnreadableCheckpoint } from "../../src/features/checkpoints/history.ts";
import { WorkspaceFiles } from "../../src/file-system/provider/workspace-files.ts";
import type { FileChange } from "../../src/file-system/session/workspace-events.ts";
import { quietTransfers } from "../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import { SaveJournal } from "../../src/file-system/write/save-journal.ts";
import { noEditors } from "../harness/open-editors.ts";
import { clientOf } from "./api-client.ts";
import { type ContentServer, call, contents } from "./client.ts";
import { type Folder, newFolder, servers } from "./servers.ts";

const notebook = (source: string): string =>
  `{"cells": [{"cell_type": "code", "id": "a", "metadata": {"big": 9007199254740993}, "execution_count": null, "source": "${source}", "outputs": []}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`;

for (const { name, start } of servers) {
  describe(`${name}: checkpoints as a file's history`, () => {
    let server: ContentServer;
    let folder: Folder;
    let storage: string;
    let changes: FileChange[];

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
      storage = await mkdtemp(join(tmpdir(), "platform-workbench-kept-"));
      changes = [];
    });
    afterEach(() => rm(storage, { recursive: true }));

    function historyOf(path: string): CheckpointHistory {
      const workspaceFiles = new WorkspaceFiles({
        access: { connect: async () => clientOf(server), relocate: async () => false },
        versions: new EditorVersions(),
        editors: noEditors,
        onChanged: (told) => changes.push(...told),
        beforeReplacing: async () => {},
        transfers: async () => quietTransfers,
        journal: new SaveJournal(),
      });
      const files = { workspace: () => workspaceFiles };
      const address = { tenantId: "tenant", workspaceId: "workspace", path: folder.at(path) };
      return new CheckpointHistory(files, { fsPath: storage }, address);
    }

    async function only(history: CheckpointHistory, type: HistoryEntry["type"]): Promise<HistoryEntry> {
      const entries = (await history.list()).filter((entry) => entry.type === type);
      assert.equal(entries.length, 1);
      const [entry] = entries;
      assert.ok(entry !== undefined);
      return entry;
    }

    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

    it("returns the content of a checkpoint that was created here without a request", async () => {
      await folder.write("a.txt", "first");
      const history = historyOf("a.txt");
      await history.create();
      await folder.write("a.txt", "second");
      assert.equal(text(await history.content(await only(history, "checkpoint"))), "first");
      assert.equal(await folder.read("a.txt"), "second");
    });

    it("reads another client's checkpoint through the file, and restores the file byte for byte", async () => {
      for (const [path, first, second] of [
        ["a.bin", "first", Buffer.from([0, 255, 254, 13, 10, 0])],
        ["b.ipynb", notebook("1"), Buffer.from(notebook("2"))],
      ] as const) {
        await folder.write(path, first);
        assert.equal((await call(server, "POST", `${contents(folder.at(path))}/checkpoints`)).status, 201);
        await folder.write(path, second);
        const history = historyOf(path);
        const entry = await only(history, "checkpoint");
        await assert.rejects(history.content(entry), UnreadableCheckpoint);
        assert.ok(entry.type === "checkpoint");
        assert.equal(text(await history.readThroughFile(entry.checkpoint)), first);
        assert.deepEqual(await folder.bytes(path), second);
        assert.equal(text(await history.content(await only(history, "checkpoint"))), first, "known from then on");
        assert.equal((await history.list()).length, 1, "nothing is kept that is on the server");
      }
    });

    it("saves the previous content before a restore, and undoes the restore", async () => {
      await folder.write("a.txt", "first");
      const history = historyOf("a.txt");
      await history.create();
      await folder.write("a.txt", "second");
      const restored = await history.restore(await only(history, "checkpoint"));
      assert.equal(await folder.read("a.txt"), "first");
      assert.deepEqual(changes, [{ type: "changed", path: folder.at("a.txt") }]);
      const kept = await only(history, "kept");
      assert.equal(text(await history.content(kept)), "second");
      await history.undo(restored);
      assert.equal(await folder.read("a.txt"), "second");
      assert.equal(
        text(await history.content(await only(history, "checkpoint"))),
        "first",
        "the checkpoint is still there",
      );
    });

    it("doesn't undo a restore over a newer version, and keeps the previous content", async () => {
      await folder.write("a.txt", "first");
      const history = historyOf("a.txt");
      await history.create();
      await folder.write("a.txt", "second");
      const restored = await history.restore(await only(history, "checkpoint"));
      await folder.write("a.txt", "somebody's");
      await assert.rejects(history.undo(restored), /changed on the server in the meantime/);
      assert.equal(await folder.read("a.txt"), "somebody's");
      const kept = await only(history, "kept");
      await history.restore(kept);
      assert.equal(await folder.read("a.txt"), "second");
    });

    it("saves a version before it is overwritten, as a checkpoint and locally, unless it isn't the expected version", async () => {
      await folder.write("a.txt", "theirs");
      const history = historyOf("a.txt");
      const seen = { lastModified: "2026-01-01T00:00:00Z", size: 3 };
      await assert.rejects(history.storeReplaced(seen), /again\. Nothing was overwritten/);
      assert.deepEqual(await history.list(), []);
      const { json } = await call(server, "GET", `${contents(folder.at("a.txt"))}?content=0`);
      await history.storeReplaced({ lastModified: String(json.last_modified), size: Number(json.size) });
      await folder.write("a.txt", "ours");
      for (const type of ["checkpoint", "kept"] as const) {
        assert.equal(text(await history.content(await only(history, type))), "theirs");
      }
    });

    it("keeps the last 20 versions of a file, readable only by the user", async () => {
      const history = historyOf("a.txt");
      await folder.write("a.txt", "first");
      await history.create();
      for (let round = 0; round < 22; round += 1) {
        const [checkpoint] = await history.list();
        assert.ok(checkpoint !== undefined);
        await folder.write("a.txt", `round ${round}`);
        await history.restore(checkpoint);
      }
      const [place = ""] = await readdir(join(storage, "kept-versions"));
      const names = await readdir(join(storage, "kept-versions", place));
      assert.equal(names.filter((one) => one.endsWith(".json")).length, 20);
      assert.equal(names.length, 40);
      assert.equal((await stat(join(storage, "kept-versions", place, names[0] ?? ""))).mode & 0o077, 0);
    });
  });
}
