import * as vscode from "vscode";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";

type Secrets = Pick<TenantSecrets, "onDidSignOutHere" | "signedOutElsewhere">;

/**
 * Signs out in the other windows, too. The editor tells them about secrets in its storage, but provided tenants have
 * theirs in memory, and in a browser, each page has a storage of its own. So a file in the extension's storage changes
 * with each time that a tenant is signed out of.
 */
export async function shareSignOuts(
  secrets: Secrets,
  storage: vscode.Uri,
  onFailed: (error: unknown) => void,
): Promise<vscode.Disposable> {
  const folder = vscode.Uri.joinPath(storage, "signed-out");
  await vscode.workspace.fs.createDirectory(folder);
  /** What this window wrote, by tenant. */
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
