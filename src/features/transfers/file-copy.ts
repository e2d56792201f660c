import pLimit from "p-limit";
import * as vscode from "vscode";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { chunkedSaveBytes } from "../../file-system/session/size-limits.ts";
import type { TransferControl } from "../../file-system/transfer/long-transfers.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import type { TransferFile } from "./plan.ts";

export type StreamedFiles = Pick<PlatformFileSystem, "download" | "upload">;

/** Large notebooks are sent as a whole. Only one of them is in memory at a time. */
const inMemory = pLimit(1);

/**
 * Copies a file between this computer and a workspace. A large one is copied in parts. Other combinations, such as a
 * file of a remote computer, are copied by the editor as a whole.
 */
export function copyFile(
  files: StreamedFiles,
  { from, to, size }: Pick<TransferFile, "from" | "to" | "size">,
  control: TransferControl,
): PromiseLike<void> {
  if (from.scheme === scheme && to.scheme === "file") {
    return files.download(from, to.fsPath, control);
  }
  if (from.scheme === "file" && to.scheme === scheme && size > chunkedSaveBytes) {
    const upload = (): Promise<void> => files.upload(from.fsPath, to, control);
    return isNotebookPath(to.path) ? inMemory(upload) : upload();
  }
  return vscode.workspace.fs.readFile(from).then((content) => vscode.workspace.fs.writeFile(to, content));
}
