import type * as vscode from "vscode";
import { lastingObstacle } from "../../tenants/access-obstacle.ts";
import type { Connections } from "../../tenants/connections.ts";
import { withoutName } from "../../tenants/error-text.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { fileSystemError } from "../editor-errors.ts";
import { ConflictError } from "../errors.ts";
import { unsavedDocuments } from "../session/editor-documents.ts";
import { blockedSaveError, conflictingSaveError } from "./blocked-saves.ts";
import { blockedSave, blocksSaves, type FailedOperation, isEditorSave, operationRemedy } from "./failed-operation.ts";

/** The error for the editor. For a blocked save, it has links, because the editor shows it in its own message. */
export function operationError(
  operation: FailedOperation,
  connections: Pick<Connections, "nameOf" | "tenant">,
): vscode.FileSystemError {
  const { uri, action, error } = operation;
  const blocked = blockedSave(operation);
  if (blocked !== undefined) {
    return withoutName(blockedSaveError(blocked, connections));
  }
  const isSave = isEditorSave(operation);
  if (error instanceof ConflictError && (isSave || error.isUnsaved)) {
    return withoutName(conflictingSaveError(uri, error));
  }
  const translated = fileSystemError(error);
  // The editor includes this text in its own message about the file that the user opens or creates.
  const isQuoted = action === "look" && lastingObstacle(error) !== undefined;
  return isQuoted || (isSave && action === "save") ? withoutName(translated) : translated;
}

/**
 * Whether a folder whose `stat` fails is reported as existing, and whether the failure is still reported. If the `stat`
 * of a file fails during a save, the editor calls `stat` for the folder next. If that also fails, the editor shows the
 * error and never tries to write. If the `stat` of a window's own folder fails, the editor reports that the workspace
 * doesn't exist, even if signing in would help.
 */
export function assumedFolder(failed: FailedOperation): "reported" | "silent" | undefined {
  const { tenantId, workspaceId, path } = addressOf(failed.uri);
  if (path === "") {
    const remedy = operationRemedy(failed)?.type;
    return remedy === "addTenant" || remedy === "signIn" ? "reported" : undefined;
  }
  const isOfBlockedSave =
    blocksSaves(failed) &&
    unsavedDocuments(tenantId, workspaceId).some(({ uri }) => addressOf(uri).path.startsWith(`${path}/`));
  return isOfBlockedSave ? "silent" : undefined;
}
