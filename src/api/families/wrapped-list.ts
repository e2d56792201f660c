import type { AnyOperation } from "../catalogue/operation.ts";
import type { Page } from "../catalogue/paging.ts";
import { containedList, isList, isObject } from "../client/contained-list.ts";
import { operationError } from "../client/operation-errors.ts";
import { phrase } from "../phrase.ts";

/**
 * The list in a response whose format differs between platforms: the response itself, the first key with a list, or a
 * list in an unknown container. A response without content is an empty list. Throws the operation's error if there is
 * no list of objects.
 */
export function listWithin<Item extends object>(
  operation: AnyOperation,
  input: object,
  response: unknown,
  keys: readonly string[],
): readonly Item[] {
  const found = containedList(response, keys);
  const items = found.type === "list" ? found.items : found.type === "empty" ? [] : undefined;
  if (items === undefined || !isListOfObjects<Item>(items)) {
    throw withoutListError(operation, input, keys);
  }
  return items;
}

/** The list in a response (see `listWithin`), with its position in the complete list. */
export function pageWithin<Item extends object>(
  operation: AnyOperation,
  input: object,
  response: unknown,
  keys: readonly string[],
): Page<Item> {
  const items = listWithin<Item>(operation, input, response, keys);
  const context = isObject(response) && isObject(response.pageContext) ? response.pageContext : {};
  const numbers = [context.totalCount, context.offset ?? context.offSet];
  const [total, offset] = numbers.map((number) => (typeof number === "number" ? number : undefined));
  return { items, total, offset };
}

function isListOfObjects<Item extends object>(items: readonly unknown[]): items is readonly Item[] {
  return isList<Item>(items) && items.every(isObject);
}

/** The error for a response that isn't a list of objects and doesn't contain one. */
export function withoutListError(operation: AnyOperation, input: object, keys: readonly string[]) {
  return operationError(operation, input, {
    kind: operation.errors.otherwise.kind,
    cause: { type: "unexpectedResponse", fields: keys },
    reason: phrase`the platform's response has the wrong type: it contains no list of objects`,
    remedy: phrase`To see the response, run the API operation ${operation.id}.`,
  });
}
