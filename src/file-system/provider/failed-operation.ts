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

/** True when what failed for want of a running workspace is the save of an editor, whose failure the editor shows itself. */
export function isStoppedEditor(uri: vscode.Uri, error: unknown): boolean {
  return missingAccess(error) === "start" && documentAt(uri.authority, addressOf(uri).path)?.isDirty === true;
}
