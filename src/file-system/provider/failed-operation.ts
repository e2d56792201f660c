import type * as vscode from "vscode";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { missingAccess } from "../errors.ts";
import { documentAt } from "../session/open-documents.ts";

/** What a failed operation was about, for whoever offers a way out. */
export interface FailedOperation {
  readonly uri: vscode.Uri;
  readonly action: "look" | "read" | "save" | "change";
  readonly error: unknown;
}

/** The save of an editor that succeeds once the person has done something. The editor shows its failure itself. */
export interface BlockedSave {
  readonly uri: vscode.Uri;
  readonly problem: "start" | "token" | "signedOut";
  readonly error: unknown;
}

/** The operation as the blocked save of an editor, which begins with a look; undefined where it is something else. */
export function blockedSave({ uri, action, error }: FailedOperation): BlockedSave | undefined {
  const problem = missingAccess(error);
  if (problem !== "start" && problem !== "token" && problem !== "signedOut") {
    return undefined;
  }
  const isOfEditor =
    (action === "save" || action === "look") && documentAt(uri.authority, addressOf(uri).path)?.isDirty === true;
  return isOfEditor ? { uri, problem, error } : undefined;
}
