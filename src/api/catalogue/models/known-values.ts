import type { Repository } from "./sandbox.ts";

// Known values of open-ended members. The platform can return other values, which are shown unchanged. The API
// description lists only a few; the rest are known from the public platform.

/** States of a commit, a commit request, and a promotion. */
export const commitStatuses = ["QUEUED", "PROCESSING", "COMPLETED", "COMPLETED_WITH_WARNINGS", "FAILED"] as const;

/** Permissions for a repository. NONE removes access. */
export const repositoryPermissions = ["OWNER", "EDIT", "READ", "NONE"] as const;

/** Types of content in the mapping of a promotion, by the member of a repository that lists the content. */
export const repositoryContentTypes = {
  pageIds: "PAGE",
  cardIds: "CARD",
  dataflowIds: "DATAFLOW",
  viewIds: "VIEW",
  dataAppIds: "DATA_APP",
  streamIds: "STREAM",
} as const satisfies Partial<Record<keyof NonNullable<Repository["repositoryContent"]>, string>>;

/** Types of triggers. */
export const triggerTypes = [
  "MANUAL",
  "TEST",
  "TIMER",
  "API",
  "WORKFLOW",
  "REMOTE",
  "CUSTOM_APP",
  "APP_STUDIO",
  "ALERT",
  "PAGE_ACCESS_REQUESTED",
  "CARD_ACCESS_REQUESTED",
  "DATA_APP_ACCESS_REQUESTED",
] as const;

/** Permissions for a workflow. */
export const workflowPermissions = [
  "ADMIN",
  "SHARE",
  "DELETE",
  "WRITE",
  "READ",
  "EXPORT",
  "EXECUTE",
  "READ_CONTENT",
  "UPDATE_CONTENT",
] as const;

/** Types of fields in a start form. */
export const formFieldTypes = ["TEXT", "NUMBER"] as const;

/** Types of principals. */
export const principalTypes = ["USER", "GROUP"] as const;

/** Types of cards. */
export const cardTypes = ["KPI", "domoapp"] as const;

/** Who can use notebooks. */
export const notebookAccess = ["EVERYONE"] as const;
