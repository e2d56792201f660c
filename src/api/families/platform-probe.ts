import * as z from "zod/mini";
import { userNamespace } from "../catalogue/models/workspaces.ts";
import type { AnyOperation } from "../catalogue/operation.ts";
import { listAuthorizations } from "../catalogue/operations/sandbox.ts";
import { getNamespace } from "../catalogue/operations/workspaces.ts";
import { transportError } from "../client/exchange-errors.ts";
import { prepareRequest } from "../client/request.ts";
import { PlatformCredential } from "../http/credentials.ts";
import { type DialectId, dialects, isDialectId } from "../http/dialects.ts";
import type { DispatchResponse } from "../http/dispatch.ts";
import { exceededLimit } from "../http/response-limits.ts";
import type { Transport } from "../http/transport.ts";
import { secureConnectionProblem, TransportError } from "../http/transport-errors.ts";
import { phrase, type Text } from "../phrase.ts";

/** The result of probing the server at a tenant's address. */
export type PlatformProbe =
  /** The server responds like the platform. `dialects` are the possible dialects, in the order in which to try them. */
  | { readonly type: "platform"; readonly dialects: readonly DialectId[] }
  /** A server responds. It may still be a platform that is down, or behind a sign-in page. */
  | { readonly type: "unrecognized"; readonly reason: Text }
  /** No server responds, or its identity can't be verified. `isPlain`: a server responds, but not with https. */
  | { readonly type: "unreachable"; readonly reason: Text; readonly isPlain: boolean };

/** All dialects, in the order in which to try them. */
export const allDialects: readonly DialectId[] = Object.keys(dialects).filter(isDialectId);

export interface ProbeOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each request; 10 seconds by default. */
  readonly timeLimitMs?: number;
}

/** Maximum size of a response in bytes. The platform's response has a few dozen. */
const maxResponseBytes = 64 * 1024;
const limits = { values: 1000, depth: 20 };

/** The header template has no placeholder for a token, so no credential is sent. */
const noCredential = { name: "accept", template: "application/json" };

/**
 * Checks whether the server at an address is a platform, without a credential and without changing anything. A platform
 * rejects the request with an error of its API. Sends at most one request, plus one per dialect if the host doesn't
 * determine the dialect. Throws only if canceled.
 */
export async function probePlatform(transport: Transport, base: URL, options: ProbeOptions): Promise<PlatformProbe> {
  const first = await asked(transport, getNamespace, base, "documented", options);
  if (first.type === "failed") {
    return { type: "unreachable", reason: first.reason, isPlain: first.isPlain };
  }
  const reason = first.type === "tooLarge" ? unlikePlatform(base) : strangeness(first.response, base);
  if (reason !== undefined) {
    return { type: "unrecognized", reason };
  }
  const ofHost = allDialects.filter((id) => dialects[id].hosts.some((host) => isWithin(base.hostname, host)));
  if (ofHost.length > 0) {
    return { type: "platform", dialects: ofHost };
  }
  const served = await Promise.all(
    allDialects.map(async (id) => {
      const outcome = await asked(transport, listAuthorizations, base, id, options);
      return outcome.type === "answered" && isServed(outcome.response) ? [id] : [];
    }),
  );
  const reported = served.flat();
  return { type: "platform", dialects: reported.length === 0 ? allDialects : reported };
}

type Outcome =
  | { readonly type: "answered"; readonly response: DispatchResponse }
  | { readonly type: "tooLarge" }
  | { readonly type: "failed"; readonly reason: Text; readonly isPlain: boolean };

async function asked(
  transport: Transport,
  operation: AnyOperation,
  base: URL,
  dialect: DialectId,
  { signal, timeLimitMs = 10_000 }: ProbeOptions,
): Promise<Outcome> {
  const credential = new PlatformCredential(base.origin, "");
  const { method, url } = prepareRequest(operation, {}, { base, credential, dialect: dialects[dialect] });
  try {
    const response = await transport.send({
      method,
      url,
      credential,
      header: noCredential,
      headers: {},
      body: undefined,
      repeat: "never",
      timeLimitMs,
      transfer: false,
      signal,
      maximumBytes: maxResponseBytes,
    });
    return { type: "answered", response };
  } catch (error) {
    if (!(error instanceof TransportError)) {
      throw error;
    }
    const { failureCause, parts } = transportError(operation, {}, error.failure, url);
    if (failureCause.type === "cancelled") {
      throw error;
    }
    if (failureCause.type === "tooLarge") {
      return { type: "tooLarge" };
    }
    return {
      type: "failed",
      isPlain: failureCause.type === "network" && secureConnectionProblem(failureCause.code) === "notSecure",
      reason: parts.remedy === undefined ? phrase`${parts.reason}.` : phrase`${parts.reason}. ${parts.remedy}`,
    };
  }
}

/** Why a response is not the platform's; undefined for the platform's response to a request without a credential. */
function strangeness(response: DispatchResponse, base: URL): Text | undefined {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const target = redirectTarget(response, base);
    return target === undefined || target === base.origin
      ? phrase`${base.host} redirects API requests to another page.`
      : phrase`${base.host} redirects requests to ${target}. If that is the tenant, enter its address.`;
  }
  if (isWebPage(response)) {
    return phrase`${base.host} returned a web page instead of an API response.`;
  }
  if (status === 401 || status === 403) {
    return undefined;
  }
  if (status >= 200 && status < 300) {
    return z.safeParse(userNamespace, jsonOf(response.body)).success ? undefined : unlikePlatform(base);
  }
  return status === 429 || status >= 500
    ? phrase`${base.host} returned an error (${status}).`
    : phrase`${base.host} has no platform API at this address (${status}).`;
}

const unlikePlatform = ({ host }: URL): Text => phrase`${host} responded, but it doesn't appear to be a platform.`;

/** True if the response is from a server that has the operation and requires a credential for it. */
function isServed(response: DispatchResponse): boolean {
  const { status } = response;
  return !isWebPage(response) && (status === 401 || status === 403 || (status >= 200 && status < 300));
}

function isWebPage({ headers, body }: DispatchResponse): boolean {
  return (
    /html/i.test(headers["content-type"] ?? "") ||
    new TextDecoder().decode(body.subarray(0, 64)).trimStart().startsWith("<")
  );
}

/** The origin of a redirect's target; undefined if the response has none. */
function redirectTarget({ headers }: DispatchResponse, base: URL): string | undefined {
  const { location = "" } = headers;
  return location !== "" && URL.canParse(location, base.href) ? new URL(location, base.href).origin : undefined;
}

/** Parses a response as JSON; undefined if it is not JSON, or larger than a platform's response. */
function jsonOf(body: Uint8Array): unknown {
  if (exceededLimit(body, limits) !== undefined) {
    return undefined;
  }
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function isWithin(hostname: string, host: string): boolean {
  return hostname === host || hostname.endsWith(`.${host}`);
}
