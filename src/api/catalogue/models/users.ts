import * as z from "zod/mini";

/** The user that a credential belongs to. */
export const signedInUser = z.looseObject({
  id: z.union([z.number(), z.string()]),
  displayName: z.nullish(z.string()),
  userName: z.nullish(z.string()),
  emailAddress: z.nullish(z.string()),
  role: z.nullish(z.string()),
  timeZone: z.nullish(z.string()),
});
export type SignedInUser = z.output<typeof signedInUser>;
