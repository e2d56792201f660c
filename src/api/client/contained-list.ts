/** The list in a response, or what the response contains instead. */
export type ContainedList =
  | { readonly type: "list"; readonly items: readonly unknown[] }
  /** Nothing: no body, null, an empty object, or an object of empty values. */
  | { readonly type: "empty" }
  | { readonly type: "other" };

type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum number of objects around a list. */
const maxDepth = 3;

const emptyValues: readonly unknown[] = [undefined, null, 0, false, ""];

/** Maximum number of members of a container that are not the list itself. */
const maxMembers = 50;

/**
 * Finds the list in a response whose container differs between platforms: the response itself, the first of the keys
 * with a list, another member with a list, such a member of an inner object, or the values of a map of objects. A null
 * value under one of the keys is an empty list.
 */
export function containedList(response: unknown, keys: readonly string[] = [], depth = 0): ContainedList {
  if (isList(response)) {
    return { type: "list", items: response };
  }
  if (isEmptyValue(response)) {
    return { type: "empty" };
  }
  if (!isObject(response) || depth === maxDepth) {
    return { type: "other" };
  }
  const named = keys.map((key) => response[key]);
  const members = Object.values(response).slice(0, maxMembers);
  const known = named.find(isList) ?? (named.includes(null) ? [] : undefined);
  const list = known ?? members.find(hasObjects) ?? members.find(isList);
  if (list !== undefined) {
    return { type: "list", items: list };
  }
  if (isMap(members)) {
    return { type: "list", items: Object.values(response) };
  }
  const inner = members.filter(isObject).map((member) => containedList(member, keys, depth + 1));
  return inner.find(({ type }) => type === "list") ?? { type: "other" };
}

/** True for no value, an empty list, or an object whose values are all empty, 0, or false. */
function isEmptyValue(value: unknown, depth = 0): boolean {
  if (isObject(value)) {
    const members = Object.values(value);
    return depth < maxDepth && members.length < maxMembers && members.every((one) => isEmptyValue(one, depth + 1));
  }
  return isList(value) ? value.length === 0 : emptyValues.includes(value);
}

function hasObjects(value: unknown): value is readonly unknown[] {
  return isList(value) && value.some(isObject);
}

/** True for objects of the same kind, which share the name of a member. */
function isMap(members: readonly unknown[]): boolean {
  const [first, ...others] = members;
  return (
    isObject(first) &&
    others.every(isObject) &&
    Object.keys(first).some((name) => others.length > 0 && others.every((other) => name in other))
  );
}

export function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
