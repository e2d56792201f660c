import type * as vscode from "vscode";

/**
 * Keys of the editor's global state whose entries belong to the account of a tenant: lists of `tenantId/…` or of objects
 * with a `tenantId`, and records by `tenantId/…`.
 */
export const accountKeys = {
  rememberedWorkspaces: "workspaces",
  recentResources: "recentResources",
  notebookIds: "notebookIds",
  dataflowBodies: "dataflowBodies",
  operationBodies: "operationBodies",
  operationParameters: "operationRequests",
  operationsSentRaw: "operationsSentRaw",
  operationHistory: "operationHistory",
  searchedFiles: "searchedFiles",
} as const;

/** Keys of values that a person typed for any tenant, and that are offered again. */
export const typedKeys = { lastSearch: "lastSearch", operationChoices: "operationChoices" } as const;

/**
 * Deletes what the account of a tenant has left in the editor's global state. Another account that signs in may not be
 * allowed to see it. When it returns, nothing of it can be read anymore; resolves when that is stored.
 */
export async function deleteAccountState(state: vscode.Memento, tenantId: string): Promise<void> {
  const left = Object.values(accountKeys).filter((key) => state.get<unknown>(key) !== undefined);
  await Promise.all([
    ...Object.values(typedKeys).map((key) => state.update(key, undefined)),
    ...left.map((key) => state.update(key, withoutTenant(state.get<unknown>(key), tenantId))),
  ]);
}

function withoutTenant(value: unknown, tenantId: string): unknown {
  if (Array.isArray(value)) {
    return value.filter((entry: unknown) => !isOfTenant(entry, tenantId));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !isOfTenant(key, tenantId)))
    : undefined;
}

function isOfTenant(entry: unknown, tenantId: string): boolean {
  if (typeof entry === "string") {
    return entry.startsWith(`${tenantId}/`);
  }
  return typeof entry === "object" && entry !== null && "tenantId" in entry && entry.tenantId === tenantId;
}
