import { parentOf } from "../../../src/api/catalogue/content-path.ts";
import { comparableBytes } from "./contents.ts";
import { ancestorsOf, isBelow } from "./paths.ts";
import type { ModelTree, Node } from "./tree.ts";

/**
 * The allowed results of a step: success, or one of these error codes. Any other result is a fault of the file system.
 */
export interface Expectation {
  readonly mayWork: boolean;
  readonly codes: readonly string[];
}

/** The version on which a client's copy of a file is based. */
export interface Base {
  readonly content: string;
  readonly revision: number;
}

export type FileNode = Extract<Node, { type: "file" }>;

const works: Expectation = { mayWork: true, codes: [] };

function fails(...codes: readonly string[]): Expectation {
  return { mayWork: false, codes };
}

/** Servers answer differently to a path through a file. It only has to fail. */
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

/** `since`: the state then and all later states may be read, too, because the client has read them already. */
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

/** A write by a program: it replaces what this client has seen, or a file that it has never read. */
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
  // Created since this client last read the folder, and never read here: a create, which never replaces.
  const unseen = wasSeenAbsent && base === undefined ? ["FileExists"] : [];
  if (base === undefined || base.revision === node.revision) return { mayWork: true, codes: unseen };
  return base.content === node.content ? { mayWork: true, codes: ["Unavailable"] } : fails("Unavailable");
}

/** A save of an editor. `isDecided`: the user has seen the difference and chosen Overwrite. */
export function expectSave(
  tree: ModelTree,
  path: string,
  bytes: Uint8Array,
  base: Base,
  isDecided: boolean,
): Expectation {
  const node = tree.get(path);
  if (node === undefined) {
    if (isThroughFile(tree, path)) return throughFile;
    // Renamed or deleted by someone else: the old name isn't created again until the user decides that.
    return isDecided ? works : fails("Unavailable", "newer");
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

/** The obstacle may be reported before the missing source. */
function absentSource(tree: ModelTree, from: string, to: string): Expectation {
  const { codes } = absent(tree, from);
  return fails(
    ...codes,
    ...(tree.get(to) === undefined ? [] : ["FileExists"]),
    ...(parentFault(tree, to)?.codes ?? []),
  );
}

/** `parentSeen`: for this client, the folder exists, so it sends no request for it, and servers create it again. */
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

/** Directories that the editor creates before it saves a file whose folder is missing. */
export function missingParents(tree: ModelTree, path: string): readonly string[] {
  return ancestorsOf(path).filter((ancestor) => tree.get(ancestor) === undefined && ancestor !== parentOf(""));
}
