import * as vscode from "vscode";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import { inParallel } from "../../api/content-server/concurrency.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { SearchMatch } from "./matches.ts";
import type { PlannedEdit } from "./replaced-edits.ts";
import type { SearchedFile } from "./search-results.ts";

/** Maximum number of characters of all documents that are changed at once, because their texts are kept until then. */
const maxCharacters = 50_000_000;

/** A document and its changes: a file, or a cell of a notebook. */
export interface PlannedDocument {
  readonly uri: vscode.Uri;
  /** Its text. */
  readonly before: string;
  /** In the order of the text. */
  readonly edits: readonly PlannedEdit[];
  /** The range of each edit. */
  readonly ranges: readonly vscode.Range[];
}

export interface PlannedFile {
  readonly uri: vscode.Uri;
  /** Content path. */
  readonly path: string;
  readonly isNotebook: boolean;
  /** Whether it had unsaved changes before. */
  readonly wasDirty: boolean;
  readonly documents: readonly PlannedDocument[];
}

/** A file that isn't changed, or only in part, and why, as a sentence. */
export interface LeftFile {
  /** Content path. */
  readonly path: string;
  readonly reason: string;
}

export interface ReplacementPlan {
  readonly files: readonly PlannedFile[];
  readonly left: readonly LeftFile[];
  /** Number of matches that are replaced. */
  readonly count: number;
}

interface PlanOptions {
  readonly replacement: (groups: readonly (string | null)[]) => string;
  readonly signal: AbortSignal;
  /** Called with the number of files that are done. */
  readonly onOpened: (files: number) => void;
}

/**
 * Opens the files with matches, and compares the matches with the text of their documents: those that have changed since
 * the search are left. Throws the signal's reason.
 */
export async function planReplacements(
  found: readonly SearchedFile[],
  { replacement, signal, onOpened }: PlanOptions,
): Promise<ReplacementPlan> {
  const files: PlannedFile[] = [];
  const left: LeftFile[] = [];
  let opened = 0;
  let characters = 0;
  await inParallel(found, async (file) => {
    signal.throwIfAborted();
    const leave = (reason: string): void => void left.push({ path: file.path, reason });
    try {
      const planned = await plannedFile(file, replacement, leave);
      characters += planned?.documents.reduce((sum, { before }) => sum + before.length, 0) ?? 0;
      if (planned !== undefined && characters > maxCharacters) {
        leave(vscode.l10n.t("There is too much text to replace at once."));
      } else if (planned !== undefined) {
        files.push(planned);
      }
    } catch (error) {
      leave(errorText(error));
    }
    opened += 1;
    onOpened(opened);
  });
  files.sort((a, b) => a.path.localeCompare(b.path));
  const count = files.flatMap(({ documents }) => documents).reduce((sum, { edits }) => sum + edits.length, 0);
  return { files, left, count };
}

/** The changes of a file. Undefined if there are none. Says what is left, and throws if the file can't be opened. */
async function plannedFile(
  { uri, path, matches }: SearchedFile,
  replacement: PlanOptions["replacement"],
  leave: (reason: string) => void,
): Promise<PlannedFile | undefined> {
  const { permissions } = await vscode.workspace.fs.stat(uri);
  if (permissions === vscode.FilePermission.Readonly) {
    leave(vscode.l10n.t("It is read-only."));
    return undefined;
  }
  const isNotebook = isNotebookPath(path);
  if (isNotebook && matches.some(({ cell }) => cell === undefined)) {
    leave(vscode.l10n.t("It can't be read as a notebook."));
    return undefined;
  }
  const document = isNotebook
    ? await vscode.workspace.openNotebookDocument(uri)
    : await vscode.workspace.openTextDocument(uri);
  const textOf = (cell: number | undefined): vscode.TextDocument | undefined => {
    if (!("cellCount" in document)) {
      return document;
    }
    return cell === undefined || cell >= document.cellCount ? undefined : document.cellAt(cell).document;
  };
  const documents: PlannedDocument[] = [];
  let changed = 0;
  let tooLong = 0;
  for (const [cell, ofCell] of Map.groupBy(matches, ({ cell }) => cell)) {
    const text = textOf(cell);
    const edits: PlannedEdit[] = [];
    const ranges: vscode.Range[] = [];
    for (const match of ofCell) {
      const range = text && rangeOf(text, match);
      if (match.groups === undefined) {
        tooLong += 1;
      } else if (text === undefined || range === undefined) {
        changed += 1;
      } else {
        const lineEnd = text.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
        const newText = replacement(match.groups).replace(/\r?\n/g, lineEnd);
        if (newText !== text.getText(range)) {
          edits.push({ start: text.offsetAt(range.start), end: text.offsetAt(range.end), text: newText });
          ranges.push(range);
        }
      }
    }
    if (text !== undefined && edits.length > 0) {
      documents.push({ uri: text.uri, before: text.getText(), edits, ranges });
    }
  }
  if (changed > 0) {
    leave(
      changed === 1
        ? vscode.l10n.t("1 match has changed since the search.")
        : vscode.l10n.t("{0} matches have changed since the search.", changed),
    );
  }
  if (tooLong > 0) {
    leave(tooLong === 1 ? vscode.l10n.t("1 match is too long.") : vscode.l10n.t("{0} matches are too long.", tooLong));
  }
  return documents.length === 0 ? undefined : { uri, path, isNotebook, wasDirty: document.isDirty, documents };
}

/** The range of a match; undefined if the document has another text there. */
function rangeOf(text: vscode.TextDocument, { line, start, end, groups }: SearchMatch): vscode.Range | undefined {
  const range = new vscode.Range(new vscode.Position(line, start), new vscode.Position(line, end));
  return line < text.lineCount && text.getText(range) === groups?.[0] ? range : undefined;
}
