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

/** A path in words; the root has no name of its own. */
export function named(path: string): string {
  return path === "" ? "the workspace root" : path;
}
