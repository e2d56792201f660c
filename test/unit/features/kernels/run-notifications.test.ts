import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NotebookDocument } from "vscode";
import type { ExecutionEvent, ExecutionOutcome } from "../../../../src/api/kernels/executions/executions.ts";
import type { CellRun } from "../../../../src/features/kernels/cells/cell-run.ts";
import { CellRuns } from "../../../../src/features/kernels/cells/cell-runs.ts";
import type { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";
import type { NotebookEvent } from "../../../../src/features/kernels/notebook-kernels.ts";
import { RunNotifications } from "../../../../src/features/kernels/run-notifications.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { StandInCell, StandInController } from "../../../harness/editor-stand-in/notebook-cell.ts";
import { EventEmitter, editor } from "../../../harness/editor-stand-in/vscode.ts";

const second = 1000;

describe("messages about runs that the user didn't watch", () => {
  let controller: StandInController;
  let runs: CellRuns;
  let notifications: RunNotifications;
  let cells: readonly StandInCell[];

  beforeEach(() => {
    editor.messages.length = 0;
    editor.focus(false);
    controller = new StandInController();
    const notebook = {
      uri: uriOf("tenant", "workspace", "a/book.ipynb"),
      isClosed: false,
    } as unknown as NotebookDocument;
    runs = new CellRuns(notebook, {
      controller: controller.asController,
      outputDirectory: "",
      onError: (error) => assert.fail(String(error)),
    });
    cells = [0, 1, 2].map((index) => Object.assign(new StandInCell(index), { notebook, metadata: {} }));
    const events = new EventEmitter<NotebookEvent>();
    notifications = new RunNotifications(
      { onEvent: events.event } as unknown as ConstructorParameters<typeof RunNotifications>[0],
      { error: (line: string) => assert.fail(line) } as unknown as ConstructorParameters<typeof RunNotifications>[1],
    );
    const kernel = {
      notebook,
      isFollowing: false,
      get hasUnreportedRuns(): boolean {
        return runs.hasUnreported;
      },
    } as unknown as NotebookKernel;
    runs.onEvent((event) => events.fire({ kernel, event }));
  });
  afterEach(() => {
    notifications.dispose();
    runs.dispose();
    editor.focus(true);
  });

  const begin = (): readonly CellRun[] => cells.map((cell) => runs.open(cell.asCell) ?? assert.fail());
  const end = (run: CellRun, outcome: ExecutionOutcome["type"], durationMs: number): Promise<void> => {
    const begun: readonly ExecutionEvent[] =
      outcome === "aborted" ? [] : [{ type: "started", executionCount: 1, at: second }];
    const at = second + durationMs;
    return run.onEvents([
      ...begun,
      { type: "ended", outcome: { type: outcome }, executionCount: 1, payload: [], at },
      { type: "idle", at },
    ]);
  };
  const allReported = async (): Promise<readonly string[]> => {
    while (runs.hasUnreported) await nextTurn();
    return editor.messages.map(({ text }) => text);
  };

  it("say once that all cells that were run together have finished", async () => {
    const [first, other, last] = begin();
    assert.ok(first && other && last);
    await end(first, "ok", 40 * second);
    await end(other, "ok", 1);
    assert.deepEqual(editor.messages, []);
    await end(last, "ok", 1);
    assert.deepEqual(await allReported(), ["All cells that ran in book.ipynb finished. The last one was cell 3."]);
    assert.deepEqual(
      editor.messages.map(({ items }) => items),
      [["Show Cell"]],
    );
  });

  it("name the cell that failed, also if those after it end first in the editor", async () => {
    const [first, other, last] = begin();
    assert.ok(first && other && last);
    await first.onEvents([{ type: "stream", name: "stdout", text: "a" }]);
    await end(first, "error", 90 * second);
    await end(other, "aborted", 0);
    await end(last, "aborted", 0);
    assert.deepEqual(await allReported(), [
      "Cell 1 of book.ipynb failed after 1m 30s. The cells after it were not run.",
    ]);
  });

  it("are left out for a cell that is expected to fail, and for a short run", async () => {
    const [first, other, last] = begin();
    assert.ok(first && other && last);
    Object.assign(cells[0] ?? {}, { metadata: { metadata: { tags: ["raises-exception"] } } });
    await end(first, "error", 1);
    await end(other, "ok", 1);
    await end(last, "ok", 1);
    assert.deepEqual(await allReported(), []);
  });
});
