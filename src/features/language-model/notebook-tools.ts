import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import type { EditorTool } from "./editor-tool.ts";
import { outputText } from "./output-text.ts";
import { type EditorToolParts, placeText, remoteUri } from "./remote-places.ts";
import { changeOf, codeBlock, type ShownChange, shownText } from "./shown-text.ts";
import type { ToolInput } from "./tool-declarations.ts";

const notebookType = "jupyter-notebook";
const maxResponseLength = 60_000;
/** Characters of all changes that one confirmation shows. */
const maxChangeLength = 20_000;

type Edit = ToolInput<"platform_edit_notebook">["edits"][number];

/** Reads cells of a remote notebook as they are in the editor, including unsaved changes. */
export function readNotebookTool(parts: EditorToolParts): EditorTool<ToolInput<"platform_read_notebook">> {
  return {
    confirmation: ({ uri }) => ({
      title: vscode.l10n.t("Read Notebook Cells"),
      message: vscode.l10n.t("Read the cells of {0} and the beginning of their outputs.", shownText(named(parts, uri))),
    }),
    progress: ({ uri }) => vscode.l10n.t("Reading {0}", named(parts, uri)),
    async run({ uri, from = 0, count }) {
      const notebook = await opened(uri);
      const all = notebook.getCells().slice(from, count === undefined ? undefined : from + count);
      const cells: object[] = [];
      let used = 0;
      for (const cell of all) {
        const described = cellOf(cell);
        used += JSON.stringify(described).length;
        if (used > maxResponseLength && cells.length > 0) {
          break;
        }
        cells.push(described);
      }
      const next = from + cells.length;
      return {
        uri: notebook.uri.toString(),
        version: versionOf(notebook),
        isDirty: notebook.isDirty,
        cellCount: notebook.cellCount,
        cells,
        ...(next < notebook.cellCount ? { next } : {}),
      };
    },
  };
}

/** Changes cells of a remote notebook in the editor. The user confirms the complete change, and decides whether to save. */
export function editNotebookTool(parts: EditorToolParts): EditorTool<ToolInput<"platform_edit_notebook">> {
  return {
    async confirmation({ uri, version, edits }) {
      const notebook = await unchanged(parts, uri, version);
      refuseUnfit(notebook, edits);
      const changes = await Promise.all(edits.map(async (edit) => ({ edit, change: await changeIn(notebook, edit) })));
      const sum = (count: (change: ShownChange) => number): number =>
        changes.reduce((total, { change }) => total + count(change), 0);
      if (sum(({ lines }) => lines.join("\n").length) > maxChangeLength) {
        throw new Error(
          vscode.l10n.t("These edits are too long to confirm at once. Nothing was changed. Make fewer edits."),
        );
      }
      return {
        title: vscode.l10n.t("Edit Notebook Cells"),
        message: [
          savesAutomatically(notebook)
            ? vscode.l10n.t(
                "Edit {0}. Auto Save is on, so the editor saves the changes on the server. You can undo them afterward.",
                shownText(named(parts, uri)),
              )
            : vscode.l10n.t("Edit {0}. The changes aren't saved, and you can undo them.", shownText(named(parts, uri))),
          "",
          vscode.l10n.t(
            "Edits: {0}. Added lines: {1}. Removed lines: {2}.",
            edits.length,
            sum(({ added }) => added),
            sum(({ removed }) => removed),
          ),
          ...changes.flatMap(({ edit, change }) => [
            "",
            editText(edit),
            "",
            codeBlock(change.lines.join("\n"), "diff"),
          ]),
        ].join("\n"),
      };
    },
    progress: ({ uri }) => vscode.l10n.t("Editing {0}", named(parts, uri)),
    async run({ uri, version, edits }) {
      const notebook = await unchanged(parts, uri, version);
      refuseUnfit(notebook, edits);
      await vscode.window.showNotebookDocument(notebook, { preserveFocus: true, preview: false });
      if (!(await vscode.workspace.applyEdit(workspaceEdit(notebook, edits)))) {
        throw new Error(vscode.l10n.t("The editor didn't apply the changes to {0}.", named(parts, uri)));
      }
      return {
        uri: notebook.uri.toString(),
        version: versionOf(notebook),
        cellCount: notebook.cellCount,
        saved: !notebook.isDirty,
        autoSave: savesAutomatically(notebook),
      };
    },
  };
}

/** The notebook, if it is still in this version. Throws an Error with a message for the model otherwise. */
async function unchanged(parts: EditorToolParts, uri: string, version: string): Promise<vscode.NotebookDocument> {
  const notebook = await opened(uri);
  if (versionOf(notebook) !== version) {
    throw new Error(
      vscode.l10n.t(
        "{0} has changed since it was read. Nothing was changed. Read it again, then edit that version.",
        named(parts, uri),
      ),
    );
  }
  return notebook;
}

