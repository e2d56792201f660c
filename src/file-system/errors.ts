import { causeOf, PlatformError } from "../api/http/errors.ts";
import { phrase, type Text } from "../api/phrase.ts";
import { WordedError } from "../api/worded-error.ts";
import { lastingObstacle } from "../tenants/access-obstacle.ts";
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

/** True if the failure is about the path itself; false if the whole workspace is unavailable. */
export function isAboutPath(error: unknown): boolean {
  const cause = causeOf(error);
  const isOfServer = lastingObstacle(error) !== undefined || (cause?.type === "status" && cause.status === 429);
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
