import assert from "node:assert/strict";
import type { NotebookDocument } from "vscode";
import type { KernelEvent } from "../../../../src/api/kernels/connection/connection.ts";
import type { JournalEntry } from "../../../../src/api/kernels/executions/execution-journal.ts";
import { kernelEndText } from "../../../../src/features/kernels/kernel-reports.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { NotebookCellKind } from "../../../harness/editor-stand-in/vscode.ts";

describe("the message about a kernel that ended", () => {
  const died: KernelEvent = { type: "ended", end: "died", running: [], notSent: [] };
  const restarted: KernelEvent = { type: "restarted", isAutomatic: true, running: [] };
  let textOf: (event: KernelEvent, isFollowing: boolean) => string | undefined;

  before(() => {
    const cells = ["\n  \n  x = 1\ny = 2", "print(x)", "\n"].map((text, index) => ({
      index,
      kind: NotebookCellKind.Code,
      metadata: { id: `c-${index}` },
      document: { getText: () => text },
    }));
    const notebook = {
      uri: uriOf("tenant", "workspace", "a/book.ipynb"),
      getCells: () => cells,
    } as unknown as NotebookDocument;
    textOf = (event, isFollowing) => kernelEndText(notebook, event, isFollowing);
  });

  it("names the running cells of a kernel of this window", () => {
    assert.match(textOf(died, false) ?? "", /^The kernel of book\.ipynb stopped unexpectedly.* No cell was running\.$/);
    assert.match(
      textOf(restarted, false) ?? "",
      /The server restarted it without its variables\. No cell was running\.$/,
    );
  });

  it("names the cells that were never sent, for example because it didn't start", () => {
    const entryOf = (index: number): JournalEntry => ({
      messageId: `m-${index}`,
      cellId: `c-${index}`,
      cellIndex: index,
      sourceHash: "",
      sentAt: 1,
      isFinished: false,
    });
    assert.equal(
      textOf({ type: "ended", end: "gone", running: [], notSent: [entryOf(1)] }, false),
      "The kernel of book.ipynb no longer exists: it didn't start, it was shut down, or its server was restarted. Not run: cell 2 (print(x)). To start another kernel, run the cells again.",
    );
    assert.match(
      textOf({ type: "ended", end: "died", running: [entryOf(0)], notSent: [entryOf(1)] }, false) ?? "",
      / Running or queued: cell 1 \(x = 1\)\. Not run: cell 2 \(print\(x\)\)\. To start another kernel, run the cells again\.$/,
    );
  });

  it("names a cell without code, or one that is no longer there, by its number", () => {
    const entryOf = (index: number): JournalEntry => ({
      messageId: `m-${index}`,
      cellId: `c-${index}`,
      cellIndex: index,
      sourceHash: "",
      sentAt: 1,
      isFinished: false,
    });
    assert.match(
      textOf({ type: "ended", end: "died", running: [entryOf(2), entryOf(3)], notSent: [] }, false) ?? "",
      / Running or queued: cell 3, cell 4\.$/,
    );
  });

  it("reports that someone else shut it down", () => {
    const shutDown: KernelEvent = { type: "ended", end: "shutDown", running: [], notSent: [] };
    assert.match(
      textOf(shutDown, false) ?? "",
      /^The kernel of book\.ipynb was shut down by another client, or by its server.* No cell was running\.$/,
    );
    assert.equal(textOf(shutDown, true), undefined);
  });

  it("doesn't mention the cells of other clients for a kernel that was only followed", () => {
    assert.equal(textOf(died, true), "The kernel of book.ipynb no longer exists. This window was following it.");
    assert.equal(textOf(restarted, true), undefined);
  });
});
