import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TreeDefinition, TreeRow } from "../../../../src/ui/tree/definition.ts";
import { RowPoller } from "../../../../src/ui/tree/row-poller.ts";
import type { KnownList } from "../../../../src/ui/tree/tree-lists.ts";
import { EventEmitter, editor } from "../../../harness/editor-stand-in/vscode.ts";

describe("rows that are read again with their list", () => {
  const rows: readonly TreeRow[] = ["one", "two"].map((key) => ({ type: "running", tenantId: "acme", key }));
  let isExpanded: boolean;
  let reads: number[];
  let poller: RowPoller<TreeRow>;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    [isExpanded, reads] = [true, []];
    editor.focus(true);
    const refreshFirst = async (count: number): Promise<void> => void reads.push(count);
    const list = { listing: { state: { type: "ready" }, rows, refreshFirst } } as unknown as KnownList<TreeRow>;
    poller = new RowPoller<TreeRow>({
      definition: {
        isChanging: () => true,
        isReadWithList: () => true,
        readAgain: () => assert.fail("no row is read alone"),
      } as unknown as TreeDefinition<TreeRow>,
      lists: { all: [list] },
      isExpanded: () => isExpanded,
      connections: { platform: () => assert.fail("nothing is connected") },
      log: { debug: (line) => assert.fail(line) },
      view: { visible: true, onDidChangeVisibility: new EventEmitter<never>().event },
      replace: () => assert.fail("no row is replaced"),
    });
  });
  afterEach(() => {
    poller.dispose();
    mock.timers.reset();
    editor.focus(true);
  });

  const pass = async (): Promise<readonly number[]> => {
    mock.timers.tick(5_000);
    await nextTurn();
    return reads.splice(0);
  };

  it("are read as long as their list is expanded", async () => {
    poller.schedule();
    assert.deepEqual([await pass(), await pass()], [[2], [2]]);
    isExpanded = false;
    poller.schedule();
    assert.deepEqual(await pass(), []);
    isExpanded = true;
    poller.schedule();
    assert.deepEqual(await pass(), [2]);
  });

  it("are not read while nobody uses the window", async () => {
    poller.schedule();
    editor.focus(false);
    assert.deepEqual(await pass(), []);
    editor.focus(true);
    assert.deepEqual(await pass(), [2]);
  });
});
