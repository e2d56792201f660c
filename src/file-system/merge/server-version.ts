import * as vscode from "vscode";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";

const serverScheme = "platform-server-version";
/** How many snapshots are kept: a comparison that stays open longer is empty after that many others. */
const snapshotsKept = 40;

const snapshots = new Map<string, { readonly bytes: Uint8Array; readonly at: number }>();

/** The address under which a file can be seen as the server has it now, beside the editor's own copy. */
export function serverVersionOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: serverScheme });
}

/** The address under which these bytes can be seen as a read-only version of a file, for as long as the window is open. */
export function snapshotOf(uri: vscode.Uri, bytes: Uint8Array): vscode.Uri {
  const at = Date.now();
  const snapshot = uri.with({ scheme: serverScheme, query: `snapshot=${at}-${snapshots.size}` });
  snapshots.set(snapshot.toString(), { bytes, at });
  for (const oldest of snapshots.keys()) {
    if (snapshots.size > snapshotsKept) {
      snapshots.delete(oldest);
    }
  }
  return snapshot;
}

/** The files whose versions on the server can be seen. */
interface ServerFiles {
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  workspace(
    tenantId: string,
    workspaceId: string,
  ): { readonly contents: { peek(path: string): Promise<{ readonly bytes: Uint8Array }> } };
}

/** Read-only documents of what the server has now, and of snapshots. Looking at one never counts as reading for editing. */
export function registerServerVersions(files: ServerFiles): vscode.Disposable {
  const original = (uri: vscode.Uri): vscode.Uri => uri.with({ scheme, query: "" });
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const snapshotAt = (uri: vscode.Uri): { readonly bytes: Uint8Array; readonly at: number } | undefined => {
    const snapshot = snapshots.get(uri.toString());
    if (snapshot === undefined && uri.query !== "") {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return snapshot;
  };
  const never = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: never.event,
    watch: () => new vscode.Disposable(() => {}),
    stat: (uri) => {
      const snapshot = snapshotAt(uri);
      return snapshot === undefined
        ? files.stat(original(uri))
        : { type: vscode.FileType.File, mtime: snapshot.at, ctime: snapshot.at, size: snapshot.bytes.byteLength };
    },
    readDirectory: () => [],
    readFile: async (uri) => {
      const snapshot = snapshotAt(uri);
      if (snapshot !== undefined) {
        return snapshot.bytes;
      }
      const { tenantId, workspaceId, path } = addressOf(original(uri));
      try {
        return (await files.workspace(tenantId, workspaceId).contents.peek(path)).bytes;
      } catch (error) {
        const { fileSystemError } = await import("../editor-errors.ts");
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
