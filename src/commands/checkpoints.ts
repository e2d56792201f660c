import * as vscode from "vscode";
import type { Checkpoint } from "../api/models/contents.ts";
import { documentAt } from "../files/editor-documents.ts";
import { FileCheckpoints } from "../notebooks/checkpoints.ts";
import type { Connections } from "../tenants/connections.ts";
import { absoluteDate, relativeDate } from "../views/dates.ts";
import { type ActiveFile, activeFile } from "./active-file.ts";
import type { CommandHandlers, CommandRun } from "./command-runner.ts";

export interface CheckpointCommandParts {
  readonly connections: Connections;
  /** The file is another one on the server now. */
  readonly changed: (uri: vscode.Uri) => void;
}

export type CheckpointCommandId =
  | "platformWorkbench.createCheckpoint"
  | "platformWorkbench.listCheckpoints"
  | "platformWorkbench.restoreCheckpoint";

/** Checkpoints of the active file: create, list, restore, delete. */
export function checkpointCommands(parts: CheckpointCommandParts): Pick<CommandHandlers, CheckpointCommandId> {
  return {
    "platformWorkbench.createCheckpoint": async (run, argument) => {
      const { file, checkpoints } = await open(parts, run, argument);
      const isDirty = documentAt(file.uri.authority, file.path)?.isDirty ?? false;
      const created = await checkpoints.create();
      const when = dateOf(created);
      void vscode.window.showInformationMessage(
        isDirty
          ? vscode.l10n.t(
              "Checkpoint of {0} as last saved, {1}. It has unsaved changes, which are not in it.",
              file.name,
              when,
            )
          : vscode.l10n.t("Checkpoint of {0}, {1}.", file.name, when),
      );
    },
    "platformWorkbench.listCheckpoints": async (run, argument) => {
      const { file, checkpoints } = await open(parts, run, argument);
      const chosen = await pickCheckpoint(file, checkpoints, vscode.l10n.t("Checkpoints of {0}", file.name));
      await actOn(parts, file, checkpoints, chosen);
    },
    "platformWorkbench.restoreCheckpoint": async (run, argument) => {
      const { file, checkpoints } = await open(parts, run, argument);
      const chosen = await pickCheckpoint(file, checkpoints, vscode.l10n.t("Restore a Checkpoint of {0}", file.name));
      await restore(parts, file, checkpoints, chosen);
    },
  };
}

async function open(
  { connections }: CheckpointCommandParts,
  run: CommandRun,
  argument: unknown,
): Promise<{ readonly file: ActiveFile; readonly checkpoints: FileCheckpoints }> {
  const file = activeFile(argument);
  run.concerns({ tenantId: file.tenantId, workspaceId: file.workspaceId });
  const client = await connections.content(file.tenantId, file.workspaceId);
  return { file, checkpoints: new FileCheckpoints(client, file.path) };
}

async function pickCheckpoint(file: ActiveFile, checkpoints: FileCheckpoints, title: string): Promise<Checkpoint> {
  const list = checkpoints.list();
  const items = list.then((all) => {
    if (all.length === 0) {
      throw new Error(
        vscode.l10n.t("{0} has no checkpoints yet. Create one with Platform: Create Checkpoint.", file.name),
      );
    }
    return all.map((checkpoint) => ({
      label: relativeDate(checkpoint.last_modified, vscode.l10n.t) ?? vscode.l10n.t("Without a date"),
      description: absoluteDate(checkpoint.last_modified, vscode.env.language) ?? "",
      iconPath: new vscode.ThemeIcon("history"),
      checkpoint,
    }));
  });
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen === undefined) {
    // A listing that failed is an error; one that was put away is none.
    await items;
    throw new vscode.CancellationError();
  }
  return chosen.checkpoint;
}

async function actOn(
  parts: CheckpointCommandParts,
  file: ActiveFile,
  checkpoints: FileCheckpoints,
  checkpoint: Checkpoint,
): Promise<void> {
  const actions = [
    { label: vscode.l10n.t("Restore…"), iconPath: new vscode.ThemeIcon("discard"), action: "restore" },
    { label: vscode.l10n.t("Delete…"), iconPath: new vscode.ThemeIcon("trash"), action: "delete" },
  ] as const;
  const chosen = await vscode.window.showQuickPick(actions, {
    title: vscode.l10n.t("Checkpoint of {0}, {1}", file.name, dateOf(checkpoint)),
  });
  if (chosen?.action === "restore") {
    await restore(parts, file, checkpoints, checkpoint);
  } else if (chosen?.action === "delete") {
    await remove(file, checkpoints, checkpoint);
  }
}

async function restore(
  { changed }: CheckpointCommandParts,
  file: ActiveFile,
  checkpoints: FileCheckpoints,
  checkpoint: Checkpoint,
): Promise<void> {
  const isDirty = documentAt(file.uri.authority, file.path)?.isDirty ?? false;
  const question = vscode.l10n.t("Restore the checkpoint of {0} from {1}?", file.name, dateOf(checkpoint));
  const detail = isDirty
    ? vscode.l10n.t(
        "It replaces {0} on the server. The unsaved changes in the editor stay there, and saving them asks again.",
        file.path,
      )
    : vscode.l10n.t("It replaces {0} on the server.", file.path);
  const confirm = vscode.l10n.t("Restore");
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm)) !== confirm) {
    throw new vscode.CancellationError();
  }
  await checkpoints.restore(checkpoint);
  changed(file.uri);
}

async function remove(file: ActiveFile, checkpoints: FileCheckpoints, checkpoint: Checkpoint): Promise<void> {
  const question = vscode.l10n.t("Delete the checkpoint of {0} from {1}?", file.name, dateOf(checkpoint));
  const detail = vscode.l10n.t("The file itself stays as it is.");
  const confirm = vscode.l10n.t("Delete");
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm)) !== confirm) {
    throw new vscode.CancellationError();
  }
  await checkpoints.delete(checkpoint);
}

function dateOf({ last_modified: time }: Checkpoint): string {
  return absoluteDate(time, vscode.env.language) ?? vscode.l10n.t("without a date");
}
