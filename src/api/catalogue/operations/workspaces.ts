import * as z from "zod/mini";
import { instanceSettings, startResult } from "../models/workspaces.ts";
import { defineOperation } from "../operation.ts";

export { getNamespace, getWorkspace, searchWorkspaces } from "./workspace-reading.ts";

const retrieval = { otherwise: { kind: "retrieval" } } as const;
const workspaceId = { workspaceId: z.string().check(z.minLength(1)) };
const startRefused = {
  kind: "workspace",
  word: "start",
  remedy: "You might not have access to it, it might not be shared with you, or it might have already started.",
} as const;

export const getSettings = defineOperation({
  id: "workspaces.settings.get",
  section: "4.1",
  summary: "Read the instance settings of notebooks",
  method: "GET",
  path: "/api/datascience/v1/settings",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: instanceSettings,
  credential: "platform",
  effect: "read",
  failure: "Can't read the notebook settings",
  entity: "settings",
  errors: retrieval,
});

export const startInstance = defineOperation({
  id: "workspaces.instances.start",
  section: "4.1",
  summary: "Start an instance of a workspace",
  method: "POST",
  path: "/api/datascience/v1/workspaces/{workspaceId}/instances",
  pathParameters: workspaceId,
  queryParameters: {},
  body: z.undefined(),
  response: startResult,
  credential: "platform",
  effect: "change",
  failure: "Can't start workspace {workspaceId}",
  entity: "{workspaceId}",
  errors: { 403: startRefused, 500: startRefused, otherwise: { kind: "workspace", word: "start" } },
});

export const stopInstance = defineOperation({
  id: "workspaces.instances.stop",
  section: "beyond",
  summary: "Stop an instance of a workspace",
  method: "DELETE",
  path: "/api/datascience/v1/workspaces/{workspaceId}/instances/{instanceId}",
  pathParameters: { ...workspaceId, instanceId: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't stop workspace {workspaceId}",
  entity: "{workspaceId}",
  errors: { otherwise: { kind: "workspace", word: "stop" } },
});

export const updateWorkspace = defineOperation({
  id: "workspaces.update",
  section: "4.1",
  summary: "Replace a workspace's configuration",
  method: "PUT",
  path: "/api/datascience/v1/workspaces/{workspaceId}",
  pathParameters: workspaceId,
  queryParameters: {},
  body: z.record(z.string(), z.unknown()),
  response: z.looseObject({}),
  credential: "platform",
  effect: "destroy",
  failure: "Can't update the configuration of workspace {workspaceId}",
  entity: "{workspaceId}",
  errors: { 404: { kind: "notFound", word: "update_config" }, otherwise: { kind: "crud", word: "update_config" } },
});
