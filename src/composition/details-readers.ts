import { designReaders } from "../features/designs/details.ts";
import { pageReaders } from "../features/pages/details.ts";
import { userReaders } from "../features/people/details.ts";
import { sandboxReaders } from "../features/sandbox/details.ts";
import { workflowReaders } from "../features/workflows/details.ts";
import { workspaceReaders } from "../features/workspaces/details.ts";
import type { DetailsReader } from "../ui/details/details.ts";
import type { ResourceType } from "../ui/resources/resource.ts";

/** How the details of each type of resource are read. */
export const detailsReaders: Readonly<Partial<Record<ResourceType, DetailsReader>>> = {
  ...workspaceReaders,
  ...designReaders,
  ...pageReaders,
  ...sandboxReaders,
  ...workflowReaders,
  ...userReaders,
};
