import assert from "node:assert/strict";
import { getWorkspace } from "../../../../src/api/catalogue/operations/workspaces.ts";
import type { Branch, TreeRow } from "../../../../src/ui/tree/definition.ts";
import { ListRecovery } from "../../../../src/ui/tree/list-recovery.ts";
import { TreeLists } from "../../../../src/ui/tree/tree-lists.ts";
import { EventEmitter, window } from "../../../harness/editor-stand-in/vscode.ts";
import { connectionError, failureOf, fakePlatform } from "../../api/fake-platform.ts";
import { SimulatedClock } from "../../file-system/simulated-clock.ts";

describe("lists that can't be loaded during an outage", () => {
  const { platform } = fakePlatform(() => {
    throw connectionError("ECONNREFUSED");
  });
  const visibility = new EventEmitter<{ readonly visible: boolean }>();
  const view = { visible: true, onDidChangeVisibility: visibility.event };
  let clock: SimulatedClock;
  let lists: TreeLists<TreeRow>;
  let recovery: ListRecovery<TreeRow>;
  let failure: unknown;
  let read: string[];
  /** How often a list was drawn again. */
  let changes: number;

  beforeEach(async () => {
    clock = new SimulatedClock();
    view.visible = true;
    read = [];
    failure = await failureOf(platform.call(getWorkspace, { workspaceId: "w" }));
    changes = 0;
    lists = new TreeLists({
      connect: async () => platform,
      onChange: () => {
        changes += 1;
        recovery.schedule();
      },
    });
    recovery = new ListRecovery({ lists, view, clock });
    await Promise.all(
      ["top", "below"].map((key) => lists.getOrCreate("acme", branch(key), undefined).listing.ensure("")),
    );
    read = [];
  });
  afterEach(() => recovery.dispose());

  const branch = (key: string): Branch<TreeRow> => ({
    key,
    words: { things: "workspaces", empty: "" },
    pageSize: 50,
    read: async () => {
      read.push(key);
      if (failure !== undefined) throw failure;
      return { rows: [{ type: "workspace", tenantId: "acme", key }], hasMore: false };
    },
  });
  const states = (): readonly string[] => lists.all.map(({ listing }) => listing.state.type);

  it("are read again when the platform responds, one of them first, and show their error until then", async () => {
    assert.deepEqual(states(), ["failed", "failed"]);
    const drawn = changes;
    await clock.pass(60_000);
    assert.equal(changes, drawn);
    assert.ok(read.length >= 4 && read.length <= 6, `${read.length} attempts in a minute`);
    assert.deepEqual(new Set(read), new Set(["top"]));
    assert.deepEqual(states(), ["failed", "failed"]);
    failure = undefined;
    await clock.pass(15_000);
    assert.deepEqual(states(), ["ready", "ready"]);
    const attempts = read.length;
    await clock.pass(600_000);
    assert.equal(read.length, attempts, "nothing is left to read");
  });

  it("are not read while nobody looks, and soon after", async () => {
    view.visible = false;
    visibility.fire(view);
    await clock.pass(600_000);
    assert.deepEqual(read, []);
    failure = undefined;
    view.visible = true;
    visibility.fire(view);
    await clock.pass(5_000);
    assert.deepEqual(states(), ["ready", "ready"]);
    const { state } = window;
    Object.assign(window, { state: { ...state, focused: false } });
    try {
      failure = await failureOf(platform.call(getWorkspace, { workspaceId: "w" }));
      await lists.find("acme", "top")?.listing.refresh();
      read = [];
      await clock.pass(600_000);
      assert.deepEqual(read, []);
    } finally {
      Object.assign(window, { state });
    }
  });

  it("stay failed for any other reason", async () => {
    failure = new Error("not allowed");
    await Promise.all(lists.all.map(({ listing }) => listing.refresh()));
    read = [];
    await clock.pass(600_000);
    assert.deepEqual(read, []);
  });
});
