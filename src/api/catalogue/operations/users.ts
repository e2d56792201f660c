import * as z from "zod/mini";
import { signedInUser } from "../models/users.ts";
import { defineOperation } from "../operation.ts";

export const getSignedInUser = defineOperation({
  id: "users.me",
  section: "beyond",
  summary: "Read the signed-in user",
  method: "GET",
  path: "/api/content/v2/users/me",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  answer: signedInUser,
  credential: "platform",
  effect: "read",
  failure: "Cannot read who is signed in",
  entity: "signed-in user",
  errors: { otherwise: { kind: "retrieval" } },
});
