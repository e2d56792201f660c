import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { withoutLinks } from "../../tenants/messages.ts";

type CopiedFileSystem = Pick<vscode.FileSystemProvider, "stat" | "readFile" | "writeFile" | "createDirectory"> & {
  /** Rejects if the folder can't be listed. */
  listDirectory(uri: vscode.Uri): Promise<readonly [string, vscode.FileType][]>;
};

/** Milliseconds after which the progress is shown. */
const showsAfter = 500;
/** Maximum folder depth. Content servers have no such limit, but a faulty one could list folders endlessly. */
const deepest = 100;

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
  let isCanceled = false;
  let show = (): void => {};
  const copyItem = async (source: vscode.Uri, target: vscode.Uri, type: vscode.FileType, depth = 0): Promise<void> => {
    if (isCanceled) {
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t("Copying {0} was canceled. {1}.", nameOf(from.path), copiedText(copied)),
      );
    }
    if (type !== vscode.FileType.Directory) {
      await files.writeFile(target, await files.readFile(source), { create: true, overwrite: options.overwrite });
      copied += 1;
      show();
      return;
    }
    if (depth >= deepest) {
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t("Can't copy {0}: its folders are nested more than {1} levels deep.", nameOf(from.path), deepest),
      );
    }
    await files.createDirectory(target);
    for (const [name, childType] of await files.listDirectory(source)) {
      await copyItem(vscode.Uri.joinPath(source, name), vscode.Uri.joinPath(target, name), childType, depth + 1);
    }
  };
  const { type } = await files.stat(from);
  const working = copyItem(from, to, type);
  const timer = setTimeout(() => {
    const title = withoutLinks(vscode.l10n.t("Copying {0}", nameOf(from.path)));
    const location = vscode.ProgressLocation.Notification;
    void vscode.window.withProgress({ location, cancellable: true, title }, (progress, token) => {
      token.onCancellationRequested(() => {
        isCanceled = true;
      });
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
