import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { FolderEntries, SkippedFile, TransferFile, TransferPlan } from "./transfer.ts";

/**
 * What is in a file or folder, to be brought below a target: every file with its size, folders parents first. What is
 * neither, as a socket, and links to folders (they may lead in circles) are left out.
 */
export async function planOf(
  sources: readonly vscode.Uri[],
  target: vscode.Uri,
  entriesOf: FolderEntries,
): Promise<TransferPlan> {
  const files: TransferFile[] = [];
  const folders: vscode.Uri[] = [];
  const skipped: SkippedFile[] = [];
  const take = async (from: vscode.Uri, to: vscode.Uri, name: string, type: vscode.FileType): Promise<void> => {
    const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
    if ((type & vscode.FileType.Directory) !== 0) {
      if (isLink) {
        skipped.push({ name, reason: vscode.l10n.t("it is a link to a folder") });
        return;
      }
      folders.push(to);
      for (const [child, childType] of await entriesOf(from)) {
        await take(vscode.Uri.joinPath(from, child), vscode.Uri.joinPath(to, child), `${name}/${child}`, childType);
      }
    } else if ((type & vscode.FileType.File) !== 0) {
      const { size } = await vscode.workspace.fs.stat(from);
      files.push({ from, to, name, size });
    } else {
      skipped.push({ name, reason: vscode.l10n.t("it is no file") });
    }
  };
  for (const source of sources) {
    const name = nameOf(source.path);
    const { type } = await vscode.workspace.fs.stat(source);
    await take(source, vscode.Uri.joinPath(target, name), name, type);
  }
  return { files, folders, skipped };
}
