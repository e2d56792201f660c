import * as z from "zod/mini";

/** Each pass removes the unknown members of one more level. */
const maxPasses = 10;

/**
 * Validates a body as the platform does: ignores unknown members, and rejects members of the wrong type. The catalog
 * also rejects unknown members, to detect typos.
 */
export function checkedBody<Shape extends z.ZodMiniType>(
  shape: Shape,
  body: unknown,
): z.core.util.SafeParseResult<z.output<Shape>> {
  const copy = structuredClone(body);
  let result = z.safeParse(shape, copy);
  for (let pass = 0; pass < maxPasses && !result.success; pass += 1) {
    const unknown = result.error.issues.flatMap(nearest).filter((issue) => issue.code === "unrecognized_keys");
    if (unknown.length === 0) {
      return result;
    }
    for (const { path, keys } of unknown) {
      removeMembers(copy, path, keys);
    }
    result = z.safeParse(shape, copy);
  }
  return result;
}

/** In a union, the issues of the alternative that has only unknown members; otherwise, the issue itself. */
function nearest(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") {
    return [issue];
  }
  const alike = issue.errors
    .map((issues) => issues.flatMap(nearest))
    .find((issues) => issues.length > 0 && issues.every(({ code }) => code === "unrecognized_keys"));
  return (alike ?? []).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function removeMembers(holder: unknown, [next, ...rest]: readonly PropertyKey[], keys: readonly string[]): void {
  if (typeof holder !== "object" || holder === null) {
    return;
  }
  if (next !== undefined) {
    removeMembers(Reflect.get(holder, next), rest, keys);
    return;
  }
  for (const key of keys) {
    Reflect.deleteProperty(holder, key);
  }
}
