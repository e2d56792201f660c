import type * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import { fileSystemError } from "../editor-errors.ts";
import { blockedSaveError, type SaveRemedies } from "./blocked-saves.ts";
import { blockedSave, type FailedOperation } from "./failed-operation.ts";

/** The error that the editor gets for a failed operation. It shows that of a save itself, in a message of its own. */
export function operationError(
  operation: FailedOperation,
  connections: Pick<Connections, "nameOf" | "tenant">,
  remedies: SaveRemedies | undefined,
): vscode.FileSystemError {
  const blocked = blockedSave(operation);
  if (remedies !== undefined && blocked !== undefined) {
    return blockedSaveError(blocked, connections, remedies);
  }
  const { uri, action, error } = operation;
  return fileSystemError(error, uri, action === "save" ? "shownByEditor" : "named");
}
