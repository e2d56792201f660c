import * as vscode from "vscode";
import { causeOf, PlatformError } from "../api/http/errors.ts";
import { accessObstacle } from "../tenants/access-obstacle.ts";
import { errorText } from "../tenants/error-text.ts";
import { FileError, type FileErrorKind } from "./errors.ts";

type EditorErrorName =
  | "FileNotFound"
  | "FileExists"
  | "FileIsADirectory"
  | "FileNotADirectory"
  | "NoPermissions"
  | "Unavailable";

const editorErrors: Readonly<Record<FileErrorKind, EditorErrorName>> = {
  notFound: "FileNotFound",
  exists: "FileExists",
  isDirectory: "FileIsADirectory",
  notDirectory: "FileNotADirectory",
  notEmpty: "NoPermissions",
  readonly: "NoPermissions",
  refused: "NoPermissions",
  cancelled: "Unavailable",
  changed: "Unavailable",
  incomplete: "Unavailable",
  unrecorded: "Unavailable",
};

/**
 * Converts any error to a file system error of the matching kind. The message is localized and omits the address,
 * because the editor shows it to users. FileNotFound is used only for items that don't exist, because the editor then
 * considers the path free to write.
 */
export function fileSystemError(error: unknown): vscode.FileSystemError {
  return error instanceof vscode.FileSystemError
    ? error
    : vscode.FileSystemError[editorErrorOf(error)](errorText(error));
}

function editorErrorOf(error: unknown): EditorErrorName {
  if (error instanceof FileError) {
    return editorErrors[error.kind];
  }
  switch (accessObstacle(error)?.type) {
    case "signedOut":
    case "credentialRefused":
    case "noToken":
    case "tokenRefused":
    case "visitRequired":
      return "NoPermissions";
    case "unknownTenant":
    case "stopped":
    case "noAddress":
    case "unreachable":
      return "Unavailable";
    case undefined:
      return ofCause(error);
  }
}

function ofCause(error: unknown): EditorErrorName {
  const cause = causeOf(error);
  switch (cause?.type) {
    case "input":
      return "NoPermissions";
    case "status":
      return error instanceof PlatformError && error.operationId.startsWith("contents.")
        ? ofStatus(cause.status)
        : "Unavailable";
    default:
      return "Unavailable";
  }
}

function ofStatus(status: number): EditorErrorName {
  switch (status) {
    case 403:
      return "NoPermissions";
    case 404:
      return "FileNotFound";
    case 409:
      return "FileExists";
    default:
      return "Unavailable";
  }
}
