import * as z from "zod/mini";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const user = z.union([z.number(), z.string().check(z.minLength(1))]);

export const transferWorkspace = defineOperation({
  id: "workspaces.owner.update",
  section: "beyond",
  summary: "Make another user the owner of a workspace",
  method: "PUT",
  path: "/api/datascience/v1/workspaces/{workspaceId}/ownership",
  pathParameters: { workspaceId: given },
  queryParameters: {},
  body: z.looseObject({ newOwnerId: user }),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't change the owner of workspace {workspaceId}",
  entity: "{workspaceId}",
  errors: { 404: { kind: "notFound" }, otherwise: { kind: "crud", word: "update_owner" } },
});

export const transferDesign = defineOperation({
  id: "designs.owner.update",
  section: "beyond",
  summary: "Make another user the owner of an app design",
  method: "PUT",
  path: "/api/apps/v1/designs/{designId}/transfer-owner",
  pathParameters: { designId: given },
  queryParameters: {},
  body: z.looseObject({ newOwner: given }),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't change the owner of app design {designId}",
  entity: "{designId}",
  errors: { otherwise: { kind: "appCrud" } },
});
