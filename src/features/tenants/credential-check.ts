import { getNamespace } from "../../api/catalogue/operations/workspaces.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import type { DialectId } from "../../api/http/dialects.ts";
import { causeOf, PlatformError } from "../../api/http/errors.ts";
import { type Translate, translated } from "../../api/translation.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/**
 * The result of testing a platform credential; `account` is the user's name on the platform. A refusal is about the
 * credential, or about the tenant's address if no platform responds there.
 */
export type CredentialCheck =
  | { readonly accepted: true; readonly value: { readonly account: string } }
  | { readonly accepted: false; readonly about: "address" | "credential"; readonly reason: string };

type Refusal = Extract<CredentialCheck, { readonly accepted: false }>;

type AddressCheck =
  | { readonly accepted: true; readonly value: { readonly account: string; readonly baseUrl: string } }
  | Refusal;

/**
 * Tests a credential with one real request. The platform has also accepted the credential if it responds that the
 * notebook service must first be opened in a browser (403 DS-0018). Throws only if canceled.
 */
export async function checkCredential(
  client: PlatformClient,
  tenant: Pick<Tenant, "label" | "baseUrl">,
  translate: Translate,
  signal: AbortSignal,
): Promise<CredentialCheck> {
  try {
    const { name } = await client.call(getNamespace, {}, { signal });
    return { accepted: true, value: { account: name } };
  } catch (error) {
    const cause = causeOf(error);
    if (!(error instanceof PlatformError) || cause?.type === "cancelled") {
      throw error;
    }
    if (cause?.type === "handshake") {
      return { accepted: true, value: { account: tenant.label } };
    }
    const about = cause?.type === "status" && cause.status !== 404 ? "credential" : "address";
    return { accepted: false, about, reason: refusal(error, tenant, translate) };
  }
}

/**
 * Tests a credential at the tenant's address. If an address with a path does not accept it, also tests the address
 * without the path, because users paste page addresses. `baseUrl` is the address that accepted it.
 */
export async function checkAddress<Checked extends Pick<Tenant, "label" | "baseUrl">>(
  clientOf: (tenant: Checked) => PlatformClient,
  tenant: Checked,
  translate: Translate,
  signal: AbortSignal,
): Promise<AddressCheck> {
  const first = await checkCredential(clientOf(tenant), tenant, translate, signal);
  if (first.accepted) {
    return { accepted: true, value: { ...first.value, baseUrl: tenant.baseUrl } };
  }
  const { origin, pathname } = new URL(tenant.baseUrl);
  if (pathname === "/") {
    return first;
  }
  const root = { ...tenant, baseUrl: origin };
  const second = await checkCredential(clientOf(root), root, translate, signal);
  if (second.accepted) {
    return { accepted: true, value: { ...second.value, baseUrl: origin } };
  }
  return second.about === "credential" ? second : first;
}

/** A credential that a platform accepted, and the details from that test. */
export interface AcceptedCredential {
  readonly account: string;
  /** The address that accepted it. */
  readonly baseUrl: string;
  /** The dialects in which it was accepted: usually one, or several if the platform accepts both formats. */
  readonly dialects: readonly DialectId[];
}

/**
 * Tests a credential in each possible dialect, one after the other. If none is accepted, the reason is that of the
 * first refusal about the credential itself.
 */
export async function checkDialects(
  checkIn: (dialect: DialectId) => Promise<AddressCheck>,
  [first = "documented", ...others]: readonly DialectId[],
): Promise<DialectCheck> {
  let outcome = inDialect(await checkIn(first), first);
  for (const dialect of others) {
    const next = inDialect(await checkIn(dialect), dialect);
    outcome = together(outcome, next);
  }
  return outcome;
}

type DialectCheck = { readonly accepted: true; readonly value: AcceptedCredential } | Refusal;

function inDialect(result: AddressCheck, dialect: DialectId): DialectCheck {
  return result.accepted ? { accepted: true, value: { ...result.value, dialects: [dialect] } } : result;
}

function together(one: DialectCheck, other: DialectCheck): DialectCheck {
  if (one.accepted && other.accepted) {
    const { value } = one;
    return { accepted: true, value: { ...value, dialects: [...value.dialects, ...other.value.dialects] } };
  }
  if (one.accepted || other.accepted) {
    return one.accepted ? one : other;
  }
  return one.about === "address" && other.about === "credential" ? other : one;
}

function refusal(error: PlatformError, tenant: Pick<Tenant, "baseUrl">, translate: Translate): string {
  const { host } = new URL(tenant.baseUrl);
  const cause = error.failureCause;
  if (cause.type === "notJson") {
    return translate(
      "{0} returned a web page instead of an API response. Check the tenant's address, and whether a sign-in page or a proxy intercepts the connection.",
      host,
    );
  }
  if (cause.type === "status" && cause.status === 401) {
    return translate("{0} rejected this token: {1}.", host, translated(error.parts.reason, translate));
  }
  const { reason, remedy } = error.parts;
  return `${sentence(translated(reason, translate))}. ${translated(remedy ?? "", translate)}`.trim();
}

/** Capitalizes the first letter of a text, unless it begins with an address. */
function sentence(text: string): string {
  return /^https?:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
