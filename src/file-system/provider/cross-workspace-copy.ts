import * as vscode from "vscode";

type CopiedFileSystem = Pick<vscode.FileSystemProvider, "stat" | "readFile" | "writeFile" | "createDirectory"> & {
  /** Fails where a folder cannot be listed at this moment. */
  listDirectory(uri: vscode.Uri): Promise<readonly [string, vscode.FileType][]>;
};

/** Copies a file or a folder to another workspace, through the editor: their servers do not know each other. */
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
