import * as vscode from "vscode";

/** The document of a change that the preview doesn't show. */
const nothing = vscode.Uri.parse("platform-preview:nothing");

/**
 * Makes the editor show an edit in its preview before it is applied, with all of its changes selected. A change that needs a
 * confirmation opens the preview, but is deselected there at first, so that it would be missed. So this adds one that the
 * preview doesn't show.
 */
export function previewFirst(edit: vscode.WorkspaceEdit, label: string): void {
  edit.set(nothing, [[vscode.NotebookEdit.updateNotebookMetadata({}), { needsConfirmation: true, label }]]);
}
