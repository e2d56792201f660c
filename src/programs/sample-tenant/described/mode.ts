import type { CatalogueOperation } from "../../../api/catalogue/operations/catalogue.ts";

/**
 * A platform that implements only the API description. `lenient` ignores undescribed query parameters; `strict` rejects
 * them with 400.
 */
export type DescribedMode = "lenient" | "strict";

/** The query parameters in the API description, by operation; operations that are not listed have none. */
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

/**
 * True for an operation whose path is in the description. Reading a design's permissions is described as refused (4.3,
 * rule 2).
 */
export function isDescribed({ id, section }: CatalogueOperation): boolean {
  return section !== "beyond" || id === "designs.permissions.get";
}

/** The query without undescribed parameters. In strict mode, the name of the first rejected parameter instead. */
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
