import * as z from "zod/mini";

/** The types of resources that rows, links, and documents can represent. */
const resourceTypes = [
  "workspace",
  "design",
  "designVersion",
  "page",
  "collection",
  "filterView",
  "repository",
  "commit",
  "commitRequest",
  "promotion",
  "deployment",
  "workflow",
  "workflowVersion",
  "execution",
  "trigger",
  "card",
  "user",
  "dataset",
  "datasetQuery",
  "startForm",
  "attachedTriggers",
  "functionPackage",
  "packageVersion",
  "studioApp",
  "notebookSettings",
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/**
 * A resource of a tenant. `id` is the platform's id (a version's number for versions). `parentId` is the id of the
 * parent if the resource can't be found without it: a version's design, workflow, or package, a filter view's page, a commit's
 * repository. For a resource that is looked up by more than an id, the id also contains how it is looked up.
 */
export const resource = z.object({
  type: z.enum(resourceTypes),
  tenantId: z.string().check(z.minLength(1)),
  id: z.string().check(z.minLength(1)),
  parentId: z.optional(z.string()),
  /** The display name. */
  name: z.string(),
});
export type PlatformResource = z.output<typeof resource>;

/** The id of a resource whose entry in the platform's response has none. It is shown, but can't be opened. */
export const unknownId = "?";

/** A unique key of a resource, which doesn't depend on its name. */
export function resourceKey({ type, tenantId, id, parentId }: PlatformResource): string {
  return [tenantId, type, parentId ?? "", id].map(encodeURIComponent).join("/");
}
