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

/** True if the text contains each of the words, in any order and case. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const lowered = text.toLowerCase();
  return words.every((word) => lowered.includes(word.toLowerCase()));
}
