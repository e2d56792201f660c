import { PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";

/** An input that is rejected before a request is sent; `field` names the parameter. */
export class InputError extends WordedError {
  override readonly name = "InputError";
  readonly field: string;

  constructor(field: string, text: Text) {
    super(text);
    this.field = field;
  }
}

/**
 * Normalizes a content path: relative to the workspace root, without a leading `./` or `/` and without empty segments.
 * The root is the empty string. Rejects `..`, which could escape the workspace.
 */
export function normalizeContentPath(path: string, field = "path"): string {
  const segments = path.split("/").filter((segment, index) => segment !== "" && !(segment === "." && index === 0));
  for (const segment of segments) {
    if (segment === "." || segment === "..") {
      throw new InputError(
        field,
        phrase`the path "${path}" contains "${segment}"; enter the path from the workspace root`,
      );
    }
  }
  return segments.join("/");
}

/** Percent-encodes a value so that it stays a single path segment. */
export function encodeSegment(segment: string, field: string): string {
  if (segment === "" || segment === "." || segment === "..") {
    throw new InputError(field, phrase`"${segment}" can't be part of an address`);
  }
  if (segment.includes("\0") || !segment.isWellFormed()) {
    throw new InputError(field, phrase`it has a character that isn't allowed in names`);
  }
  return encodeURIComponent(segment);
}

/** True for a content path that can be encoded in a URL. */
export function isContentPath(path: string): boolean {
  try {
    encodeContentPath(path, "path");
    return true;
  } catch {
    return false;
  }
}

/** Percent-encodes each segment of a content path. */
export function encodeContentPath(path: string, field: string): string {
  const normalized = normalizeContentPath(path, field);
  return normalized === ""
    ? ""
    : normalized
        .split("/")
        .map((segment) => encodeSegment(segment, field))
        .join("/");
}

/**
 * Normalizes a content path that is used in several calls. Throws a PlatformError of kind `request` if it isn't valid.
 */
export function acceptedPath(path: string, field: string, failure: Text, operationId: string): string {
  try {
    encodeContentPath(path, field);
    return normalizeContentPath(path, field);
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    throw new PlatformError({
      kind: "request",
      cause: { type: "input", field },
      failure,
      entity: path,
      operationId,
      reason: phrase`${field}: ${error.text}`,
    });
  }
}

/** The directory of a content path; the empty string for an item in the root. */
export function parentOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? "" : path.slice(0, cut);
}

/** The last segment of a content path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Splits a name at its last dot. The extension includes the dot. A leading dot doesn't start an extension. */
export function splitExtension(name: string): readonly [stem: string, extension: string] {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
}

/** True for the path of a notebook, judged by its extension. */
export function isNotebookPath(path: string): boolean {
  return path.toLowerCase().endsWith(".ipynb");
}

/** True if the item or a folder above it has a name with a leading dot. */
export function isHiddenPath(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith("."));
}

/** True for the path of a directory and everything below it. Everything is below the root. */
export function isWithin(path: string, directory: string): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}

/** Joins a directory and a name; an empty directory is the root. */
export function joinPath(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
