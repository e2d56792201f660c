import * as z from "zod/mini";
import { userNamespace, workspace, workspaceSearch, workspaceSearchPage } from "../models/workspaces.ts";
import { defineOperation } from "../operation.ts";

/*
 * The operations that load with the extension. The other operations of workspaces load on first use.
 */

const retrieval = { otherwise: { kind: "retrieval" } } as const;

export const getNamespace = defineOperation({
  id: "workspaces.namespace.get",
  section: "4.1",
  summary: "Read the signed-in user's namespace",
  method: "GET",
  path: "/api/datascience/v1/workspaces/user",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: userNamespace,
  credential: "platform",
  effect: "read",
  failure: "Can't read the user's namespace",
  entity: "user namespace",
  errors: retrieval,
});

export const getWorkspace = defineOperation({
  id: "workspaces.get",
  section: "4.1",
  summary: "Read a workspace",
  method: "GET",
  path: "/api/datascience/v1/workspaces/{workspaceId}",
  pathParameters: { workspaceId: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: z.undefined(),
  response: workspace,
  credential: "platform",
  effect: "read",
  failure: "Can't read workspace {workspaceId}",
  entity: "{workspaceId}",
  errors: {
    404: { kind: "notFound", remedy: "It may have been deleted, or belong to another tenant." },
    otherwise: { kind: "retrieval" },
  },
});

export const searchWorkspaces = defineOperation({
  id: "workspaces.search",
  section: "beyond",
  summary: "List workspaces, or search them by name, a page at a time",
  method: "POST",
  path: "/api/datascience/v1/search/workspaces",
  pathParameters: {},
  queryParameters: {},
  body: workspaceSearch,
  response: workspaceSearchPage,
  credential: "platform",
  effect: "read",
  failure: "Can't list the workspaces",
  entity: "workspaces",
  errors: retrieval,
});
