import * as vscode from "vscode";
import { canonicalJson } from "../../api/http/json.ts";
import { isRecord, type Members } from "../../api/records.ts";
import { TimeSlices } from "../../api/time-slices.ts";
import { type CellOrigin, type MergeCell, type MergedCell, mergeCells } from "./merge-cells.ts";
import type { SideLabels } from "./merge-text.ts";

/** The result of a merge in an editor. */
export interface MergeOutcome {
  /** Number of conflicts, which are between conflict markers. */
  readonly conflicts: number;
  /** Number of cells that one side deleted and the other changed. They are kept. */
  readonly kept: number;
}

/**
 * Merges the server's notebook into the editor's, as one edit that can be undone. Resolves with undefined, and changes
 * nothing, if the notebook was edited meanwhile. Rejects with the reason of the signal if it is aborted.
 */
export async function mergeNotebooks(
  base: vscode.NotebookDocument,
  ours: vscode.NotebookDocument,
  theirs: vscode.NotebookDocument,
  labels: SideLabels,
  signal?: AbortSignal,
): Promise<MergeOutcome | undefined> {
  const { version } = ours;
  const slices = new TimeSlices(signal);
  const before = await mergeCellsOf(base, slices);
  const mine = await mergeCellsOf(ours, slices);
  const other = await mergeCellsOf(theirs, slices);
  const merged = await mergeCells(before, mine, other, labels, signal);
  // A cell that both sides have stays, so that a merge without effect edits nothing, and keeps what runs.
  const isOurs = (cell: MergedCell, index: number): boolean =>
    (["kind", "metadata", "outputs"] as const).every((part) => {
      const { side, index: at } = cell[part];
      return side === "ours" ? at === index : other[at]?.[part] === mine[index]?.[part];
    }) && cell.source === mine[index]?.source;
  const { cells } = merged;
  let start = 0;
  while (start < Math.min(cells.length, ours.cellCount) && isOurs(cells[start] as MergedCell, start)) {
    start += 1;
  }
  let end = 0;
  const isOursFromEnd = (back: number): boolean => {
    const cell = cells[cells.length - 1 - back];
    return cell !== undefined && isOurs(cell, ours.cellCount - 1 - back);
  };
  while (end < Math.min(cells.length, ours.cellCount) - start && isOursFromEnd(end)) {
    end += 1;
  }
  const range = new vscode.NotebookRange(start, ours.cellCount - end);
  const edits: vscode.NotebookEdit[] = [];
  if (!range.isEmpty || cells.length - end > start) {
    const replaced = cells.slice(start, cells.length - end).map((cell) => cellData(cell, ours, theirs));
    edits.push(vscode.NotebookEdit.replaceCells(range, replaced));
  }
  const metadata = mergeMembers(base.metadata, ours.metadata, theirs.metadata);
  if (canonicalJson(metadata) !== canonicalJson(ours.metadata)) {
    edits.push(vscode.NotebookEdit.updateNotebookMetadata(metadata));
  }
  if (edits.length > 0) {
    const edit = new vscode.WorkspaceEdit();
    edit.set(ours.uri, edits);
    if (ours.version !== version || !(await vscode.workspace.applyEdit(edit))) {
      return undefined;
    }
  }
  return { conflicts: merged.conflicts, kept: merged.kept };
}

/** Number of steps of a long task that reading a cell takes, at least. */
const cellSteps = 512;
/** Number of characters that take as long as one step. */
const charactersPerStep = 64;

async function mergeCellsOf(notebook: vscode.NotebookDocument, slices: TimeSlices): Promise<readonly MergeCell[]> {
  const cells: MergeCell[] = [];
  for (const cell of notebook.getCells()) {
    const read = mergeCellOf(cell);
    cells.push(read);
    if (slices.isOver(cellSteps + (read.outputs.length + read.source.length) / charactersPerStep)) {
      await slices.pause();
    }
  }
  return cells;
}

function mergeCellOf(cell: vscode.NotebookCell): MergeCell {
  const id: unknown = cell.metadata.id;
  return {
    id: typeof id === "string" ? id : undefined,
    kind: `${cell.kind} ${cell.document.languageId}`,
    source: cell.document.getText().replace(/\r\n/g, "\n"),
    metadata: canonicalJson(cell.metadata),
    outputs: canonicalJson(
      cell.outputs.map(({ items, metadata }) => [
        items.map(({ mime, data }) => [mime, Buffer.from(data).toString("base64")]),
        metadata,
      ]),
    ),
  };
}

function cellData(
  { kind, metadata, outputs, source }: MergedCell,
  ours: vscode.NotebookDocument,
  theirs: vscode.NotebookDocument,
): vscode.NotebookCellData {
  const cellOf = ({ side, index }: CellOrigin): vscode.NotebookCell => (side === "ours" ? ours : theirs).cellAt(index);
  const ofKind = cellOf(kind);
  const data = new vscode.NotebookCellData(ofKind.kind, source, ofKind.document.languageId);
  data.metadata = { ...cellOf(metadata).metadata };
  data.outputs = cellOf(outputs).outputs.map((output) => new vscode.NotebookCellOutput(output.items, output.metadata));
  return data;
}

/** Merges the notebook metadata member by member. If both changed a member, ours is used. */
function mergeMembers(base: Members, ours: Members, theirs: Members): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...ours };
  for (const name of new Set([...Object.keys(base), ...Object.keys(theirs)])) {
    const isOursAsBefore = canonicalJson(ours[name]) === canonicalJson(base[name]);
    if (isRecord(ours[name]) && isRecord(theirs[name])) {
      merged[name] = mergeMembers(isRecord(base[name]) ? base[name] : {}, ours[name], theirs[name]);
    } else if (isOursAsBefore) {
      merged[name] = theirs[name];
    }
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
