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
  const blocked = remedies === undefined ? undefined : blockedSave(operation);
  const { uri, action, error } = operation;
  return remedies !== undefined && blocked !== undefined
    ? blockedSaveError(blocked, connections, remedies)
    : fileSystemError(error, uri, action === "save" ? "shownByEditor" : "named");
}