/** True if the editor saves changes without being asked. */
function savesAutomatically({ uri }: vscode.NotebookDocument): boolean {
  return vscode.workspace.getConfiguration("files", uri).get("autoSave", "off") !== "off";
}

function changeIn(notebook: vscode.NotebookDocument, edit: Edit): Promise<ShownChange> {
  const before = edit.action === "insert" ? undefined : notebook.cellAt(edit.index).document.getText();
  return changeOf(before, edit.action === "delete" ? undefined : edit.source);
}

/** The notebook with this URI, opened in the background if necessary. Without a URI, the active notebook. */
export async function opened(text: string | undefined): Promise<vscode.NotebookDocument> {
  if (text !== undefined) {
    const uri = remoteUri(text);
    if (!isNotebookPath(uri.path)) {
      throw new Error(vscode.l10n.t("{0} isn't a notebook. Open it with platform_open_file.", uri.path));
    }
    return vscode.workspace.openNotebookDocument(uri);
  }
  const active = vscode.window.activeNotebookEditor?.notebook;
  if (active === undefined || active.uri.scheme !== scheme || active.notebookType !== notebookType) {
    throw new Error(vscode.l10n.t("The active editor doesn't show a workspace notebook. Specify the notebook's URI."));
  }
  return active;
}

/**
 * A hash of a notebook's cells, which a model passes back with its edits. The editor's version number can't be used,
 * because it is reset when the notebook is reopened, and someone else may have saved it meanwhile.
 */
export function versionOf(notebook: vscode.NotebookDocument): string {
  const cells = notebook.getCells().map(({ kind, document }) => [kind, document.languageId, document.getText()]);
  return createHash("sha256").update(JSON.stringify(cells)).digest("hex").slice(0, 24);
}

function refuseUnfit(notebook: vscode.NotebookDocument, edits: readonly Edit[]): void {
  const touched = new Set<number>();
  for (const edit of edits) {
    const last = edit.action === "insert" ? notebook.cellCount : notebook.cellCount - 1;
    if (edit.index > last) {
      throw new Error(
        vscode.l10n.t(
          "Cell {0} doesn't exist. Number of cells: {1}. Nothing was changed.",
          edit.index,
          notebook.cellCount,
        ),
      );
    }
    if (edit.action !== "insert" && touched.has(edit.index)) {
      throw new Error(vscode.l10n.t("Two edits change cell {0}. Nothing was changed.", edit.index));
    }
    if (edit.action !== "insert") {
      touched.add(edit.index);
    }
  }
}

/** Converts the edits to a single workspace edit. Replaces sources within their cells, which preserves the outputs. */
function workspaceEdit(notebook: vscode.NotebookDocument, edits: readonly Edit[]): vscode.WorkspaceEdit {
  const whole = new vscode.WorkspaceEdit();
  const structural: vscode.NotebookEdit[] = [];
  for (const edit of edits) {
    switch (edit.action) {
      case "replace": {
        const { document } = notebook.cellAt(edit.index);
        const end = document.lineAt(document.lineCount - 1).range.end;
        whole.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), edit.source);
        break;
      }
      case "insert":
        structural.push(vscode.NotebookEdit.insertCells(edit.index, [newCell(notebook, edit)]));
        break;
      case "delete":
        structural.push(vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(edit.index, edit.index + 1)));
        break;
    }
  }
  if (structural.length > 0) {
    // Apply from last to first, because the indexes refer to the unchanged notebook.
    whole.set(
      notebook.uri,
      structural.toSorted((one, other) => other.range.start - one.range.start),
    );
  }
  return whole;
}

function newCell(
  notebook: vscode.NotebookDocument,
  { kind, source, language }: Extract<Edit, { readonly action: "insert" }>,
): vscode.NotebookCellData {
  if (kind === "markdown") {
    return new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, source, "markdown");
  }
  const used = notebook.getCells().find((cell) => cell.kind === vscode.NotebookCellKind.Code)?.document.languageId;
  return new vscode.NotebookCellData(vscode.NotebookCellKind.Code, source, language ?? used ?? "python");
}

export function cellOf(cell: vscode.NotebookCell): object {
  const output = outputText(cell.outputs);
  return {
    index: cell.index,
    kind: cell.kind === vscode.NotebookCellKind.Code ? "code" : "markdown",
    language: cell.document.languageId,
    source: cell.document.getText(),
    ...(output === "" ? {} : { output }),
  };
}

export function named(parts: EditorToolParts, text: string | undefined): string {
  return text === undefined ? vscode.l10n.t("the notebook in the active editor") : placeText(parts, remoteUri(text));
}

function editText(edit: Edit): string {
  switch (edit.action) {
    case "replace":
      return vscode.l10n.t("Replace cell {0}:", edit.index);
    case "insert":
      return vscode.l10n.t("Insert a {0} cell before cell {1}:", edit.kind, edit.index);
    case "delete":
      return vscode.l10n.t("Delete cell {0}:", edit.index);
  }
}
