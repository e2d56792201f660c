import type * as vscode from "vscode";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { missingAccess } from "../errors.ts";
import { documentAt, isUnsavedAt } from "../session/editor-documents.ts";

/** A failed operation, with the information that is needed to offer a remedy. */
export interface FailedOperation {
  readonly uri: vscode.Uri;
  readonly action: "look" | "read" | "save" | "change";
  readonly error: unknown;
}

/** A failed save that will succeed after the user takes action. The editor itself shows the failure. */
export interface BlockedSave {
  readonly uri: vscode.Uri;
  readonly problem: "start" | "token" | "signedOut";
  readonly error: unknown;
}

/** True for operations that are part of saving unsaved changes: the `stat` before the save, and the save. */
export function isEditorSave({ uri, action }: FailedOperation): boolean {
  const isPart = action === "save" || action === "look";
  return isPart && isUnsavedAt(uri.authority, addressOf(uri).path);
}

/**
 * The blocked save that an operation belongs to; undefined for other failures. A save begins with a `stat`. The editor
 * also saves an open file without changes if the user asks for it, but a `stat` of such a file can have other reasons.
 */
export function blockedSave(operation: FailedOperation): BlockedSave | undefined {
  const { uri, error } = operation;
  const problem = blockingProblem(error);
  if (problem === undefined) {
    return undefined;
  }
  const isOfOpenFile = operation.action === "save" && documentAt(uri.authority, addressOf(uri).path) !== undefined;
  return isOfOpenFile || isEditorSave(operation) ? { uri, problem, error } : undefined;
}

/** The problem that blocks a save until the user takes action; undefined for other failures. */
export function blockingProblem(error: unknown): BlockedSave["problem"] | undefined {
  const problem = missingAccess(error);
  return problem === "start" || problem === "token" || problem === "signedOut" ? problem : undefined;
}
