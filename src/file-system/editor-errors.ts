import * as vscode from "vscode";
import { causeOf, PlatformError } from "../api/http/errors.ts";
import { AccessError } from "../tenants/access-error.ts";
import { FileError, type FileErrorKind } from "./errors.ts";

const editorErrors: Readonly<Record<FileErrorKind, (message: string) => vscode.FileSystemError>> = {
  notFound: (message) => vscode.FileSystemError.FileNotFound(message),
  exists: (message) => vscode.FileSystemError.FileExists(message),
  isDirectory: (message) => vscode.FileSystemError.FileIsADirectory(message),
  notDirectory: (message) => vscode.FileSystemError.FileNotADirectory(message),
  notEmpty: (message) => vscode.FileSystemError.NoPermissions(message),
  readonly: (message) => vscode.FileSystemError.NoPermissions(message),
  refused: (message) => vscode.FileSystemError.NoPermissions(message),
  cancelled: (message) => vscode.FileSystemError.Unavailable(message),
  changed: (message) => vscode.FileSystemError.Unavailable(message),
  incomplete: (message) => vscode.FileSystemError.Unavailable(message),
};

/**
 * Any error as the one kind of file system error that it is, with the server's words and the address, unless the editor
 * shows that by itself. FileNotFound is for what is really not there: the editor takes it as leave to write.
 */
export function fileSystemError(
  error: unknown,
  uri: vscode.Uri,
  address: "named" | "shownByEditor" = "named",
): vscode.FileSystemError {
  if (error instanceof vscode.FileSystemError) {
    return error;
  }
  const words = error instanceof Error ? error.message : String(error);
  const message = address === "named" ? `${words} (${uri.toString(true)})` : words;
  if (error instanceof FileError) {
    return editorErrors[error.kind](message);
  }
  if (error instanceof AccessError) {
    return error.problem.type === "noToken" || error.problem.type === "signedOut"
      ? vscode.FileSystemError.NoPermissions(message)
      : vscode.FileSystemError.Unavailable(message);
  }
  const cause = causeOf(error);
  if (cause?.type === "tokenRefused" || cause?.type === "handshake" || cause?.type === "input") {
    return vscode.FileSystemError.NoPermissions(message);
  }
  if (cause?.type === "status" && error instanceof PlatformError && error.operationId.startsWith("contents.")) {
    return ofStatus(cause.status, message);
  }
  return vscode.FileSystemError.Unavailable(message);
}

function ofStatus(status: number, message: string): vscode.FileSystemError {
  switch (status) {
    case 401:
    case 403:
      return vscode.FileSystemError.NoPermissions(message);
    case 404:
      return vscode.FileSystemError.FileNotFound(message);
    case 409:
      return vscode.FileSystemError.FileExists(message);
    default:
      return vscode.FileSystemError.Unavailable(message);
  }
}
