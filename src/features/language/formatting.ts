import * as vscode from "vscode";
import { formatSource } from "../../api/companion/operations/language.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showWarning } from "../../tenants/messages.ts";
import { isFormattingProvided } from "./availability.ts";
import { isOfKind, type LanguageRequests, searchTimeoutMs } from "./language-requests.ts";
import { documentParameter, remoteDocumentOf } from "./remote-document.ts";

/** The edit that formats a script, or a cell, with what the workspace has. */
export async function formattingEdits(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<vscode.TextEdit[] | undefined> {
  const remote = isFormattingProvided(document) ? remoteDocumentOf(document) : undefined;
  if (remote === undefined) {
    return undefined;
  }
  const parameters = { document: documentParameter({ ...remote, parts: [document] }) };
  const options = { starts: true, timeoutMs: searchTimeoutMs };
  try {
    const result = await requests.request(remote, formatSource, parameters, token, options);
    const before = document.getText();
    const isSame = result === undefined || result.text === before.replaceAll("\r\n", "\n");
    const end = document.lineAt(document.lineCount - 1).range.end;
    const whole = new vscode.Range(new vscode.Position(0, 0), end);
    return isSame ? [] : [vscode.TextEdit.replace(whole, result.text)];
  } catch (error) {
    if (!token.isCancellationRequested) {
      const reason = isOfKind(error, "missing")
        ? vscode.l10n.t("Install ruff or black in the workspace to format Python.")
        : vscode.l10n.t("Can't format {0}. {1}", remote.path, errorText(error));
      void showWarning(reason);
    }
    return undefined;
  }
}
