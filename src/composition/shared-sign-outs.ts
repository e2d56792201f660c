import * as vscode from "vscode";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";

type Secrets = Pick<TenantSecrets, "onDidSignOutHere" | "signedOutElsewhere">;

/**
 * Signs out in the other windows, too. The editor notifies them about secrets in its storage, but the secrets of
 * provided tenants are in memory, and in a browser, each page has its own storage. Therefore, each sign-out changes a
 * file in the extension's storage.
 */
export async function shareSignOuts(
  secrets: Secrets,
  storage: vscode.Uri,
  onFailed: (error: unknown) => void,
): Promise<vscode.Disposable> {
  const folder = vscode.Uri.joinPath(storage, "signed-out");
  await vscode.workspace.fs.createDirectory(folder);
  /** The values that this window wrote, by tenant. */
  const written = new Map<string, string>();
  const write = async (tenantId: string): Promise<void> => {
    const mark = crypto.randomUUID();
    written.set(tenantId, mark);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, tenantId), Buffer.from(mark));
  };
  const changed = async (file: vscode.Uri): Promise<void> => {
    const tenantId = file.path.slice(file.path.lastIndexOf("/") + 1);
    const mark = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
    if (mark !== written.get(tenantId)) {
      await secrets.signedOutElsewhere(tenantId, vscode.env.uiKind === vscode.UIKind.Web);
    }
  };
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, "*"), false, false, true);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate((file) => void changed(file).catch(onFailed)),
    watcher.onDidChange((file) => void changed(file).catch(onFailed)),
    secrets.onDidSignOutHere((tenantId) => void write(tenantId).catch(onFailed)),
  );
}
