import * as vscode from "vscode";
import { storeReplacedVersion } from "../features/checkpoints/index.ts";
import { registerServerVersions } from "../file-system/merge/server-version.ts";
import { PlatformFileSystem } from "../file-system/provider/platform-file-system.ts";
import type { Companions } from "../tenants/companions.ts";
import type { Connections } from "../tenants/connections.ts";
import { scheme } from "../tenants/workspace-uri.ts";

/**
 * Creates the file system of workspaces and registers it with the editor. A version that a save replaces is saved as a
 * checkpoint.
 */
export function registerFileSystem(
  connections: Connections,
  companions: Companions,
  context: vscode.ExtensionContext,
): PlatformFileSystem {
  const files: PlatformFileSystem = new PlatformFileSystem(connections, context.workspaceState, {
    companions,
    storage: context.storageUri ?? context.globalStorageUri,
    beforeReplacing: (uri, server) => storeReplacedVersion(files, context.globalStorageUri, uri, server),
  });
  context.subscriptions.push(
    files,
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    registerServerVersions(files),
  );
  return files;
}
