import type { ResourceType } from "../resource.ts";
import { designReaders } from "./designs.ts";
import type { DetailsReader } from "./details.ts";
import { pageReaders } from "./pages.ts";
import { sandboxReaders } from "./sandbox.ts";
import { userReaders } from "./users.ts";
import { workflowReaders } from "./workflows.ts";
import { workspaceReaders } from "./workspaces.ts";

/** How the details of each type of resource are read. */
export const detailsReaders: Readonly<Partial<Record<ResourceType, DetailsReader>>> = {
  ...workspaceReaders,
  ...designReaders,
  ...pageReaders,
  ...sandboxReaders,
  ...workflowReaders,
  ...userReaders,
};
