import { homedir } from "node:os";
import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { fileName } from "../../ui/documents/document-address.ts";
import { filesText } from "../../ui/format/counts.ts";
import { type WorkspaceChoiceParts, workspaceInView } from "../../ui/quick-input/workspace-choice.ts";
import type { TransfersCommandId } from "./declarations.ts";
import { planOf, transferFolders } from "./plan.ts";
import { showOutcome, transfer } from "./transfer.ts";

interface TransferParts extends WorkspaceChoiceParts {
  readonly files: PlatformFileSystem;
  readonly log: ExtensionLog;
}

/** Commands that copy files and folders between a workspace and the computer that the editor's dialogs show. */
export function transferCommands(parts: TransferParts): CommandHandlers<TransfersCommandId> {
  const uploadFiles: Handler = (run, argument) => upload(parts, run, argument, "files");
  const uploadFolder: Handler = (run, argument) => upload(parts, run, argument, "folders");
  const toComputer: Handler = (run, argument, selection) => download(parts, run, argument, selection);
  const archive: Handler = (run, argument) => downloadArchive(parts, run, argument);
  return {
    "platformWorkbench.uploadFiles": uploadFiles,
    "platformWorkbench.uploadFolder": uploadFolder,
    "platformWorkbench.download": toComputer,
    "platformWorkbench.downloadArchive": archive,
    "platformWorkbench.uploadFilesFromServer": uploadFiles,
    "platformWorkbench.uploadFolderFromServer": uploadFolder,
    "platformWorkbench.downloadToServer": toComputer,
    "platformWorkbench.downloadArchiveToServer": archive,
  };
}

type Handler = CommandHandlers<TransfersCommandId>[TransfersCommandId];

/** Titles of the editor's dialogs, which name the computer that the dialogs show. */
function titles() {
  return vscode.env.uiKind === vscode.UIKind.Web
    ? {
        files: vscode.l10n.t("Upload Files from the Editor's Server"),
        folders: vscode.l10n.t("Upload Folder from the Editor's Server"),
        download: vscode.l10n.t("Download to the Editor's Server"),
        archive: vscode.l10n.t("Download Folder as ZIP to the Editor's Server"),
      }
    : {
        files: vscode.l10n.t("Upload Files"),
        folders: vscode.l10n.t("Upload Folder"),
        download: vscode.l10n.t("Download to This Computer"),
        archive: vscode.l10n.t("Download Folder as ZIP"),
      };
}

async function upload(
  parts: TransferParts,
  run: CommandRun,
  argument: unknown,
  what: "files" | "folders",
): Promise<void> {
  const title = titles()[what];
  const target = await folderFor(parts, run, argument, title);
  const sources = await vscode.window.showOpenDialog({
    title,
    openLabel: vscode.l10n.t("Upload"),
    canSelectMany: true,
    canSelectFiles: what === "files",
    canSelectFolders: what === "folders",
  });
  if (sources === undefined || sources.length === 0) {
    throw new vscode.CancellationError();
  }
  const folders = transferFolders(parts.files);
  const plan = await planOf(sources, target.uri, folders);
  await transfer(
    plan,
    {
      running: vscode.l10n.t("Uploading {0} to {1}", filesText(plan.files.length), target.name),
      replace: (files) => vscode.l10n.t("Replace {0} in {1}?", files, target.name),
      done: (files, bytes) => vscode.l10n.t("Uploaded {0} ({1}) to {2}.", files, bytes, target.name),
    },
    parts,
  );
  // The Explorer has no event for a folder that was created by someone else.
  await vscode.commands.executeCommand("workbench.files.action.refreshFilesExplorer");
}

async function download(
  parts: TransferParts,
  run: CommandRun,
  argument: unknown,
  selection: readonly unknown[],
): Promise<void> {
  const chosen = selection.filter((one) => one instanceof vscode.Uri && one.scheme === scheme) as vscode.Uri[];
  const title = titles().download;
  const sources = chosen.length > 0 ? chosen : [(await folderFor(parts, run, argument, title)).uri];
  const [into] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: vscode.l10n.t("Download Here"),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (into === undefined) {
    throw new vscode.CancellationError();
  }
  const folders = transferFolders(parts.files);
  const plan = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Listing files to download") },
    () => planOf(sources, into, folders),
  );
  await transfer(
    plan,
    {
      running: vscode.l10n.t("Downloading {0}", filesText(plan.files.length)),
      replace: (files) => vscode.l10n.t("Replace {0} in {1}?", files, into.fsPath),
      done: (files, bytes) => vscode.l10n.t("Downloaded {0} ({1}) to {2}.", files, bytes, into.fsPath),
    },
    parts,
  );
}

async function downloadArchive(parts: TransferParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = titles().archive;
  const folder = await folderFor(parts, run, argument, title);
  const target = await vscode.window.showSaveDialog({
    title,
    filters: { [vscode.l10n.t("ZIP archives")]: ["zip"] },
    defaultUri: vscode.Uri.joinPath(vscode.Uri.file(homedir()), `${fileName(folder.name)}.zip`),
  });
  if (target === undefined) {
    throw new vscode.CancellationError();
  }
  const { archiveFolder } = await import("./folder-archive.ts");
  const { count, bytes, ...changes } = await withCancellableProgress(
    vscode.l10n.t("Packing {0}", folder.name),
    (signal, report) => archiveFolder(folder.uri, target, parts.files, report, signal),
  );
  await showOutcome(
    vscode.l10n.t("Saved {0} ({1}) in {2}.", filesText(count), bytes, target.fsPath),
    changes,
    false,
    parts.log,
  );
}

/** The folder of a menu or the active editor, which is the file's folder for a file, or a workspace's root. */
async function folderFor(
  parts: TransferParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<{ readonly uri: vscode.Uri; readonly name: string }> {
  const { tenantId, workspaceId } = await workspaceInView(parts, run, argument, title);
  const uri = argument instanceof vscode.Uri && argument.scheme === scheme ? argument : uriOf(tenantId, workspaceId);
  const { path } = addressOf(uri);
  return { uri, name: path === "" ? parts.connections.nameOf(tenantId, workspaceId) : nameOf(path) };
}
