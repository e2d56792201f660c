import * as z from "zod/mini";
import {
  credentialEnvelope,
  credentialSlug,
  emailAddress,
  validateBody,
  verdictResponse,
} from "../models/front-door.ts";
import { defineOperation } from "../operation.ts";

const secretRefused = { kind: "retrieval", remedy: "Check that both sides use the same internal secret." } as const;
const retrieval = { 401: secretRefused, 403: secretRefused, otherwise: { kind: "retrieval" } } as const;

/** Sent to the front door itself. The other operations are sent to the internal service behind it. */
export const validateCredential = defineOperation({
  id: "frontDoor.credentials.validate",
  section: "4.8",
  summary: "Ask the front door whether a stored credential is valid",
  method: "POST",
  path: "/internal/validate",
  pathParameters: {},
  queryParameters: {},
  body: validateBody,
  response: verdictResponse,
  credential: "internal",
  effect: "read",
  failure: "Can't validate a stored credential",
  entity: "stored credential",
  errors: retrieval,
});

export const checkEntitlement = defineOperation({
  id: "frontDoor.entitlements.check",
  section: "4.8",
  summary: "Check whether a user is entitled to a resource",
  method: "GET",
  path: "/api/internal/entitlements/check",
  pathParameters: {},
  queryParameters: { email: emailAddress, resource: z.string().check(z.minLength(1)) },
  body: z.undefined(),
  response: verdictResponse,
  credential: "internal",
  effect: "read",
  failure: "Can't check an entitlement",
  entity: "entitlement",
  errors: retrieval,
});

export const getStoredCredential = defineOperation({
  id: "frontDoor.credentials.get",
  section: "4.8",
  summary: "Fetch a user's stored credential in encrypted form",
  method: "GET",
  path: "/api/internal/platform-cred/{email}/{slug}",
  pathParameters: { email: emailAddress, slug: credentialSlug },
  queryParameters: {},
  body: z.undefined(),
  response: credentialEnvelope,
  credential: "internal",
  effect: "read",
  failure: "Can't fetch the stored credential {slug} of {email}",
  entity: "{email}, {slug}",
  errors: { ...retrieval, 404: { kind: "notFound" } },
  confidential: ["ciphertext", "encrypted_key"],
});
