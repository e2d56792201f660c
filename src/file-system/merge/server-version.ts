import { LRUCache } from "lru-cache";
import * as vscode from "vscode";
import { addressOf, scheme, splitAuthority } from "../../tenants/workspace-uri.ts";
import { fileSystemError } from "../editor-errors.ts";

const serverScheme = "platform-server-version";
/** Maximum number of stored snapshots. Beyond it, the comparison that was shown least recently becomes empty. */
const maxSnapshots = 40;

const snapshots = new LRUCache<string, { readonly bytes: Uint8Array; readonly at: number }>({ max: maxSnapshots });

/** The URI of a read-only document with the server's current version of a file. */
export function serverVersionOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: serverScheme });
}

/**
 * The URI of a read-only document with these bytes as a version of a file. Kept until the window closes, or until there
 * are too many.
 */
export function snapshotOf(uri: vscode.Uri, bytes: Uint8Array): vscode.Uri {
  const at = Date.now();
  const snapshot = uri.with({ scheme: serverScheme, query: `snapshot=${crypto.randomUUID()}` });
  snapshots.set(snapshot.toString(), { bytes, at });
  return snapshot;
}

/** Deletes the snapshots of a tenant's files. */
export function deleteSnapshots(tenantId: string): void {
  for (const snapshot of [...snapshots.keys()]) {
    if (splitAuthority(vscode.Uri.parse(snapshot).authority)?.tenantId === tenantId) {
      snapshots.delete(snapshot);
    }
  }
}

/** The files whose server versions can be shown. */
interface ServerFiles {
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  workspace(
    tenantId: string,
    workspaceId: string,
  ): { readonly contents: { peek(path: string): Promise<{ readonly bytes: Uint8Array }> } };
}

/**
 * Registers read-only documents for server versions and snapshots. Reading them doesn't change the base version of the
 * editor's copy.
 */
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
        throw fileSystemError(error);
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
