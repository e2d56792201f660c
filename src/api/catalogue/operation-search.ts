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

/** True if the text contains each of the words, in any order and case. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const lowered = text.toLowerCase();
  return words.every((word) => lowered.includes(word.toLowerCase()));
}
