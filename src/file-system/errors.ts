import { causeOf, PlatformError } from "../api/http/errors.ts";
import { phrase, type Text } from "../api/phrase.ts";
import { WordedError } from "../api/worded-error.ts";
import { AccessError } from "../tenants/access-error.ts";
import type { ContentVersion } from "./versions/content-version.ts";

/** The file system errors. All other errors stay errors of the API layer. */
export type FileErrorKind =
  | "notFound"
  | "exists"
  | "isDirectory"
  | "notDirectory"
  | "notEmpty"
  | "readonly"
  | "refused"
  | "changed"
  | "cancelled"
  | "incomplete"
  | "unrecorded";

export class FileError extends WordedError {
  override readonly name = "FileError";
  readonly kind: FileErrorKind;
  readonly path: string;

  constructor(kind: FileErrorKind, path: string, text: Text) {
    super(text);
    this.kind = kind;
    this.path = path;
  }
}

/**
 * Thrown if the server's version is not the one that the editor's copy is based on, or if the file no longer exists.
 * Nothing was written.
 */
export class ConflictError extends FileError {
  /** Undefined if the file was renamed or deleted. */
  readonly server: ContentVersion | undefined;
  /** True if the file is open with unsaved changes. */
  readonly isUnsaved: boolean;

  constructor(path: string, server: ContentVersion | undefined, isUnsaved = false) {
    super(
      "changed",
      path,
      server === undefined
        ? phrase`${path} was renamed or deleted on the server since it was opened here. Nothing was saved.`
        : phrase`${path} was changed on the server since it was opened here. Nothing was overwritten.`,
    );
    this.server = server;
    this.isUnsaved = isUnsaved;
  }
}

/** A path for messages. The root, which has no name, is described. */
export function named(path: string): Text {
  return path === "" ? phrase`the workspace root` : path;
}

export function notFound(path: string): FileError {
  return new FileError("notFound", path, phrase`${named(path)} doesn't exist.`);
}

export function isDirectory(path: string): FileError {
  return new FileError("isDirectory", path, phrase`${named(path)} is a folder.`);
}

export function incomplete(path: string): FileError {
  return new FileError("incomplete", path, phrase`The server didn't report the size and modification time of ${path}.`);
}

export function unreadable(path: string): FileError {
  return new FileError(
    "incomplete",
    path,
    phrase`The server's response doesn't contain the content of ${path}. Try again.`,
  );
}

/** What the user must provide or do before an operation can succeed. */
type MissingAccess = "handshake" | "noAddress" | "signedOut" | "start" | "token" | "unknownTenant";

/** What the user must provide to resolve a failure; undefined if the user can't resolve it. */
export function missingAccess(error: unknown): MissingAccess | undefined {
  if (error instanceof AccessError) {
    return error.problem.type === "noToken"
      ? "token"
      : error.problem.type === "notRunning"
        ? "start"
        : error.problem.type;
  }
  const cause = causeOf(error);
  switch (cause?.type) {
    case "tokenRefused":
      return "token";
    case "workspaceNotRunning":
      return "start";
    case "handshake":
      return "handshake";
    case "status":
      return cause.status === 401 ? "signedOut" : undefined;
    default:
      return undefined;
  }
}

/** True if the user signed out of the tenant or removed it. Its content is no longer shown. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof AccessError && (error.problem.type === "signedOut" || error.problem.type === "unknownTenant");
}

/** True if the failure is about the path itself; false if the whole workspace is unavailable. */
export function isAboutPath(error: unknown): boolean {
  const cause = causeOf(error);
  const isOfServer = missingAccess(error) !== undefined || (cause?.type === "status" && cause.status === 429);
  return error instanceof FileError || (cause?.type === "status" && cause.status < 500 && !isOfServer);
}

/** Converts the error of a canceled operation to a FileError; returns any other error unchanged. */
export function cancelledOr(error: unknown, path: string, text: Text): unknown {
  return causeOf(error)?.type === "cancelled" ? new FileError("cancelled", path, text) : error;
}

/** Adds a sentence to an error of the API, for example about files that were left behind. */
export function withRemark(error: unknown, remark: Text): unknown {
  return error instanceof PlatformError ? error.withRemark(remark) : error;
}
