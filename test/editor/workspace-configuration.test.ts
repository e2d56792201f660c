import assert from "node:assert/strict";
import * as vscode from "vscode";
import { documentUri } from "../../src/ui/documents/document-address.ts";
import { tenantNamed } from "./outside.ts";
import { until } from "./time.ts";

describe("a workspace's configuration in the editor", () => {
  const { tenantId, workspaceId, workspaceName } = tenantNamed("embedded");

  after(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("is validated by the sizes that the tenant offers: an invalid memory size is marked", async () => {
    await vscode.commands.executeCommand("platformWorkbench.editConfiguration", { tenantId, workspaceId });
    const title = `${workspaceName} (configuration).json`;
    const uri = documentUri({ kind: "configuration", tenantId, workspaceId, key: "", title });
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    assert.match(text, /^ {2}"cpu": 1,$/m);
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(uri, whole, text.replace(/^ {2}"memory": 8\b/m, '  "memory": 7'));
    await vscode.workspace.applyEdit(edit);
    let marked: readonly vscode.Diagnostic[] = [];
    await until("the memory is marked", () => {
      marked = vscode.languages.getDiagnostics(uri);
      return marked.length > 0;
    });
    assert.deepEqual(
      marked.map(({ message, severity }) => [message, severity]),
      [["The platform offers 8 GB with 1 CPU.", vscode.DiagnosticSeverity.Warning]],
    );
    const [problem] = marked;
    assert.match(document.lineAt(problem?.range.start.line ?? 0).text, /"memory": 7/);
  });
});
