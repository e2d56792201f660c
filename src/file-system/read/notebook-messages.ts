import * as vscode from "vscode";
import { showWarning } from "../../tenants/messages.ts";
import { documentsAt, hasTab } from "../session/editor-documents.ts";
import type { FoundProblem } from "./notebook-models.ts";

/** The messages that are shown, by file and text. */
const shown = new Set<string>();

/**
 * Explains why a notebook editor can't show a file that it has read, or shows it in another format. An editor that has
 * the file open keeps the version that it shows, without a message of its own.
 */
export async function showNotebookProblem(uri: vscode.Uri, found: FoundProblem): Promise<void> {
  const path = uri.path.slice(1);
  if (!hasTab(uri.authority, path, "notebook")) {
    return;
  }
  const isOpen = documentsAt(uri.authority, path).some((document) => "cellCount" in document);
  const text = [
    problemText(uri.path.slice(uri.path.lastIndexOf("/") + 1), found),
    isOpen && !found.isConverted ? vscode.l10n.t("The editor still shows the version before that.") : "",
  ].join(" ");
  const key = `${uri.toString()} ${text}`;
  if (shown.has(key)) {
    return;
  }
  shown.add(key);
  const openAsText = vscode.l10n.t("Open as Text");
  try {
    if ((await showWarning(text.trim(), ...(found.isConverted ? [] : [openAsText]))) === openAsText) {
      await vscode.commands.executeCommand("vscode.openWith", uri, "default");
    }
  } finally {
    shown.delete(key);
  }
}

function problemText(name: string, { problem, isConverted }: FoundProblem): string {
  switch (problem.type) {
    case "mergeConflicts":
      return vscode.l10n.t(
        "{0} has merge conflicts (line {1}), so it can't be shown as a notebook. To resolve them, open it as text.",
        name,
        problem.line,
      );
    case "invalidJson":
      return vscode.l10n.t(
        "{0} isn't valid JSON (line {1}), so it can't be shown as a notebook. To repair it, open it as text.",
        name,
        problem.line,
      );
    case "oldFormat":
      return isConverted
        ? vscode.l10n.t(
            "{0} has notebook format {1}. The server converts it to format 4, and your first save stores it in that format. The old file is kept. To restore it, run Platform: List Checkpoints…",
            name,
            problem.format,
          )
        : vscode.l10n.t(
            "{0} has notebook format {1}, which can't be shown, and the server doesn't convert it. You can open it as text.",
            name,
            problem.format,
          );
  }
}

/** Explains why a version of the server can't be merged. */
export function unmergeable(name: string, problem: FoundProblem["problem"]): Error {
  switch (problem.type) {
    case "mergeConflicts":
      return new Error(
        vscode.l10n.t(
          "Can't merge {0}: the server's version has merge conflicts (line {1}). Resolve them on the server, then merge again. Your changes stay in the editor.",
          name,
          problem.line,
        ),
      );
    case "invalidJson":
      return new Error(
        vscode.l10n.t(
          "Can't merge {0}: the server's version isn't valid JSON (line {1}). Repair it on the server, then merge again. Your changes stay in the editor.",
          name,
          problem.line,
        ),
      );
    case "oldFormat":
      return new Error(
        vscode.l10n.t(
          "Can't merge {0}: the server's version has notebook format {1}. Your changes stay in the editor.",
          name,
          problem.format,
        ),
      );
  }
}
