import type * as vscode from "vscode";
import { PlatformError } from "../../api/http/errors.ts";
import type { Text } from "../../api/phrase.ts";
import { type AccessObstacle, accessObstacle } from "../../tenants/access-obstacle.ts";
import { type AccessRemedy, remedyOf } from "../../tenants/access-remedy.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { documentAt, isUnsavedAt } from "../session/editor-documents.ts";

/** A failed operation, with the information that is needed to offer a remedy. */
export interface FailedOperation {
  readonly uri: vscode.Uri;
  readonly action: "look" | "read" | "save" | "change";
  readonly error: unknown;
}

/** The remedies after which a failed save succeeds. */
type SaveRemedy = AccessRemedy & { readonly type: "start" | "enterToken" | "signIn" };

/**
 * A failed save that is repeated: after the user takes action (`remedy`), or when the server responds again. The editor
 * itself shows the failure.
 */
export type BlockedSave =
  | { readonly uri: vscode.Uri; readonly obstacle: AccessObstacle; readonly remedy: SaveRemedy }
  | { readonly uri: vscode.Uri; readonly remedy: "none"; readonly reason: Text };

/** True for operations that are part of saving unsaved changes: the `stat` before the save, and the save. */
export function isEditorSave({ uri, action }: FailedOperation): boolean {
  const isPart = action === "save" || action === "look";
  return isPart && isUnsavedAt(uri.authority, addressOf(uri).path);
}

/** The remedy for a failed operation; undefined if the user can't resolve the failure. */
export function operationRemedy({ uri, error }: FailedOperation): AccessRemedy | undefined {
  const obstacle = accessObstacle(error);
  return obstacle === undefined ? undefined : remedyOf(obstacle, addressOf(uri));
}

/**
 * The blocked save that an operation belongs to; undefined for other failures. A save begins with a `stat`. The editor
 * also saves an open file without changes if the user asks for it, but a `stat` of such a file can have other reasons.
 */
export function blockedSave(operation: FailedOperation): BlockedSave | undefined {
  const { uri, action, error } = operation;
  const isOfOpenFile = action === "save" && documentAt(uri.authority, addressOf(uri).path) !== undefined;
  if (!isOfOpenFile && !isEditorSave(operation)) {
    return undefined;
  }
  const obstacle = accessObstacle(error);
  const remedy = saveRemedy(operation);
  if (obstacle !== undefined && remedy !== undefined) {
    return { uri, obstacle, remedy };
  }
  return isOutage(obstacle) && error instanceof PlatformError
    ? { uri, remedy: "none", reason: error.parts.reason }
    : undefined;
}

/** True if an operation succeeds when the server responds again, without an action of the user. */
function isOutage(obstacle: AccessObstacle | undefined): boolean {
  return obstacle?.type === "unreachable" && !obstacle.isProxyProblem;
}

/** True if saves of this workspace fail until the user takes action, or until its server responds again. */
export function blocksSaves(operation: FailedOperation): boolean {
  return saveRemedy(operation) !== undefined || isOutage(accessObstacle(operation.error));
}

/** The remedy without which saves fail; undefined for other failures. */
export function saveRemedy(operation: FailedOperation): SaveRemedy | undefined {
  const remedy = operationRemedy(operation);
  switch (remedy?.type) {
    case "start":
    case "enterToken":
    case "signIn":
      return remedy;
    default:
      return undefined;
  }
}
