import * as z from "zod/mini";
import { emailAddress, tenantPattern, type verdictResponse } from "../../../api/catalogue/models/front-door.ts";
import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { checkEntitlement, getStoredCredential } from "../../../api/catalogue/operations/front-door.ts";
import { Client } from "../../../api/client/client.ts";
import { InternalSecret } from "../../../api/http/credentials.ts";
import { dialects } from "../../../api/http/dialects.ts";
import { PlatformError } from "../../../api/http/errors.ts";
import type { Log } from "../../../api/http/log.ts";
import type { ResponseLimits } from "../../../api/http/response-limits.ts";
import type { Transport } from "../../../api/http/transport.ts";
import { type InternalServiceConfiguration, withTenant } from "../config/configuration.ts";

type EntitlementResponse =
  | { readonly outcome: "entitled" }
  | { readonly outcome: "denied" }
  | { readonly outcome: "unavailable"; readonly reason: string };

type EnvelopeResponse =
  | { readonly outcome: "found"; readonly envelope: unknown }
  | { readonly outcome: "missing" }
  | { readonly outcome: "unreadable"; readonly reason: string }
  | { readonly outcome: "unavailable"; readonly reason: string };

/** The internal service (API description, 4.8). Each call sends one request. Failures are outcomes, not errors. */
export interface InternalService {
  entitlement(email: string, tenant: string | undefined): Promise<EntitlementResponse>;
  envelope(email: string, slug: string): Promise<EnvelopeResponse>;
}

const limits: ResponseLimits = { jsonBytes: 256 * 1024, bytes: 0, values: 1000, depth: 20 };

/**
 * Creates a client for the internal service. Sends the secret only to the service's origin, and doesn't follow
 * redirects.
 */
export function createInternalService(
  configuration: InternalServiceConfiguration,
  transport: Transport,
  log: Log,
): InternalService {
  const { baseUrl, secrets, emailParameter, resourceParameter, tenantParameter } = configuration;
  const timeLimitMs = configuration.timeLimitMilliseconds;
  const credential = new InternalSecret(baseUrl.origin, secrets[0]);
  const destination = { kind: "internal", base: baseUrl, dialect: dialects.documented, credential, limits } as const;
  // No retries, because the caller is waiting, and retries would add load to a failing service.
  const single: Transport = {
    send: (request) => transport.send({ ...request, repeat: "never" }),
    close: () => transport.close(),
  };
  const client = new Client(destination, single, log);
  const entitlementCheck: AnyOperation & { readonly credential: "internal" } = {
    ...checkEntitlement,
    queryParameters: {
      [emailParameter]: emailAddress,
      [resourceParameter]: z.string().check(z.minLength(1)),
      ...(tenantParameter === undefined ? {} : { [tenantParameter]: z.string().check(z.regex(tenantPattern)) }),
    },
    timeLimitMs,
  };
  const credentialRead = { ...getStoredCredential, timeLimitMs };
  const root = `${baseUrl.pathname.replace(/\/$/, "")}/api/internal/platform-cred/`;

  return {
    async entitlement(email, tenant) {
      const input = {
        [emailParameter]: email,
        [resourceParameter]: withTenant(configuration.resource, tenant),
        ...(tenantParameter === undefined ? {} : { [tenantParameter]: tenant }),
      };
      try {
        const response = (await client.call(entitlementCheck, input as never)) as z.output<typeof verdictResponse>;
        const verdict = verdictIn(response);
        return verdict === undefined
          ? { outcome: "unavailable", reason: "internal service: its response has no verdict" }
          : { outcome: verdict ? "entitled" : "denied" };
      } catch (error) {
        // The service knows neither the person nor the resource, or doesn't permit it.
        const isDenied = error instanceof PlatformError && (error.status === 403 || error.status === 404);
        return isDenied ? { outcome: "denied" } : { outcome: "unavailable", reason: causeIn(error) };
      }
    },
    async envelope(email, slug) {
      try {
        const { url } = client.prepare(credentialRead, { email, slug });
        if (url.pathname !== `${root}${encodeURIComponent(email)}/${slug}` || url.origin !== baseUrl.origin) {
          return { outcome: "unavailable", reason: "the credential's address is not the requested one" };
        }
        return { outcome: "found", envelope: await client.call(credentialRead, { email, slug }) };
      } catch (error) {
        if (error instanceof PlatformError && error.kind === "notFound" && error.failureCause.type === "status") {
          return { outcome: "missing" };
        }
        const cameWhole =
          error instanceof PlatformError &&
          (error.failureCause.type === "unexpectedResponse" || error.failureCause.type === "notJson") &&
          error.status === 200;
        const isTooLarge = error instanceof PlatformError && error.failureCause.type === "tooLarge";
        return { outcome: cameWhole || isTooLarge ? "unreadable" : "unavailable", reason: causeIn(error) };
      }
    },
  };
}

/** True if all verdicts in the response are true. Undefined if there is none, or if one is not a boolean. */
function verdictIn(response: z.output<typeof verdictResponse>): boolean | undefined {
  if (typeof response === "boolean") {
    return response;
  }
  const { valid, entitled, allowed, ok, result } = response;
  const verdicts: readonly unknown[] = [valid, entitled, allowed, ok, result].filter((one) => one !== undefined);
  return verdicts.length > 0 && verdicts.every((one) => typeof one === "boolean")
    ? verdicts.every((one) => one === true)
    : undefined;
}

/** The cause of a failure, without the user's email address. */
function causeIn(error: unknown): string {
  if (!(error instanceof PlatformError)) {
    return "internal service: it failed";
  }
  const { failureCause: cause, status } = error;
  const detail = cause.type === "network" ? ` ${cause.code}` : status === undefined ? "" : ` ${status}`;
  return `internal service: ${cause.type}${detail}`;
}
