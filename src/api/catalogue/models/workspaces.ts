import * as z from "zod/mini";
import { listUnder } from "./list-under.ts";

const numberOrText = z.union([z.number(), z.string()]);

/** An instance size (API description, 2.4). Memory is in GB. */
const instanceType = z.looseObject({ cpu: z.number(), memory: z.number() });
export type InstanceType = z.output<typeof instanceType>;

/**
 * Instance settings (API description, 2.4). `limits`, `userAccess`, and `featureFlags` are an object, an array, or a
 * string. The kernels have one of two names and are descriptors or bare codes.
 */
export const instanceSettings = z.looseObject({
  instanceTypes: z.nullish(z.array(instanceType)),
  currentUserInstanceTypes: z.nullish(z.array(instanceType)),
  limits: z.nullish(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])),
  isEnabled: z.nullish(z.boolean()),
  userAccess: z.nullish(z.union([z.string(), z.record(z.string(), z.unknown())])),
  notebookKernels: z.nullish(z.array(z.unknown())),
  jupyterKernels: z.nullish(z.array(z.unknown())),
  featureFlags: z.nullish(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])),
  locale: z.nullish(z.string()),
  timeZone: z.nullish(z.string()),
  maintenance: z.nullish(z.record(z.string(), z.unknown())),
});

/** The namespace segment of content-server paths (API description, 2.6). */
export const userNamespace = z.looseObject({ name: z.string() });

/** A running or starting instance of a workspace; times are ISO 8601. */
const workspaceInstance = z.looseObject({
  id: z.nullish(numberOrText),
  status: z.nullish(z.string()),
  url: z.nullish(z.string()),
  started: z.nullish(z.string()),
  lastActivity: z.nullish(z.string()),
  userId: z.nullish(numberOrText),
});
export type WorkspaceInstance = z.output<typeof workspaceInstance>;

/** A workspace (API description, 2.5). Memory is in GB, times are ISO 8601. The kernel code has one of two names. */
export const workspace = z.looseObject({
  id: z.string(),
  name: z.nullish(z.string()),
  description: z.nullish(z.string()),
  owner: z.nullish(numberOrText),
  created: z.nullish(z.string()),
  updated: z.nullish(z.string()),
  lastRun: z.nullish(z.string()),
  cpu: z.nullish(z.number()),
  memory: z.nullish(z.number()),
  notebookKernel: z.nullish(z.string()),
  jupyterKernel: z.nullish(z.string()),
  timeoutHours: z.nullish(z.number()),
  instanceTypes: z.nullish(z.array(instanceType)),
  instances: z.nullish(z.array(workspaceInstance)),
  inputConfiguration: z.nullish(z.unknown()),
  outputConfiguration: z.nullish(z.unknown()),
});
export type Workspace = z.output<typeof workspace>;

/** The response to a start. The state is read from the workspace afterward. */
export const startResult = z.nullish(z.unknown());

/** The body of a workspace search: 0-based offset, at most 100 items per page. */
export const workspaceSearch = z.strictObject({
  limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 50),
  offset: z._default(z.int().check(z.minimum(0)), 0),
  sortFieldMap: z._default(z.record(z.string(), z.enum(["ASC", "DESC"])), { LAST_RUN: "DESC" }),
  searchFieldMap: z._default(z.record(z.string(), z.string()), {}),
  filters: z._default(z.array(z.strictObject({ type: z.string(), values: z.array(z.unknown()) })), []),
});

/** A notebook that the platform has on record. */
export const platformNotebook = z.looseObject({
  id: z.nullish(z.string()),
  path: z.nullish(z.string()),
  workspaceId: z.nullish(z.string()),
});
export type PlatformNotebook = z.output<typeof platformNotebook>;

export const workspaceSearchPage = listUnder(workspace, ["workspaces"], {
  pageContext: z.nullish(
    z.looseObject({ count: z.nullish(z.number()), offset: z.nullish(z.number()), totalCount: z.nullish(z.number()) }),
  ),
});
