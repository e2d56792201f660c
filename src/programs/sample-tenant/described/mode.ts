import type { CatalogueOperation } from "../../../api/catalogue/operations/catalogue.ts";

/**
 * A platform that has what the API description says and nothing else. `lenient` ignores queries that the description does
 * not have, `strict` refuses them with 400.
 */
export type DescribedMode = "lenient" | "strict";

/** The query parameters that the API description names; an operation that is not listed has none. */
export const describedQueries: Readonly<Partial<Record<CatalogueOperation["id"], readonly string[]>>> = {
  "contents.get": ["content"],
  "designs.get": ["parts"],
  "designs.list": [
    "checkAdminAuthority",
    "deleted",
    "direction",
    "parts",
    "search",
    "withPermission",
    "limit",
    "offset",
  ],
  "sandbox.authorizations.list": ["limit"],
  "workflows.executions.metrics.get": [
    "modelId",
    "modelVersion",
    "status",
    "triggerTypes",
    "startedBy",
    "startedAfter",
    "finishedBefore",
  ],
  "workflows.triggers.list": ["entityVersions"],
  "workflows.usage.get": ["entityType", "entityId", "parts"],
  "workflows.versions.form.get": ["triggerId", "deploymentId"],
};

/** True for an operation whose path the description shows. Reading a design's permissions is shown as refused (4.3, rule 2). */
export function isDescribed({ id, section }: CatalogueOperation): boolean {
  return section !== "beyond" || id === "designs.permissions.get";
}

/** What is left of a query; the name of a parameter that is refused instead in the strict mode. */
export function describedQuery(
  { id }: CatalogueOperation,
  query: URLSearchParams,
  mode: DescribedMode,
): { readonly query: URLSearchParams } | { readonly refused: string } {
  const known = describedQueries[id] ?? [];
  const refused = mode === "strict" ? [...query.keys()].find((name) => !known.includes(name)) : undefined;
  return refused === undefined
    ? { query: new URLSearchParams([...query].filter(([name]) => known.includes(name))) }
    : { refused };
}
