import * as z from "zod/mini";
import type { FrontDoorPlace } from "../../tenants/tenant.ts";
import type { FrontDoorToken } from "../../tenants/tenant-secrets.ts";

const timeLimitMs = 15_000;
const maxResponseBytes = 64 * 1024;
const claims = z.looseObject({ exp: z.number(), iat: z.optional(z.number()) });

/** Issue and expiry time of a token, in milliseconds since 1970; undefined if it contains none. */
export function lifetimeOf(secret: string): { readonly from: number | undefined; readonly until: number } | undefined {
  const [, payload, , ...more] = secret.split(".");
  if (payload === undefined || more.length > 0) {
    return undefined;
  }
  try {
    const parsed = z.safeParse(claims, JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
    if (!parsed.success || !Number.isFinite(parsed.data.exp)) {
      return undefined;
    }
    const { exp, iat } = parsed.data;
    return { from: iat === undefined ? undefined : iat * 1000, until: exp * 1000 };
  } catch {
    return undefined;
  }
}

/**
 * When to renew a token: a tenth of its lifetime before it expires, but at least 30 seconds and at most 5 minutes
 * before.
 */
export function renewalTimeOf(secret: string): number | undefined {
  const lifetime = lifetimeOf(secret);
  if (lifetime === undefined) {
    return undefined;
  }
  const life = lifetime.from === undefined ? 0 : lifetime.until - lifetime.from;
  return lifetime.until - Math.min(300_000, Math.max(30_000, life / 10));
}

/** True if the token has expired, or expires within the next 5 seconds. */
export function hasEnded(secret: string, now = Date.now()): boolean {
  return (lifetimeOf(secret)?.until ?? Number.POSITIVE_INFINITY) <= now + 5_000;
}

const tokenResponse = z.looseObject({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.optional(z.string()),
});
const tokenError = z.looseObject({ error: z.optional(z.string()), error_description: z.optional(z.string()) });

/** True if there is a refresh token for the token endpoint in the settings. */
export function isRenewable(place: FrontDoorPlace, token: FrontDoorToken): boolean {
  return place.tokenUrl !== undefined && token.refresh?.origin === new URL(place.tokenUrl).origin;
}

/**
 * A new token from the token endpoint (OAuth 2.0, refresh token grant). Throws an Error with the endpoint's message.
 */
export async function renewed(place: FrontDoorPlace, token: FrontDoorToken): Promise<FrontDoorToken> {
  const { tokenUrl, clientId, tokenPrefix = "" } = place;
  if (tokenUrl === undefined || token.refresh === undefined || !isRenewable(place, token)) {
    throw new Error("there is no refresh token for the token endpoint");
  }
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: token.refresh.secret });
  if (clientId !== undefined) {
    form.set("client_id", clientId);
  }
  const response = await fetch(tokenUrl, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: form.toString(),
    // Don't send the refresh token to any other address.
    redirect: "manual",
    signal: AbortSignal.timeout(timeLimitMs),
  });
  const text = (await response.text()).slice(0, maxResponseBytes);
  const parsedBody = parsed(text);
  const made = z.safeParse(tokenResponse, parsedBody);
  if (!response.ok || !made.success) {
    const parsedError = z.safeParse(tokenError, parsedBody);
    const words = parsedError.success ? (parsedError.data.error_description ?? parsedError.data.error) : undefined;
    throw new Error(`${words ?? "the token endpoint gave no token"} (${response.status})`);
  }
  const { access_token: access, refresh_token: refresh } = made.data;
  return {
    origin: token.origin,
    secret: access.startsWith(tokenPrefix) ? access : `${tokenPrefix}${access}`,
    refresh: { origin: token.refresh.origin, secret: refresh ?? token.refresh.secret },
  };
}

/** The front door's verdict on a token. */
export type FrontDoorCheck = { readonly accepted: true } | { readonly accepted: false; readonly reason: string };

const protocolVersion = "2026-07-28";
const refusal = z.looseObject({
  message: z.optional(z.string()),
  error: z.optional(z.union([z.string(), z.looseObject({ message: z.optional(z.string()) })])),
});

/** Tests a token with a real request that reads and changes nothing. */
export async function tryFrontDoor(url: string, secret: string, signal: AbortSignal): Promise<FrontDoorCheck> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": protocolVersion,
      "mcp-method": "server/discover",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "server/discover",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": protocolVersion,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]),
  });
  const text = (await response.text()).slice(0, maxResponseBytes);
  // A front door with the previous protocol revision responds with 400 after it has accepted the token.
  if (response.status === 200 || response.status === 400) {
    return { accepted: true };
  }
  const parsedError = z.safeParse(refusal, parsed(text));
  const error = parsedError.success ? parsedError.data.error : undefined;
  const inner = typeof error === "object" ? error.message : undefined;
  const words =
    (parsedError.success ? parsedError.data.message : undefined) ?? inner ?? "the front door did not take it";
  return { accepted: false, reason: `${words} (${response.status})` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
