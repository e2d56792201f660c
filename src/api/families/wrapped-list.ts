import type { AnyOperation } from "../catalogue/operation.ts";
import { operationError } from "../client/operation-errors.ts";
import { phrase } from "../phrase.ts";

/**
 * The list of an answer whose form differs between platforms: the answer itself, or under the first key that has a
 * list. A key with null is an empty list. Throws the operation's error if there is no list.
 */
export function listWithin<Item>(
  operation: AnyOperation,
  input: object,
  answer: unknown,
  keys: readonly string[],
): readonly Item[] {
  if (isList<Item>(answer)) {
    return answer;
  }
  const members = (typeof answer === "object" ? answer : null) as Readonly<Record<string, unknown>> | null;
  const key = keys.find((one) => isList(members?.[one])) ?? keys.find((one) => members?.[one] === null);
  if (key === undefined) {
    throw withoutListError(operation, input, keys);
  }
  const found = members?.[key];
  return isList<Item>(found) ? found : [];
}

/** The error for an answer without a list under one of the keys. */
export function withoutListError(operation: AnyOperation, input: object, keys: readonly string[]) {
  return operationError(operation, input, {
    kind: operation.errors.otherwise.kind,
    cause: { type: "unexpectedAnswer", fields: keys },
    reason: phrase`the platform's response has no list under ${keys.join(", ")}`,
    remedy: phrase`To see the response, run the API operation ${operation.id}.`,
  });
}

export function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}
