import { nameOf } from "../../src/api/catalogue/content-path.ts";
import type { CellResult, Ending, Strike } from "./cell.ts";
import type { Operation } from "./operations.ts";
import { completed, isCheckpoint, isSameTree, type Tree } from "./place.ts";

/** Codes that a transport fault may cause. A missing file is not one of them. */
const endings: ReadonlySet<string> = new Set(["Unavailable", "NoPermissions"]);

/**
 * The leftovers of a large file's save when the server is gone. The next request that reaches the server cleans them
 * up.
 */
const putInOrder = /\.(saving|replaced)-[0-9a-f]{8}$/;

function withoutUnfinished({ isBig }: Operation, tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => isBig !== true || !putInOrder.test(path)));
}

/** The leftovers of a large file's save that remain, and that no message names. */
function untold(operation: Operation, { treeAfterAgain, messages }: CellResult): readonly string[] {
  const left = operation.isBig === true ? Object.keys(treeAfterAgain).filter((path) => putInOrder.test(path)) : [];
  return left.filter((path) => !messages.some((text) => text.includes(path.replace(putInOrder, ".$1-…"))));
}

/** The violations of the file system's promises in a cell; empty if there are none. */
export function broken(operation: Operation, strike: Strike, result: CellResult): readonly string[] {
  const { ending, tree } = result;
  const problems: string[] = [];
  if (ending.type === "wrong") problems.push(`something wrong was told: ${ending.words}`);
  if (ending.type === "worked" && !isSameTree(withoutUnfinished(operation, tree), operation.after)) {
    problems.push(`it said that it worked, and the server has ${inShort(tree)}`);
  }
  if (ending.type === "failed") {
    if (!endings.has(ending.code)) problems.push(`it ended as ${ending.code}: ${ending.words}`);
    if (mustPass(strike)) problems.push(`nothing was wrong in the end, and it failed: ${ending.words}`);
    problems.push(...unnamed(operation, tree, ending.words).map((path) => `${path} was left without a word`));
  }
  const names = Object.keys(result.treeShown)
    .filter((path) => !path.includes("/") && !isCheckpoint(path))
    .sort();
  if (names.join() !== result.names.join()) {
    problems.push(`the folder shows ${result.names.join(", ")} and has ${names.join(", ")}`);
  }
  problems.push(...untold(operation, result).map((path) => `${path} is still there without a word`));
  problems.push(...truncated(operation, tree).map((path) => `${path} was cut short`));
  problems.push(...lost(operation, tree).map((path) => `the content of ${path} is lost`));
  problems.push(...lost(operation, result.treeAfterAgain).map((path) => `the content of ${path} is lost afterwards`));
  if (!endsWell(operation, result)) {
    problems.push(
      `once more it ended with ${words(result.again)}, and the server has ${inShort(result.treeAfterAgain)}`,
    );
  }
  return problems;
}

function mustPass({ fault, requests, step }: Strike): boolean {
  return fault.passes === "always" || (fault.passes === "reads" && requests[step - 1] === "GET");
}

/** The ending of temporary names next to a path. Messages contain it without its number. */
const besideName = /\.(replaced|copying|saving)-[0-9a-f]{8}$/;

/** Paths that have neither the old nor the new content, if the error names neither them nor a folder above them. */
function unnamed(operation: Operation, tree: Tree, told: string): readonly string[] {
  return strays(operation, tree).filter(
    (path) =>
      !(operation.isBig === true && putInOrder.test(path)) &&
      !told.includes(nameOf(path).replace(besideName, ".$1-…")) &&
      !path.split("/").some((name) => besideName.test(name) && told.includes(name.replace(besideName, ".$1-…"))) &&
      !/might remain|might now be named/.test(told),
  );
}

/** Paths that have neither the old nor the new content. For a directory that is entirely new, only its own path. */
export function strays(operation: Operation, tree: Tree): readonly string[] {
  const [before, after] = [completed(operation.before), completed(operation.after)];
  const all = Object.keys(tree).filter((path) => before[path] !== tree[path] && after[path] !== tree[path]);
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

/** Paths of files whose content should exist before and after, but exists nowhere. */
function lost(operation: Operation, tree: Tree): readonly string[] {
  const there = new Set(Object.values(tree));
  const wanted = new Set(Object.values(completed(operation.after)));
  return Object.entries(completed(operation.before))
    .filter(([, content]) => wanted.has(content) && !there.has(content))
    .map(([path]) => path);
}

/** The unacceptable results, counted. */
export interface Damage {
  readonly lostUpdates: number;
  readonly truncatedFiles: number;
  /** Number of times that an existing item was reported as missing. */
  readonly wrongNotFound: number;
}

/** The damage of one cell, immediately afterward and after the second attempt. */
export function damageOf(operation: Operation, { ending, tree, treeAfterAgain }: CellResult): Damage {
  const trees = [tree, treeAfterAgain];
  return {
    lostUpdates: trees.flatMap((one) => lost(operation, one)).length,
    truncatedFiles: trees.flatMap((one) => truncated(operation, one)).length,
    wrongNotFound: ending.type === "failed" && ending.code === "FileNotFound" ? 1 : 0,
  };
}

/** Paths of files with only the beginning of their content. A new file begins empty, before its content arrives. */
function truncated(operation: Operation, tree: Tree): readonly string[] {
  const [before, after] = [completed(operation.before), completed(operation.after)];
  return Object.entries(tree).flatMap(([path, content]) => {
    const wholes = [before[path], after[path]].filter((whole) => whole !== undefined);
    const isNew = content === "" && before[path] === undefined;
    const isPart = !isNew && wholes.some((whole) => whole.startsWith(content)) && !wholes.includes(content);
    return isPart ? [path] : [];
  });
}

/** True if the second attempt reached the goal. Leftovers that the failure named may still exist. */
function endsWell(operation: Operation, { again, tree, treeAfterAgain }: CellResult): boolean {
  const after = completed(operation.after);
  const named = strays(operation, tree);
  const isLeft = (path: string): boolean =>
    after[path] === undefined &&
    named.some((stray) => path === stray || path.startsWith(`${stray}/`) || stray.startsWith(`${path}/`));
  const rest = withoutUnfinished(
    operation,
    Object.fromEntries(Object.entries(treeAfterAgain).filter(([path]) => !isLeft(path))),
  );
  const isDone = isSameTree(rest, operation.after);
  switch (again.type) {
    case "worked":
      return isDone;
    case "failed":
      // The first attempt had succeeded, or the obstacle was named: the server reports that.
      return (
        (isDone && (again.code === "FileExists" || again.code === "FileNotFound")) ||
        (again.code === "FileExists" && named.length > 0)
      );
    case "wrong":
      return false;
  }
}

function words(ending: Ending): string {
  switch (ending.type) {
    case "worked":
      return "worked";
    case "failed":
      return `${ending.code}: ${ending.words}`;
    case "wrong":
      return ending.words;
  }
}

function inShort(tree: Tree): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(tree).map(([path, content]) => [path, `${content.slice(0, 12)}… ${content.length}`]),
    ),
  );
}
