import assert from "node:assert/strict";
import type { DispatchRequest, DispatchResponse } from "../../../../src/api/http/dispatch.ts";
import { WorkspaceFiles } from "../../../../src/file-system/provider/workspace-files.ts";
import { quietTransfers } from "../../../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../../../src/file-system/versions/editor-versions.ts";
import { WorkspaceWatcher } from "../../../../src/file-system/watch/workspace-watcher.ts";
import { SaveJournal } from "../../../../src/file-system/write/save-journal.ts";
import { noEditors } from "../../../harness/open-editors.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";
import { SimulatedClock } from "../simulated-clock.ts";

const root = { name: "", path: "", type: "directory", content: [], last_modified: "2026-01-01T00:00:00Z" };

describe("a window that opens a workspace", () => {
  let clock: SimulatedClock;
  let files: WorkspaceFiles;
  let watcher: WorkspaceWatcher;
  let listings: { readonly request: DispatchRequest; readonly respond: () => void }[];

  beforeEach(() => {
    clock = new SimulatedClock();
    listings = [];
    const fake = fakePlatform((request) => {
      const { promise, resolve } = Promise.withResolvers<DispatchResponse>();
      listings.push({ request, respond: () => resolve(json(200, root)) });
      return request.path.includes("/api/contents") ? promise : json(404, {});
    });
    files = new WorkspaceFiles({
      access: { connect: async () => fake.content, relocate: async () => false },
      versions: new EditorVersions(),
      editors: noEditors,
      onChanged: () => {},
      beforeReplacing: async () => {},
      transfers: async () => quietTransfers,
      journal: new SaveJournal(),
      now: () => clock.now(),
    });
    watcher = new WorkspaceWatcher(files, () => [], clock, true);
    watcher.watch({ path: "", recursive: true, excludes: [] });
  });
  afterEach(() => watcher.dispose());

  const sent = () => listings.filter(({ request }) => request.path.includes("/api/contents"));

  it("lists a directory once if the editor's request is pending when the directory is polled", async () => {
    const entries = files.directories.entries("");
    await clock.pass(6_000);
    assert.equal(sent().length, 1);
    for (const { respond } of sent()) respond();
    assert.deepEqual(await entries, []);
    await clock.pass(1_000);
    assert.equal(sent().length, 1);
  });

  it("lists a directory once if the poll is pending when the editor requests it", async () => {
    await clock.pass(6_000);
    assert.equal(sent().length, 1);
    assert.match(sent()[0]?.request.path ?? "", /no_track_activity=1/);
    const entries = files.directories.entries("");
    await clock.pass(100);
    for (const { respond } of sent()) respond();
    assert.deepEqual(await entries, []);
    await clock.pass(1_000);
    assert.equal(sent().length, 1);
  });
});
