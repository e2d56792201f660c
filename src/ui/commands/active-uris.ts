import * as vscode from "vscode";

/** All URIs of the active editor: both sides of a comparison, and the inputs and the result of a merge. */
export function activeUris(): readonly vscode.Uri[] {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const members: unknown[] = typeof input === "object" && input !== null ? Object.values(input) : [];
  return members.filter((member) => member instanceof vscode.Uri);
}
