import * as z from "zod/mini";

/** The kinds of things on a platform that a row, a link or a document can be about. */
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
  "startForm",
  "attachedTriggers",
  "notebookSettings",
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/**
 * One thing of a tenant. `id` is the platform's own id (a version's number for versions); `parentId` is the id of what
 * it belongs to and cannot be found without: a version's design or workflow, a filter view's page, a commit's repository.
 * The id of what is looked up by more than an id says by what.
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

/** One text for one resource, whatever it is called at the moment. */
export function resourceKey({ type, tenantId, id, parentId }: PlatformResource): string {
  return [tenantId, type, parentId ?? "", id].map(encodeURIComponent).join("/");
}
