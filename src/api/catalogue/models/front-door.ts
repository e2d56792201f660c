import * as z from "zod/mini";

// The messages between the front door and the internal service (API description, 4.8). The description specifies
// neither queries nor bodies: the fields are this project's choice, and similar names are accepted, too.

/** An address that can be a path segment: it contains nothing that could form another path. */
export const emailAddress = z
  .string()
  .check(z.maxLength(254), z.regex(/^[^\s@/\\?#%]+@[^\s@/\\?#%]+$/, { error: "it must be an email address" }));

/** Identifies one of a user's stored credentials. */
export const credentialSlug = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, { error: "it may contain only lowercase letters, digits, _, and -" }));

/** A tenant's name in a hostname: a single label. */
export const tenantPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The user whose stored credential is validated. The tenant is this project's addition: a front door for several
 * tenants has no other way to know which one the credential belongs to.
 */
export const validateBody = z.strictObject({
  email: emailAddress,
  slug: credentialSlug,
  tenant: z.optional(z.string().check(z.regex(tenantPattern, { error: "it must be one label of a hostname" }))),
});

const verdict = z.optional(z.boolean());

/** A boolean, or an object that contains one. */
export const verdictAnswer = z.union([
  z.boolean(),
  z.looseObject({ valid: verdict, entitled: verdict, allowed: verdict, ok: verdict, result: verdict }),
]);

/** The verdict of an answer: true only if the answer explicitly says so. */
export function verdictOf(answer: z.output<typeof verdictAnswer>): boolean {
  if (typeof answer === "boolean") {
    return answer;
  }
  return (
    [answer.valid, answer.entitled, answer.allowed, answer.ok, answer.result].find((one) => one !== undefined) ?? false
  );
}

/** A credential encrypted for the holder of the private key: JWE as one text, or its parts (base64url) as an object. */
export const credentialEnvelope = z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())]);
