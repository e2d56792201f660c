import * as z from "zod/mini";
import { appAccess, appContents, appSearch, appShareBody, appSummaries } from "../models/app-studio.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const errors = { 404: { kind: "notFound" }, otherwise: { kind: "route" } } as const;
const wholeNumber = z.optional(z.int().check(z.minimum(0)));

export const searchApps = defineOperation({
  id: "appStudio.apps.search",
  section: "beyond",
  summary: "List or search the App Studio apps that an administrator can see",
  method: "POST",
  path: "/api/content/v1/dataapps/adminsummary",
  pathParameters: {},
  queryParameters: { limit: wholeNumber, skip: wholeNumber },
  body: appSearch,
  response: appSummaries,
  credential: "platform",
  effect: "read",
  failure: "Can't list the App Studio apps",
  entity: "App Studio apps",
  errors,
});

export const getAppContents = defineOperation({
  id: "appStudio.apps.get",
  section: "beyond",
  summary: "Read the views and cards of an App Studio app",
  method: "GET",
  path: "/api/content/v1/dataapps/{appId}/adminsummary",
  pathParameters: { appId: given },
  queryParameters: {},
  body: z.undefined(),
  response: appContents,
  credential: "platform",
  effect: "read",
  failure: "Can't read App Studio app {appId}",
  entity: "{appId}",
  errors,
});

export const getAppAccess = defineOperation({
  id: "appStudio.access.get",
  section: "beyond",
  summary: "List the users and groups that can see an App Studio app",
  method: "GET",
  path: "/api/content/v1/dataapps/{appId}/access",
  pathParameters: { appId: given },
  queryParameters: {},
  body: z.undefined(),
  response: appAccess,
  credential: "platform",
  effect: "read",
  failure: "Can't read who has access to App Studio app {appId}",
  entity: "{appId}",
  errors,
});

export const shareApps = defineOperation({
  id: "appStudio.shares.add",
  section: "beyond",
  summary: "Give users and groups access to App Studio apps; recipients have the type user or group",
  method: "POST",
  path: "/api/content/v1/dataapps/share",
  pathParameters: {},
  queryParameters: { sendEmail: z.optional(z.boolean()) },
  body: appShareBody,
  response: z.unknown(),
  credential: "platform",
  effect: "grant",
  failure: "Can't share the App Studio apps",
  entity: "App Studio apps",
  errors,
});
