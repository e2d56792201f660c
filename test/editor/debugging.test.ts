// A session of the editor's own debugger with a cell of a real kernel, behind a hub.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { isDone, shownNotebook, textOf } from "./kernel-notebooks.ts";
import { tenantNamed } from "./outside.ts";
import { until } from "./time.ts";

const tenant = tenantNamed("hub");
const name = "debugged.ipynb";
const source = "n = 20\nn = n + 1\nprint(n * 2)";

describe("debugging a cell", () => {
  afterEach(async () => {
    await vscode.debug.stopDebugging();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("stops at a breakpoint, shows the stack and the variables, and continues", async () => {
    const cells = [{ cell_type: "code", id: "one", metadata: {}, source, execution_count: null, outputs: [] }];
    const content = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
    await writeFile(`${tenant.root}/${name}`, content);
    const notebook = await shownNotebook(uriOf(tenant.tenantId, tenant.workspaceId, name));
    const id = `${tenant.workspaceId}.${tenant.tenantId}/python3`;
    const extension = "platform-workbench.platform-workbench";
    await vscode.commands.executeCommand("notebook.selectKernel", { id, extension });
    const cell = notebook.cellAt(0);
    const line = new vscode.Location(cell.document.uri, new vscode.Position(1, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(line)]);

    await vscode.commands.executeCommand("platformWorkbench.debugCell", cell);
    const frame = await until("the stop", () => {
      const item = vscode.debug.activeStackItem;
      return item instanceof vscode.DebugStackFrame && item;
    });
    const { session, threadId, frameId } = frame;
    const { stackFrames } = await session.customRequest("stackTrace", { threadId, startFrame: 0, levels: 20 });
    assert.deepEqual(
      stackFrames.map((one: { name: string; line: number; source: { path: string } }) => [
        one.name.replace(/^<module>.*/, "<module>"),
        one.line,
        one.source.path,
      ]),
      [["<module>", 2, cell.document.uri.toString()]],
    );
    const { scopes } = await session.customRequest("scopes", { frameId });
    const { variablesReference } = scopes[0];
    const { variables } = await session.customRequest("variables", { variablesReference });
    assert.equal(variables.find((one: { name: string }) => one.name === "n")?.value, "20");
    await session.customRequest("setVariable", { variablesReference, name: "n", value: "30" });
    assert.equal(isDone(cell), false);

    await vscode.commands.executeCommand("workbench.action.debug.continue");
    await until("the cell to end", () => isDone(cell));
    assert.equal(textOf(cell), "62\n");
    await until("the session to end", () => vscode.debug.activeDebugSession === undefined);
  });
});
