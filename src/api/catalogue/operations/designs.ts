import * as z from "zod/mini";
import { adminIds, design, designVersions } from "../models/designs.ts";
import { defineOperation } from "../operation.ts";

const designId = { designId: z.string().check(z.minLength(1)) };
const version = { version: z.string().check(z.minLength(1)) };
const hidden = "It doesn't exist, or you don't have access to it. The platform doesn't distinguish the two.";
const reading = { 404: { kind: "appGet", remedy: hidden }, otherwise: { kind: "appGet" } } as const;

export const listDesigns = defineOperation({
  id: "designs.list",
  section: "4.3",
  summary: "List enterprise app designs, a page at a time",
  method: "GET",
  path: "/api/apps/v1/designs",
  pathParameters: {},
  queryParameters: {
    checkAdminAuthority: z._default(z.boolean(), true),
    deleted: z._default(z.boolean(), false),
    direction: z._default(z.enum(["desc", "asc"]), "desc"),
    parts: z._default(z.string(), "owners,creator,thumbnail,versions,cards"),
    search: z._default(z.string(), ""),
    withPermission: z._default(z.string(), "ADMIN"),
    limit: z._default(z.int().check(z.minimum(1)), 30),
    offset: z._default(z.int().check(z.minimum(0)), 0),
  },
  body: z.undefined(),
  response: z.array(design),
  credential: "platform",
  effect: "read",
  failure: "Can't list the app designs",
  entity: "designs",
  errors: { otherwise: { kind: "appGet" } },
  timeLimitMs: 10_000,
  paging: { style: "offset", limit: "limit", offset: "offset", pageSize: 30 },
});

export const getDesign = defineOperation({
  id: "designs.get",
  section: "4.3",
  summary: "Read an app design",
  method: "GET",
  path: "/api/apps/v1/designs/{designId}",
  pathParameters: designId,
  queryParameters: { parts: z._default(z.string(), "owners,cards,versions,creator") },
  body: z.undefined(),
  response: design,
  credential: "platform",
  effect: "read",
  failure: "Can't read app design {designId}",
  entity: "{designId}",
  errors: reading,
});

export const listDesignVersions = defineOperation({
  id: "designs.versions.list",
  section: "4.3",
  summary: "List the versions of an app design",
  method: "GET",
  path: "/<designs>/designs/{designId}/versions",
  pathParameters: designId,
  queryParameters: {},
  body: z.undefined(),
  response: designVersions,
  credential: "platform",
  effect: "read",
  failure: "Can't list the versions of app design {designId}",
  entity: "{designId}",
  errors: reading,
});

export const getDesignAssets = defineOperation({
  id: "designs.versions.assets",
  section: "4.3",
  summary: "Download the source of an app design's version as a ZIP archive",
  method: "GET",
  path: "/<designs>/designs/{designId}/versions/{version}/assets",
  pathParameters: { ...designId, ...version },
  queryParameters: {},
  body: z.undefined(),
  response: z.instanceof(Uint8Array),
  responseFormat: "bytes",
  credential: "platform",
  effect: "read",
  failure: "Can't download version {version} of app design {designId}",
  entity: "design {designId}, version {version}",
  errors: { 404: { kind: "asset", remedy: hidden }, otherwise: { kind: "asset" } },
  bodyTexts: {
    "Not Found": {
      reason: "the platform has no archive for it: it returned the text Not Found",
      remedy: "Check the version, and that its assets were published.",
    },
  },
  transfer: true,
});

export const addDesignAdmin = defineOperation({
  id: "designs.admins.add",
  section: "4.3",
  summary: "Make users admins of an app design. Existing access is kept.",
  method: "POST",
  path: "/api/apps/v1/designs/{designId}/permissions/ADMIN",
  pathParameters: designId,
  queryParameters: {},
  body: adminIds,
  response: z.unknown(),
  credential: "platform",
  effect: "grant",
  failure: "Can't give access to app design {designId}",
  entity: "{designId}",
  errors: { 404: { kind: "appCrud", remedy: hidden }, otherwise: { kind: "appCrud" } },
});

export const getDesignPermissions = defineOperation({
  id: "designs.permissions.get",
  section: "beyond",
  summary: "Read the permissions of an app design. The platform rejects this; read the owners instead.",
  method: "GET",
  path: "/api/apps/v1/designs/{designId}/permissions/{level}",
  pathParameters: { ...designId, level: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "read",
  failure: "Can't read the permissions of app design {designId}",
  entity: "{designId}",
  errors: {
    405: {
      kind: "appGet",
      remedy:
        "The platform doesn't provide the permissions of app designs. Read the owners instead: they are everyone with access.",
    },
    otherwise: { kind: "appGet" },
  },
});
