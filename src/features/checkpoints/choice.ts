import * as vscode from "vscode";
import type { ActiveFile } from "../../ui/commands/active-file.ts";
import { absoluteDate, relativeDate } from "../../ui/format/dates.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { CheckpointHistory, HistoryEntry } from "./history.ts";
import type { StoredReason } from "./stored-versions.ts";

interface EntryItem extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry;
}

/** Asks for one of a file's checkpoints, or of the versions on this computer. Canceling throws a CancellationError. */
export async function pickEntry(file: ActiveFile, history: CheckpointHistory, title: string): Promise<HistoryEntry> {
  const items = history.list().then((entries): EntryItem[] => {
    if (entries.length === 0) {
      throw new Error(
        vscode.l10n.t("{0} has no checkpoints yet. Create one with Platform: Create Checkpoint.", file.name),
      );
    }
    const kept = entries.filter((entry) => entry.type === "kept");
    const onServer = entries.filter((entry) => entry.type === "checkpoint");
    const heading = (label: string): EntryItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
    return [
      ...(kept.length > 0 && onServer.length > 0 ? [heading(vscode.l10n.t("On the Server"))] : []),
      ...onServer.map(itemOf),
      ...(kept.length > 0 ? [heading(vscode.l10n.t("Saved on This Computer"))] : []),
      ...kept.map(itemOf),
    ];
  });
  const { entry } = await pickItem(items, { title });
  if (entry === undefined) {
    throw new vscode.CancellationError();
  }
  return entry;
}

/** The date of an entry, formatted for users. */
export function momentOf(entry: HistoryEntry): string {
  return absoluteDate(entryTime(entry), vscode.env.language) ?? vscode.l10n.t("no date");
}

function itemOf(entry: HistoryEntry): EntryItem {
  const time = entryTime(entry);
  const age = relativeDate(time, vscode.env.language) ?? vscode.l10n.t("No date");
  const date = absoluteDate(time, vscode.env.language) ?? "";
  const reason = entry.type === "kept" ? reasonOf(entry.kept.reason) : undefined;
  return {
    label: age,
    description: reason === undefined ? date : `${reason} · ${date}`,
    iconPath: new vscode.ThemeIcon(entry.type === "kept" ? "device-desktop" : "history"),
    entry,
  };
}

/** The date of an entry in ISO 8601; null or undefined if the server does not report it. */
export function entryTime(entry: HistoryEntry): string | null | undefined {
  return entry.type === "kept" ? new Date(entry.kept.at).toISOString() : entry.checkpoint.last_modified;
}

function reasonOf(reason: StoredReason): string | undefined {
  switch (reason) {
    case "restore":
      return vscode.l10n.t("before a restore");
    case "overwrite":
      return vscode.l10n.t("before it was overwritten");
    case "reading":
      return vscode.l10n.t("before a checkpoint was read");
    case "checkpoint":
      return undefined;
  }
}
