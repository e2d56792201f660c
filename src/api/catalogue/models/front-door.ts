import * as z from "zod/mini";

// The messages between the front door and the internal service (API description, 4.8). The description specifies
// neither queries nor bodies, so this project defines the fields. Similar names are also accepted.

/** An email address without characters that could change the path when it is used as a segment. */
export const emailAddress = z
  .string()
  .check(z.maxLength(254), z.regex(/^[^\s@/\\?#%]+@[^\s@/\\?#%]+$/, { error: "it must be an email address" }));

/** Identifies one of a user's stored credentials. */
export const credentialSlug = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, { error: "it may contain only lowercase letters, digits, _, and -" }));

/** A tenant's name as a single hostname label. */
export const tenantPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The user whose stored credential is validated. This project adds the tenant, because a front door for several tenants
 * can't otherwise determine which one the credential belongs to.
 */
export const validateBody = z.strictObject({
  email: emailAddress,
  slug: credentialSlug,
  tenant: z.optional(z.string().check(z.regex(tenantPattern, { error: "it must be one label of a hostname" }))),
});

const verdict = z.optional(z.boolean());

/** A boolean, or an object that contains one. */
export const verdictResponse = z.union([
  z.boolean(),
  z.looseObject({ valid: verdict, entitled: verdict, allowed: verdict, ok: verdict, result: verdict }),
]);

/** The verdict of a response: true only if the response explicitly says so. */
export function verdictOf(response: z.output<typeof verdictResponse>): boolean {
  if (typeof response === "boolean") {
    return response;
  }
  return (
    [response.valid, response.entitled, response.allowed, response.ok, response.result].find(
      (one) => one !== undefined,
    ) ?? false
  );
}

/**
 * A credential encrypted for the holder of the private key: a compact JWE string, or its parts (base64url) as an
 * object.
 */
export const credentialEnvelope = z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())]);
