import * as vscode from "vscode";
import { snapshotOf } from "../../file-system/merge/server-version.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { isUnsavedAt } from "../../file-system/session/editor-documents.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showError, showInformation } from "../../tenants/messages.ts";
import { type ActiveFile, activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { timeToday } from "../../ui/format/dates.ts";
import { pickItem, unlessCanceled } from "../../ui/quick-input/show-input.ts";
import { entryTime, momentOf, pickEntry } from "./choice.ts";
import type { CheckpointsCommandId } from "./declarations.ts";
import { CheckpointHistory, type HistoryEntry, type Restored, UnreadableCheckpoint } from "./history.ts";

interface CheckpointCommandParts {
  readonly files: PlatformFileSystem;
  /** The extension's storage on this computer. */
  readonly storage: vscode.Uri;
}

/**
 * Commands that show the active file's checkpoints as its history: create, list, compare, restore with undo, delete.
 */
export function checkpointCommands(parts: CheckpointCommandParts): CommandHandlers<CheckpointsCommandId> {
  const open = (run: CommandRun, argument: unknown): Chosen => {
    const file = activeFile(argument);
    run.setErrorContext({ tenantId: file.tenantId, workspaceId: file.workspaceId });
    return { file, history: new CheckpointHistory(parts.files, parts.storage, file) };
  };
  return {
    "platformWorkbench.createCheckpoint": async (run, argument) => {
      const { file, history } = open(run, argument);
      const isDirty = isUnsavedAt(file.uri.authority, file.path);
      const when = momentOf({ type: "checkpoint", checkpoint: await history.create() });
      void showInformation(
        isDirty
          ? vscode.l10n.t("Created a checkpoint of {0}, {1}. It doesn't contain your unsaved changes.", file.name, when)
          : vscode.l10n.t("Created a checkpoint of {0}, {1}.", file.name, when),
      );
    },
    "platformWorkbench.listCheckpoints": async (run, argument) => {
      const { file, history } = open(run, argument);
      const entry = await pickEntry(file, history, vscode.l10n.t("Checkpoints of {0}", file.name));
      await actOn(file, history, entry);
    },
    "platformWorkbench.restoreCheckpoint": async (run, argument) => {
      const { file, history } = open(run, argument);
      const entry = await pickEntry(file, history, vscode.l10n.t("Restore a Checkpoint of {0}", file.name));
      await restore(file, history, entry);
    },
    "platformWorkbench.compareCheckpoint": async (run, argument) => {
      const { file, history } = open(run, argument);
      const entry = await pickEntry(file, history, vscode.l10n.t("Compare {0} with a Checkpoint", file.name));
      await compare(file, history, entry);
    },
  };
}

interface Chosen {
  readonly file: ActiveFile;
  readonly history: CheckpointHistory;
}

async function actOn(file: ActiveFile, history: CheckpointHistory, entry: HistoryEntry): Promise<void> {
  const actions = [
    { label: vscode.l10n.t("Compare"), iconPath: new vscode.ThemeIcon("diff"), act: compare },
    { label: vscode.l10n.t("Restore…"), iconPath: new vscode.ThemeIcon("discard"), act: restore },
    { label: vscode.l10n.t("Delete…"), iconPath: new vscode.ThemeIcon("trash"), act: remove },
  ] as const;
  const chosen = await unlessCanceled(
    pickItem(actions, { title: vscode.l10n.t("Checkpoint of {0}, {1}", file.name, momentOf(entry)) }),
  );
  await chosen?.act(file, history, entry);
}

/** Compares an entry with the current text or notebook in the editor's diff editor. */
async function compare(file: ActiveFile, history: CheckpointHistory, entry: HistoryEntry): Promise<void> {
  const bytes = await contentOf(file, history, entry);
  const title = vscode.l10n.t("{0}: {1} ↔ now", file.name, momentOf(entry));
  await vscode.commands.executeCommand("vscode.diff", snapshotOf(file.uri, bytes), file.uri, title);
}

async function contentOf(file: ActiveFile, history: CheckpointHistory, entry: HistoryEntry): Promise<Uint8Array> {
  try {
    return await history.content(entry);
  } catch (error) {
    if (!(error instanceof UnreadableCheckpoint) || entry.type !== "checkpoint") {
      throw error;
    }
  }
  await confirm({
    question: vscode.l10n.t("Temporarily restore {0} to read the checkpoint?", file.name),
    consequence: vscode.l10n.t(
      "This server doesn't return the content of checkpoints. To read it, {0} is briefly restored to the checkpoint and then set back to its current content, byte for byte. The current content is also saved on this computer. Meanwhile, kernels and other people see the checkpoint's content.",
      file.path,
    ),
    action: vscode.l10n.t("Read Checkpoint"),
  });
  return history.readThroughFile(entry.checkpoint);
}

async function restore(file: ActiveFile, history: CheckpointHistory, entry: HistoryEntry): Promise<void> {
  const isDirty = isUnsavedAt(file.uri.authority, file.path);
  const replaces = vscode.l10n.t(
    "This replaces {0} on the server. The current content is saved on this computer, and Undo restores it.",
    file.path,
  );
  const stays = vscode.l10n.t("Unsaved changes stay in the editor. You are asked again when you save them.");
  await confirm({
    question: vscode.l10n.t("Restore the checkpoint of {0} from {1}?", file.name, momentOf(entry)),
    consequence: isDirty ? `${replaces} ${stays}` : replaces,
    action: vscode.l10n.t("Restore"),
  });
  const restored = await history.restore(entry);
  void offerUndo(file, history, entry, restored);
}

async function offerUndo(
  file: ActiveFile,
  history: CheckpointHistory,
  entry: HistoryEntry,
  restored: Restored,
): Promise<void> {
  const undo = vscode.l10n.t("Undo");
  const showChanges = vscode.l10n.t("Compare");
  const chosen = await showInformation(restoredText(file.name, entry), undo, showChanges);
  try {
    if (chosen === undo) {
      await history.undo(restored);
    } else if (chosen === showChanges) {
      const title = vscode.l10n.t("{0}: before the restore ↔ now", file.name);
      await vscode.commands.executeCommand("vscode.diff", snapshotOf(file.uri, restored.before), file.uri, title);
    }
  } catch (error) {
    void showError(errorText(error));
  }
}

function restoredText(name: string, entry: HistoryEntry): string {
  const time = timeToday(entryTime(entry), vscode.env.language);
  return time === undefined
    ? vscode.l10n.t("Restored {0} to its checkpoint from {1}.", name, momentOf(entry))
    : vscode.l10n.t("Restored {0} to its {1} checkpoint.", name, time);
}

async function remove(file: ActiveFile, history: CheckpointHistory, entry: HistoryEntry): Promise<void> {
  await confirm({
    question: vscode.l10n.t("Delete the checkpoint of {0} from {1}?", file.name, momentOf(entry)),
    consequence: vscode.l10n.t("The file itself isn't changed."),
    action: vscode.l10n.t("Delete"),
  });
  await history.delete(entry);
}
