import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { KernelEvent } from "../../api/kernels/connection/connection.ts";
import type { JournalEntry } from "../../api/kernels/executions/execution-journal.ts";
import { cellOfEntry } from "./cells/cell-lookup.ts";

const maxLineLength = 60;
const maxNamed = 3;
/** A cell's first line is looked for among so many. */
const maxLines = 100;

/**
 * The message for a kernel that ended, with the cells that were running on it. Undefined for a restart that the user
 * requested. A window that only follows a kernel can't know who restarted it, or what other clients ran on it.
 */
export function kernelEndText(
  notebook: vscode.NotebookDocument,
  event: KernelEvent,
  isFollowing: boolean,
): string | undefined {
  const name = nameOf(notebook.uri.path);
  if (isFollowing && event.type !== "activity" && event.running.length === 0) {
    return event.type === "ended" && event.end !== "shutDown"
      ? vscode.l10n.t("The kernel of {0} no longer exists. This window was following it.", name)
      : undefined;
  }
  switch (event.type) {
    case "activity":
      return undefined;
    case "restarted":
      return event.isAutomatic
        ? vscode.l10n.t(
            "The kernel of {0} stopped unexpectedly, possibly because it ran out of memory. The server restarted it without its variables. {1}",
            name,
            runningText(notebook, event.running),
          )
        : undefined;
    case "ended":
      switch (event.end) {
        case "died":
          return vscode.l10n.t(
            "The kernel of {0} stopped unexpectedly, possibly because it ran out of memory. {1}",
            name,
            runningText(notebook, event.running, event.notSent),
          );
        case "gone":
          return vscode.l10n.t(
            "The kernel of {0} no longer exists: it didn't start, it was shut down, or its server was restarted. {1}",
            name,
            runningText(notebook, event.running, event.notSent),
          );
        case "shutDown":
          return vscode.l10n.t(
            "The kernel of {0} was shut down by another client, or by its server because it was idle. {1}",
            name,
            runningText(notebook, event.running, event.notSent),
          );
      }
  }
}

function runningText(
  notebook: vscode.NotebookDocument,
  running: readonly JournalEntry[],
  notSent: readonly JournalEntry[] = [],
): string {
  const texts = [
    running.length === 0 ? "" : vscode.l10n.t("Running or queued: {0}.", cellsText(notebook, running)),
    notSent.length === 0
      ? ""
      : vscode.l10n.t("Not run: {0}. To start another kernel, run the cells again.", cellsText(notebook, notSent)),
  ].filter((text) => text !== "");
  return texts.length === 0 ? vscode.l10n.t("No cell was running.") : texts.join(" ");
}

/** Names the first cells, and states the number of the others. */
function cellsText(notebook: vscode.NotebookDocument, entries: readonly JournalEntry[]): string {
  const cells = entries
    .slice(0, maxNamed)
    .map((entry) => cellText(notebook, entry))
    .join(", ");
  const more = entries.length - maxNamed;
  return more > 0 ? vscode.l10n.t("{0}, and {1} more", cells, more) : cells;
}

/** The number of a cell, and its first line that isn't empty, if there is one. */
function cellText(notebook: vscode.NotebookDocument, entry: JournalEntry): string {
  const cell = cellOfEntry(notebook, entry);
  const number = (cell?.index ?? entry.cellIndex) + 1;
  const line = cell?.document
    .getText()
    .split(/\r\n|[\r\n]/, maxLines)
    .map((text) => text.trim())
    .find((text) => text !== "");
  if (line === undefined) {
    return vscode.l10n.t("cell {0}", number);
  }
  return vscode.l10n.t(
    "cell {0} ({1})",
    number,
    line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line,
  );
}
