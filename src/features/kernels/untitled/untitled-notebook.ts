import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { scheme } from "../../../tenants/workspace-uri.ts";
import { cellIdOf } from "../../../ui/resources/notebook-cells.ts";
import { notebookType } from "../notebook-metadata.ts";

/** True for a Jupyter notebook that was created in the editor and not saved yet. Any kernel can run it. */
export function isUntitled(notebook: Pick<vscode.NotebookDocument, "uri" | "notebookType">): boolean {
  return notebook.uri.scheme === "untitled" && notebook.notebookType === notebookType;
}

/**
 * A path for the session of an untitled notebook, such as `Untitled-1-4f7c21aa.ipynb`, in the folder that becomes the
 * kernel's working directory. It differs from those of other windows.
 */
export function untitledSessionPath({ path }: vscode.Uri): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.ipynb$/, "");
  return `${name}-${randomUUID().slice(0, 8)}.ipynb`;
}

/** The authorities of the workspaces that the window shows: its folders, and the workspaces of its tabs. */
export function workspacesInWindow(): readonly string[] {
  const inputs: readonly unknown[] = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = [
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
    ...inputs.map((input) => (typeof input === "object" && input !== null ? Reflect.get(input, "uri") : undefined)),
  ];
  const shown = uris.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri && uri.scheme === scheme);
  return [...new Set(shown.map(({ authority }) => authority))];
}

/**
 * True if a notebook was saved from an untitled one: it has the same cells. The ids of cells are random, and the editor
 * adds those that are missing when it saves. Notebooks without any text are never the same.
 */
export function isSavedFrom(
  untitled: Pick<vscode.NotebookDocument, "getCells">,
  notebook: Pick<vscode.NotebookDocument, "getCells">,
): boolean {
  const [before, after] = [untitled.getCells(), notebook.getCells()];
  return (
    before.length === after.length &&
    before.some(({ document }) => document.getText() !== "") &&
    before.every((cell, index) => {
      const other = after[index];
      const id = cellIdOf(cell);
      return (
        other !== undefined &&
        cell.kind === other.kind &&
        cell.document.getText() === other.document.getText() &&
        (id === undefined || id === cellIdOf(other))
      );
    })
  );
}
