import assert from "node:assert/strict";
import type { NotebookCellExecutionSummary, NotebookDocumentWillSaveEvent } from "vscode";
import { addExecutionCounts } from "../../../../src/features/kernels/cells/saved-execution-counts.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import type { WorkspaceEdit } from "../../../harness/editor-stand-in/edits.ts";

describe("the execution counts of a saved notebook", () => {
  /** The count of a saved cell with this summary, whose metadata has the count `saved`. */
  async function savedCount(
    executionSummary: NotebookCellExecutionSummary | undefined,
    { saved = null, isExecuting = false }: { readonly saved?: number | null; readonly isExecuting?: boolean } = {},
  ): Promise<unknown> {
    const cell = { index: 0, metadata: { execution_count: saved }, executionSummary };
    const uri = uriOf("tenant", "workspace", "a.ipynb");
    const notebook = { uri, notebookType: "jupyter-notebook", getCells: () => [cell] };
    const edits: Promise<WorkspaceEdit>[] = [];
    const event = { notebook, waitUntil: (edit: Promise<WorkspaceEdit>) => edits.push(edit) };
    addExecutionCounts(event as unknown as NotebookDocumentWillSaveEvent, () => isExecuting);
    let bytes: Uint8Array = Buffer.from(JSON.stringify({ metadata: {}, cells: [{ execution_count: saved }] }));
    for (const { changes } of await Promise.all(edits)) {
      for (const { apply } of changes) {
        bytes = apply(bytes);
      }
    }
    return JSON.parse(Buffer.from(bytes).toString()).cells[0].execution_count;
  }

  it("are those that the cells show, also without a result", async () => {
    assert.equal(await savedCount({ executionOrder: 3, success: true, timing: { startTime: 1, endTime: 2 } }), 3);
    // For example, a restart ended a cell before it began. It shows the count that the file had.
    assert.equal(await savedCount({ executionOrder: 3 }), 3);
  });

  it("don't change if the file has them, the cell has none, or the cell is running", async () => {
    assert.equal(await savedCount({ executionOrder: 3 }, { saved: 3 }), 3);
    assert.equal(await savedCount({}), null);
    assert.equal(await savedCount(undefined, { saved: 3 }), 3);
    assert.equal(await savedCount({ executionOrder: 3 }, { isExecuting: true }), null);
  });
});
