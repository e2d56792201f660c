import type { ContentVersion } from "../versions/content-version.ts";

/** What a file operation found, in the terms of a file system. Everything else stays the API layer's own error. */
export type FileFaultKind =
  | "notFound"
  | "exists"
  | "isDirectory"
  | "notDirectory"
  | "notEmpty"
  | "readonly"
  | "refused"
  | "changed"
  | "cancelled"
  | "incomplete";

export class FileFault extends Error {
  override readonly name = "FileFault";
  readonly kind: FileFaultKind;
  readonly path: string;

  constructor(kind: FileFaultKind, path: string, message: string) {
    super(message);
    this.kind = kind;
    this.path = path;
  }
}

/** A save that found another version on the server than the editor's copy came from. Nothing was written. */
export class ConflictFault extends FileFault {
  readonly server: ContentVersion;

  constructor(path: string, server: ContentVersion) {
    super("changed", path, `${path} was changed on the server since it was opened here. Nothing was overwritten.`);
    this.server = server;
  }
}

/** A path in words; the root has no name of its own. */
export function named(path: string): string {
  return path === "" ? "the workspace root" : path;
}

export function notFound(path: string): FileFault {
  return new FileFault("notFound", path, `${named(path)} does not exist.`);
}

export function isDirectory(path: string): FileFault {
  return new FileFault("isDirectory", path, `${named(path)} is a directory.`);
}

export function incomplete(path: string): FileFault {
  return new FileFault("incomplete", path, `The server did not say how large ${path} is and when it was last changed.`);
}

export function unreadable(path: string): FileFault {
  return new FileFault("incomplete", path, `The server answered without the content of ${path}.`);
}
