import { parentOf } from "../../../src/api/catalogue/content-path.ts";
import { comparableBytes } from "./contents.ts";
import { ancestorsOf, isBelow } from "./paths.ts";
import type { ModelTree, Node } from "./tree.ts";

/** How a step may end: it worked, or it failed with one of these codes. Anything else is a fault of the file system. */
export interface Expectation {
  readonly mayWork: boolean;
  readonly codes: readonly string[];
}

/** The version that a client's copy of a file came from. */
export interface Base {
  readonly content: string;
  readonly revision: number;
}

export type FileNode = Extract<Node, { type: "file" }>;

const works: Expectation = { mayWork: true, codes: [] };

function fails(...codes: readonly string[]): Expectation {
  return { mayWork: false, codes };
}

/** Servers have no one answer to a path through a file; that it fails is what counts. */
const throughFile = fails("FileNotFound", "FileNotADirectory", "FileExists", "Unavailable", "NoPermissions");

function parentFault(tree: ModelTree, path: string): Expectation | undefined {
  if (tree.hasParent(path)) return undefined;
  return ancestorsOf(path).some((ancestor) => tree.get(ancestor)?.type === "file")
    ? throughFile
    : fails("FileNotFound");
}

function isThroughFile(tree: ModelTree, path: string): boolean {
  return ancestorsOf(path).some((ancestor) => tree.get(ancestor)?.type === "file");
}

function absent(tree: ModelTree, path: string): Expectation {
  return isThroughFile(tree, path) ? throughFile : fails("FileNotFound");
}

/** `since`: what was there then or later may be read, too, because the client has read it already. */
export function expectRead(tree: ModelTree, path: string, since: number): Expectation {
  const node = tree.get(path);
  const mayWork = tree.since(path, since).some((known) => known?.type === "file");
  if (node === undefined) return { ...absent(tree, path), mayWork };
  return node.type === "directory" ? { ...fails("FileIsADirectory"), mayWork } : works;
}

export function expectLook(tree: ModelTree, path: string): Expectation {
  return tree.get(path) === undefined ? absent(tree, path) : works;
}

export function expectList(tree: ModelTree, path: string): Expectation {
  return tree.get(path)?.type === "file" ? fails("FileNotADirectory") : expectLook(tree, path);
}

/** A write by a program: it replaces what this client has seen, or what it never looked at. */
export function expectWrite(
  tree: ModelTree,
  path: string,
  overwrite: boolean,
  base: Base | undefined,
  wasSeenAbsent: boolean,
): Expectation {
  const node = tree.get(path);
  if (node === undefined) return parentFault(tree, path) ?? works;
  if (node.type === "directory") return fails("FileIsADirectory", "FileExists");
  if (!overwrite) return fails("FileExists");
  // Made since this client last looked, and nothing of it was ever read here: a create, which never replaces.
  const unseen = wasSeenAbsent && base === undefined ? ["FileExists"] : [];
  if (base === undefined || base.revision === node.revision) return { mayWork: true, codes: unseen };
  return base.content === node.content ? { mayWork: true, codes: ["Unavailable"] } : fails("Unavailable");
}

/** A save of an editor. `isDecided`: the person was shown the difference and chose to overwrite. */
export function expectSave(
  tree: ModelTree,
  path: string,
  bytes: Uint8Array,
  base: Base,
  isDecided: boolean,
): Expectation {
  const node = tree.get(path);
  if (node === undefined) {
    return isThroughFile(tree, path) ? throughFile : works;
  }
  if (node.type === "directory") return fails("FileIsADirectory", "newer", "FileExists");
  if (isDecided || node.revision === base.revision) return works;
  const isHarmless = node.content === base.content || node.content === comparableBytes(bytes);
  return { mayWork: isHarmless, codes: ["newer", "Unavailable"] };
}

export function expectCreateDirectory(tree: ModelTree, path: string): Expectation {
  return tree.get(path) !== undefined ? fails("FileExists") : (parentFault(tree, path) ?? works);
}

export function expectDelete(tree: ModelTree, path: string, recursive: boolean): Expectation {
  const node = tree.get(path);
  if (node === undefined) return absent(tree, path);
  return node.type === "directory" && !recursive && tree.below(path).length > 0 ? fails("NoPermissions") : works;
}

function intoPlace(tree: ModelTree, from: string, to: string, parentSeen: boolean): Expectation {
  const fault = parentFault(tree, to);
  if (fault === undefined) return works;
  const isMadeAnew = parentSeen && tree.get(from)?.type === "directory" && !isThroughFile(tree, to);
  return { mayWork: isMadeAnew, codes: fault.codes };
}

/** What is in the way may be told before that there is nothing to be moved. */
function absentSource(tree: ModelTree, from: string, to: string): Expectation {
  const { codes } = absent(tree, from);
  return fails(
    ...codes,
    ...(tree.get(to) === undefined ? [] : ["FileExists"]),
    ...(parentFault(tree, to)?.codes ?? []),
  );
}

/** `parentSeen`: as far as this client knows the folder is there: then it asks no more, and servers make it anew. */
export function expectRename(
  tree: ModelTree,
  from: string,
  to: string,
  { overwrite, parentSeen }: { readonly overwrite: boolean; readonly parentSeen: boolean },
): Expectation {
  if (from === to) return works;
  if (isBelow(to, from)) return fails("NoPermissions");
  if (tree.get(from) === undefined) return absentSource(tree, from, to);
  if (tree.get(to) === undefined) return intoPlace(tree, from, to, parentSeen);
  if (!overwrite) return fails("FileExists");
  return isBelow(from, to) ? fails("FileNotFound", "FileExists", "NoPermissions", "Unavailable") : works;
}

export function expectCopy(
  tree: ModelTree,
  from: string,
  to: string,
  { overwrite, parentSeen }: { readonly overwrite: boolean; readonly parentSeen: boolean },
): Expectation {
  if (from === to) return fails("FileExists");
  if (isBelow(to, from)) return fails("NoPermissions");
  if (tree.get(from) === undefined) return absentSource(tree, from, to);
  if (tree.get(to) === undefined) return intoPlace(tree, from, to, parentSeen);
  if (!overwrite) return fails("FileExists");
  return works;
}

/** Directories that the editor makes before it saves a file whose folder is gone. */
export function missingParents(tree: ModelTree, path: string): readonly string[] {
  return ancestorsOf(path).filter((ancestor) => tree.get(ancestor) === undefined && ancestor !== parentOf(""));
}
