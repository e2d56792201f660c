import type * as vscode from "vscode";

/** The start of the keys under which the last known kernels of workspaces are stored; their authority follows. */
export const specsKey = "kernels.specs/";

/** Deletes the stored kernels of a tenant's workspaces, which another account may not be allowed to see. */
export async function deleteSpecs(state: vscode.Memento, tenantId: string): Promise<void> {
  const keys = state.keys().filter((key) => key.startsWith(specsKey) && key.endsWith(`.${tenantId}`));
  await Promise.all(keys.map((key) => state.update(key, undefined)));
}
