import type { AnyOperation } from "../catalogue/operation.ts";
import { operationError } from "../client/operation-errors.ts";
import { phrase } from "../phrase.ts";

/**
 * The list in a response whose format differs between platforms: the response itself, or the first key with a list. A
 * null value counts as an empty list. Throws the operation's error if there is no list.
 */
export function listWithin<Item>(
  operation: AnyOperation,
  input: object,
  response: unknown,
  keys: readonly string[],
): readonly Item[] {
  if (isList<Item>(response)) {
    return response;
  }
  const members = (typeof response === "object" ? response : null) as Readonly<Record<string, unknown>> | null;
  const key = keys.find((one) => isList(members?.[one])) ?? keys.find((one) => members?.[one] === null);
  if (key === undefined) {
    throw withoutListError(operation, input, keys);
  }
  const found = members?.[key];
  return isList<Item>(found) ? found : [];
}

/** The error for a response without a list under any of the keys. */
export function withoutListError(operation: AnyOperation, input: object, keys: readonly string[]) {
  return operationError(operation, input, {
    kind: operation.errors.otherwise.kind,
    cause: { type: "unexpectedResponse", fields: keys },
    reason: phrase`the platform's response has no list under ${keys.join(", ")}`,
    remedy: phrase`To see the response, run the API operation ${operation.id}.`,
  });
}

export function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}
