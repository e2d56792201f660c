import * as vscode from "vscode";

type CopiedFileSystem = Pick<vscode.FileSystemProvider, "stat" | "readFile" | "writeFile" | "createDirectory"> & {
  /** Rejects if the folder can't be listed. */
  listDirectory(uri: vscode.Uri): Promise<readonly [string, vscode.FileType][]>;
};

/** Copies a file or folder to another workspace through the editor, because the servers are not connected. */
export async function copyToOtherWorkspace(
  files: CopiedFileSystem,
  from: vscode.Uri,
  to: vscode.Uri,
  options: { readonly overwrite: boolean },
): Promise<void> {
  const status = await files.stat(from);
  if (status.type !== vscode.FileType.Directory) {
    await files.writeFile(to, await files.readFile(from), { create: true, overwrite: options.overwrite });
    return;
  }
  await files.createDirectory(to);
  for (const [name] of await files.listDirectory(from)) {
    await copyToOtherWorkspace(files, vscode.Uri.joinPath(from, name), vscode.Uri.joinPath(to, name), options);
  }
}
