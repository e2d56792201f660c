import * as z from "zod/mini";

/**
 * A response that is a list, or an object with the list under one of the keys. The object can have other members, and
 * can have its list under an unknown key (see `listWithin`).
 */
export function listUnder<Item extends z.ZodMiniType, Key extends string, Others extends z.core.$ZodLooseShape>(
  item: Item,
  keys: readonly Key[],
  others: Others,
) {
  const list = z.nullish(z.array(item));
  const members = Object.fromEntries(keys.map((key) => [key, list])) as Readonly<Record<Key, typeof list>>;
  return z.union([z.array(item), z.looseObject({ ...members, ...others })]);
}
