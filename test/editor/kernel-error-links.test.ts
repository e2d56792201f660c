import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import * as vscode from "vscode";
import { isDone, openNotebook, runAll, until } from "./kernel-notebooks.ts";

/** What the editor's own renderer makes a link to the cell with this execution order, and the line. */
const linked = /^Cell In\[(\d+)\], line (\d+)$/gm;

describe("the traceback of an error", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("names cells and lines as the editor's renderer links them", async () => {
    const notebook = await openNotebook("def f(x):\n    y = 1\n    return y / x", "a = 1\n\nf(0)");
    await runAll(notebook);
    const failed = notebook.cellAt(1);
    await until("the cell to fail", () => isDone(failed) && failed.outputs[0]?.items[0]);
    const item = failed.outputs[0]?.items[0];
    assert.equal(item?.mime, "application/vnd.code.notebook.error");
    const { stack }: { readonly stack: string } = JSON.parse(new TextDecoder().decode(item.data));
    const links = [...stripVTControlCharacters(stack).matchAll(linked)].map(([, order, line]) => [order, line]);
    const orders = notebook.getCells().map(({ executionSummary }) => String(executionSummary?.executionOrder));
    assert.deepEqual(links, [
      [orders[1], "3"],
      [orders[0], "3"],
    ]);
  });
});
