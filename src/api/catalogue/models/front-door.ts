import * as z from "zod/mini";

// What the front door and the internal service say to each other (API description, 4.8). The description shows neither
// queries nor bodies: the fields are this project's choice, and other names that are near at hand are read, too.

/** An address as a path segment can carry it: nothing in it that could become another path. */
export const emailAddress = z
  .string()
  .check(z.maxLength(254), z.regex(/^[^\s@/\\?#%]+@[^\s@/\\?#%]+$/, { error: "it must be an e-mail address" }));

/** Which of a person's stored credentials is meant. */
export const credentialSlug = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, { error: "it may have lower-case letters, digits, _ and - only" }));

/** What stands for a tenant in a hostname: one label of it. */
export const tenantPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Whose stored credential to validate. The tenant is this project's own: a front door for several tenants cannot know
 * otherwise where the credential belongs.
 */
export const validateBody = z.strictObject({
  email: emailAddress,
  slug: credentialSlug,
  tenant: z.optional(z.string().check(z.regex(tenantPattern, { error: "it must be one label of a host name" }))),
});

const verdict = z.optional(z.boolean());

/** A boolean, or an object with one. */
export const verdictAnswer = z.union([
  z.boolean(),
  z.looseObject({ valid: verdict, entitled: verdict, allowed: verdict, ok: verdict, result: verdict }),
]);

/** The verdict of an answer: true only where it says so. */
export function verdictOf(answer: z.output<typeof verdictAnswer>): boolean {
  if (typeof answer === "boolean") {
    return answer;
  }
  return (
    [answer.valid, answer.entitled, answer.allowed, answer.ok, answer.result].find((one) => one !== undefined) ?? false
  );
}

/** A credential that only the holder of the private key can read: JWE as one text, or its parts (base64url) as an object. */
export const credentialEnvelope = z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())]);
