import { type Dialect, pathTemplateOf } from "../http/dialects.ts";
import type { AnyOperation } from "./operation.ts";

/** The operations whose id, method, path, or summary contain all of the words, in any order and case. */
export function operationsWithWords(
  operations: readonly AnyOperation[],
  words: readonly string[],
  dialect: Dialect,
): readonly AnyOperation[] {
  return operations.filter((operation) => hasWords(searchedText(operation, dialect), words));
}

/** The searchable text of an operation. It includes the path on this platform and the path in the API description. */
export function searchedText(operation: AnyOperation, dialect: Dialect): string {
  const { id, method, path, summary } = operation;
  return `${id} ${method} ${pathTemplateOf(operation, dialect)} ${path} ${summary}`;
}

/** The operation whose id the words match best: exactly, then as parts of the id, then as text of it. */
export function bestMatch<Operation extends Pick<AnyOperation, "id">>(
  operations: readonly Operation[],
  words: readonly string[],
): Operation | undefined {
  const typed = words.flatMap((word) => word.toLowerCase().split(".")).filter((word) => word !== "");
  const distance = ({ id }: Operation): number => {
    const parts = id.toLowerCase().split(".");
    const missing = typed.filter((word) => !parts.includes(word)).length;
    return hasWords(id, typed) ? missing * 100 + Math.max(0, parts.length - typed.length) : Number.POSITIVE_INFINITY;
  };
  const [best] = operations.toSorted((one, other) => distance(one) - distance(other));
  return typed.length === 0 || best === undefined || distance(best) === Number.POSITIVE_INFINITY ? undefined : best;
}

const maxSimilar = 5;

/** Up to five ids that a mistyped id may mean, the closest first: those that few edits lead to, or else its family. */
export function similarIds(operations: readonly Pick<AnyOperation, "id">[], mistyped: string): readonly string[] {
  const typed = mistyped.toLowerCase().slice(0, 100);
  const near = operations
    .map(({ id }) => ({ id, edits: editsBetween(typed, id.toLowerCase()) }))
    .filter(({ edits }) => edits <= Math.max(2, typed.length / 4))
    .toSorted((one, other) => one.edits - other.edits)
    .map(({ id }) => id);
  const family = `${typed.split(".")[0]}.`;
  const others = operations.map(({ id }) => id).filter((id) => id.toLowerCase().startsWith(family));
  return (near.length > 0 ? near : others).slice(0, maxSimilar);
}

/** The number of characters to insert, delete, or replace to get from one text to the other (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (character === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** True if the text contains each of the words, in any order and case. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const lowered = text.toLowerCase();
  return words.every((word) => lowered.includes(word.toLowerCase()));
}
