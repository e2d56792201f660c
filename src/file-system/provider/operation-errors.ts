import type * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import { fileSystemError } from "../editor-errors.ts";
import { type FailedOperation, isStoppedEditor } from "./failed-operation.ts";
import { stoppedSaveError } from "./stopped-saves.ts";

/** The error that the editor gets for a failed operation. It shows that of a save itself, in a message of its own. */
export function operationError(
  { uri, action, error }: FailedOperation,
  connections: Pick<Connections, "nameOf">,
  startCommand: string | undefined,
): vscode.FileSystemError {
  return startCommand !== undefined && action === "save" && isStoppedEditor(uri, error)
    ? stoppedSaveError(uri, connections, startCommand)
    : fileSystemError(error, uri, action === "save" ? "shownByEditor" : "named");
}
