import * as z from "zod/mini";
import type { DesignQuery } from "../../api/families/designs.ts";

/** The permissions that a list of designs can be filtered by; `ADMIN` is the default of the API description, 4.3. */
export const designPermissions = ["ADMIN", "WRITE", "READ"] as const;
export type DesignPermission = (typeof designPermissions)[number];

const filter = z.object({
  /** Part of the name. */
  search: z._default(z.string(), ""),
  deleted: z._default(z.boolean(), false),
  withPermission: z._default(z.enum(designPermissions), "ADMIN"),
  direction: z._default(z.enum(["desc", "asc"]), "desc"),
});

/** The filter of the design list. */
export type DesignFilter = Readonly<z.output<typeof filter>>;

/** The list that is shown without a filter. */
const usual: DesignFilter = z.parse(filter, {});

/** The filter as the tree stores it: empty for the default list. */
export function filterText(wanted: DesignFilter): string {
  const set = Object.entries(wanted).filter(([name, value]) => value !== Reflect.get(usual, name));
  return set.length === 0 ? "" : JSON.stringify(Object.fromEntries(set));
}

/** Parses the result of `filterText`. Any other text is a part of the name. */
export function filterFromText(text: string): DesignFilter {
  if (text === "") {
    return usual;
  }
  try {
    return z.parse(filter, JSON.parse(text));
  } catch {
    return { ...usual, search: text };
  }
}

/** The query parameters of a filter. */
export function designQuery(text: string): DesignQuery {
  return { ...filterFromText(text) };
}
