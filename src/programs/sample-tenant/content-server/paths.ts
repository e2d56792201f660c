import { lstatSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { withoutOuter } from "../../../api/text.ts";
import { ContentError, systemCode } from "./errors.ts";

/** A content path without slashes at its ends; the root is the empty string. */
export function trimmed(path: string): string {
  return withoutOuter(path, "/");
}

/** The directory part and the last segment of a content path. */
export function splitPath(path: string): { readonly parent: string; readonly name: string } {
  const at = path.lastIndexOf("/");
  return at < 0 ? { parent: "", name: path } : { parent: path.slice(0, at), name: path.slice(at + 1) };
}

/** A content path of a name in a directory. */
export function childPath(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/**
 * The location of a content path on disk.
 *
 * @throws ContentError 404 for a path that leaves the root or contains a NUL character.
 */
export function locate(root: string, path: string): string {
  const plain = trimmed(path);
  if (plain.includes("\0")) {
    throw new ContentError(404, `${plain} is not a valid path`);
  }
  const location = resolve(root, ...plain.split("/").filter((segment) => segment !== ""));
  if (location !== root && !location.startsWith(root + sep)) {
    throw new ContentError(404, `${plain} is outside root contents directory`);
  }
  return location;
}

/**
 * True if a segment of the path starts with a dot. Fails for a path that goes through a file. Synchronous, as are all
 * reads of metadata: the system answers in 2 microseconds, and asking in another thread takes 30.
 */
export function isHidden(root: string, path: string): boolean {
  const location = locate(root, path);
  const segments = relative(root, location).split(sep);
  if (segments.some((segment) => segment.startsWith("."))) {
    return true;
  }
  try {
    lstatSync(location);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") {
      throw error;
    }
  }
  return false;
}

/** The kind of item at a location on disk. Follows links. `nothing` for a broken link. */
export function kindAt(location: string): "file" | "directory" | "nothing" {
  try {
    const found = statSync(location);
    return found.isDirectory() ? "directory" : "file";
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG") {
      return "nothing";
    }
    throw error;
  }
}

/** True for a name that a listing omits even though it is not hidden. */
export function isLeftOut(name: string): boolean {
  return name === "__pycache__" || name === ".DS_Store" || /(?:\.py[co]|~)$/.test(name);
}

/**
 * A free name in the directory: `name-Copy1.ext`, `untitled1.py`. The number is inserted before the first dot; for a
 * notebook, before the last.
 */
export function freeName(root: string, name: string, directory: string, insert: string): string {
  const at = name.endsWith(".ipynb") ? name.lastIndexOf(".") : name.indexOf(".");
  const base = at < 0 ? name : name.slice(0, at);
  const suffix = at < 0 ? "" : name.slice(at);
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? name : `${base}${insert}${number}${suffix}`;
    if (kindAt(join(locate(root, directory), candidate)) === "nothing") {
      return candidate;
    }
  }
}
