import * as vscode from "vscode";
import { addressOf, scheme } from "./address.ts";
import { fileSystemError } from "./file-errors.ts";
import type { PlatformFileSystem } from "./platform-file-system.ts";

const serverScheme = "platform-server-version";

/** The address under which a file can be seen as the server has it now, beside the editor's own copy. */
export function serverVersionOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: serverScheme });
}

/** Read-only documents of what the server has now. Looking at one never counts as reading the file for editing. */
export function registerServerVersions(files: PlatformFileSystem): vscode.Disposable {
  const original = (uri: vscode.Uri): vscode.Uri => uri.with({ scheme });
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const never = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: never.event,
    watch: () => new vscode.Disposable(() => {}),
    stat: (uri) => files.stat(original(uri)),
    readDirectory: () => [],
    readFile: async (uri) => {
      const { tenantId, workspaceId, path } = addressOf(original(uri));
      try {
        return await files.workspace(tenantId, workspaceId).reading.peek(path);
      } catch (error) {
        throw fileSystemError(error, uri);
      }
    },
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    never,
    vscode.workspace.registerFileSystemProvider(serverScheme, provider, { isReadonly: true, isCaseSensitive: true }),
  );
}
