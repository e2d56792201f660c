import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { addressOf, siblingUri } from "../../tenants/workspace-uri.ts";
import { type FolderTree, refuseIncomplete } from "../read/tree-reader.ts";

type CopiedFileSystem = Pick<vscode.FileSystemProvider, "readFile" | "writeFile" | "createDirectory"> & {
  /** Rejects if the folder can't be listed. */
  listTree(uri: vscode.Uri, options: { readonly signal: AbortSignal }): Promise<FolderTree>;
};

/** Milliseconds after which the progress is shown. */
const showsAfter = 500;
/**
 * Copies a file or folder to another workspace through the editor, because the servers are not connected. Shows
 * cancellable progress if it takes a while. Files that were copied before a cancellation remain.
 */
export async function copyToOtherWorkspace(
  files: CopiedFileSystem,
  from: vscode.Uri,
  to: vscode.Uri,
  options: { readonly overwrite: boolean },
): Promise<void> {
  let copied = 0;
  const stop = new AbortController();
  let show = (): void => {};
  const throwIfCanceled = (): void => {
    if (stop.signal.aborted) {
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t("Copying {0} was canceled. {1}.", nameOf(from.path), copiedText(copied)),
      );
    }
  };
  const copyTree = async (): Promise<void> => {
    const { path } = addressOf(from);
    const tree = await files.listTree(from, { signal: stop.signal }).catch((error: unknown) => {
      throwIfCanceled();
      throw error;
    });
    refuseIncomplete(path, tree.leftOut);
    for (const item of tree.items) {
      throwIfCanceled();
      const target = siblingUri(to, `${addressOf(to).path}${item.path.slice(path.length)}`);
      if (item.type === "directory") {
        await files.createDirectory(target);
        continue;
      }
      const content = await files.readFile(siblingUri(from, item.path));
      await files.writeFile(target, content, { create: true, overwrite: options.overwrite });
      copied += 1;
      show();
    }
  };
  const working = copyTree();
  const timer = setTimeout(() => {
    const title = withoutLinks(vscode.l10n.t("Copying {0}", nameOf(from.path)));
    const location = vscode.ProgressLocation.Notification;
    void vscode.window.withProgress({ location, cancellable: true, title }, (progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      show = () => progress.report({ message: copiedText(copied) });
      show();
      return working.catch(() => undefined);
    });
  }, showsAfter);
  try {
    await working;
  } finally {
    clearTimeout(timer);
  }
}

function copiedText(files: number): string {
  return files === 1 ? vscode.l10n.t("1 file copied") : vscode.l10n.t("{0} files copied", files);
}
