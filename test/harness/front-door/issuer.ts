// A real token issuer (oidc-provider) whose key set can be rotated, withheld, and corrupted.
import { createSign, generateKeyPair, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { exportJWK, type JWK } from "jose";
import { Provider } from "oidc-provider";
import { lazy } from "../../../src/api/lazy.ts";
import { type LocalServer, serveLocally } from "./local-server.ts";

/** The issuer's answer to requests for its key set. With another status, the set is right all the same. */
export type KeySetResponse =
  | { readonly kind: "serve" }
  | { readonly kind: "cut" }
  | { readonly kind: "hang" }
  | { readonly kind: "late"; readonly milliseconds: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "text"; readonly text: string }
  /** Additional keys, before the issuer's own. */
  | { readonly kind: "with-keys"; readonly keys: readonly object[] };

/** A signing key pair with the public key as in the key set. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

export interface Issuer {
  /** The issuer's identifier, which is also its origin. */
  readonly url: string;
  readonly keySetUrl: string;
  readonly audience: string;
  /** The current signing key. */
  readonly key: SigningKey;
  /** Number of requests for the key set since the start or the last `reset`. */
  readonly keySetRequests: number;
  /** Number of other requests. */
  readonly otherRequests: number;
  reset(): void;
  /** A token for a user, from the issuer's token endpoint. */
  token(email: string): Promise<string>;
  /** The claims of every token. */
  usualClaims(): Readonly<Record<string, unknown>>;
  /**
   * A token with these claims in addition to the usual ones, signed with the issuer's key or another one. Undefined
   * omits a claim.
   */
  sign(claims?: Readonly<Record<string, unknown>>, options?: SignOptions): string;
  /** Switches to a new signing key. Removes the earlier keys from the key set unless they are kept. */
  rotate(options?: { readonly keepEarlier?: boolean }): Promise<void>;
  responseKeySet(keySetResponse: KeySetResponse): void;
  stop(): Promise<void>;
}

interface SignOptions {
  readonly key?: SigningKey;
  readonly header?: Readonly<Record<string, unknown>>;
}

const audience = "urn:front-door:tools";
const scope = "tools";
const clientSecret = "a-client-secret-of-the-tests-alone";

/** A new signing key, RSA with 2,048 bits by default. */
export async function makeSigningKey(kid: string, modulusLength = 2048): Promise<SigningKey> {
  const pair = await promisify(generateKeyPair)("rsa", { modulusLength });
  const named = { kid, alg: "RS256", use: "sig" };
  return {
    kid,
    privateKey: pair.privateKey,
    publicJwk: { ...(await exportJWK(pair.publicKey)), ...named },
    privateJwk: { ...(await exportJWK(pair.privateKey)), ...named },
  };
}

/** The first key of every issuer, because a new one for each costs more than many requests. */
const firstKey = lazy(() => makeSigningKey("key-1"));

/** Starts the issuer on 127.0.0.1. Its clients are the users. Any email address gets a token for itself. */
export async function startIssuer(): Promise<Issuer> {
  let keys = [await firstKey()];
  let keySetResponse: KeySetResponse = { kind: "serve" };
  let keySetRequests = 0;
  let otherRequests = 0;
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_, response) => response.destroy();
  const server: LocalServer = await serveLocally(
    createServer((request, response) => {
      if (request.url !== "/jwks") {
        otherRequests += 1;
        void handle(request, response);
        return;
      }
      keySetRequests += 1;
      void responseKeySet(keySetResponse, keys, response, () => handle(request, response));
    }),
  );
  const { url } = server;
  const provide = (): void => {
    handle = provider(url, keys).callback();
  };
  provide();

  const current = (): SigningKey => {
    const [key] = keys;
    if (key === undefined) throw new Error("the issuer has no key");
    return key;
  };
  return {
    url,
    keySetUrl: `${url}/jwks`,
    audience,
    get key() {
      return current();
    },
    get keySetRequests() {
      return keySetRequests;
    },
    get otherRequests() {
      return otherRequests;
    },
    reset() {
      keySetRequests = 0;
      otherRequests = 0;
    },
    token: (email) => tokenFromEndpoint(url, email),
    usualClaims: () => usualClaims(url),
    sign: (claims = {}, options = {}) => signed(url, options.key ?? current(), claims, options.header ?? {}),
    async rotate({ keepEarlier = false } = {}) {
      const next = await makeSigningKey(`key-${keys.length + 1}-${Date.now().toString(36)}`);
      keys = [next, ...(keepEarlier ? keys : [])];
      provide();
    },
    responseKeySet(next) {
      keySetResponse = next;
    },
    stop: () => server.stop(),
  };
}

async function responseKeySet(
  keySetResponse: KeySetResponse,
  keys: readonly SigningKey[],
  response: ServerResponse,
  serve: () => unknown,
): Promise<void> {
  switch (keySetResponse.kind) {
    case "serve":
      serve();
      return;
    case "cut":
      response.destroy();
      return;
    case "hang":
      return;
    case "late":
      await delay(keySetResponse.milliseconds);
      serve();
      return;
    case "status":
      response.writeHead(keySetResponse.status, { "content-type": "application/jwk-set+json" }).end(setOf(keys));
      return;
    case "redirect":
      response.writeHead(302, { location: keySetResponse.location }).end(setOf(keys));
      return;
    case "text":
      response.writeHead(200, { "content-type": "application/json" }).end(keySetResponse.text);
      return;
    case "with-keys":
      response.writeHead(200, { "content-type": "application/jwk-set+json" }).end(setOf(keys, keySetResponse.keys));
  }
}

function setOf(keys: readonly SigningKey[], more: readonly object[] = []): string {
  return JSON.stringify({ keys: [...more, ...keys.map(({ publicJwk }) => publicJwk)] });
}

function provider(url: string, keys: readonly SigningKey[]): Provider {
  return new Provider(url, {
    jwks: { keys: keys.map(({ privateJwk }) => privateJwk) },
    cookies: { keys: ["a-cookie-key-of-the-tests-alone"] },
    findAccount: () => undefined,
    clients: [],
    scopes: [scope],
    ttl: { ClientCredentials: 600 },
    // Every client represents a user; its id is the user's email address.
    adapter: clientAdapter,
    extraTokenClaims: (_context, token) => ({ email: token.clientId, email_verified: true }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: () => ({
          scope,
          audience,
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
}

/** Stores nothing, because the token endpoint needs only the client, and JWTs are not stored. */
function clientAdapter(model: string): {
  find(id: string): Promise<Record<string, unknown> | undefined>;
  upsert(): Promise<undefined>;
  findByUserCode(): Promise<undefined>;
  findByUid(): Promise<undefined>;
  consume(): Promise<undefined>;
  destroy(): Promise<undefined>;
  revokeByGrantId(): Promise<undefined>;
} {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    find: async (id) =>
      model === "Client"
        ? {
            client_id: id,
            client_secret: clientSecret,
            grant_types: ["client_credentials"],
            redirect_uris: [],
            response_types: [],
            token_endpoint_auth_method: "client_secret_post",
          }
        : undefined,
    upsert: nothing,
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: nothing,
  };
}

async function tokenFromEndpoint(url: string, email: string): Promise<string> {
  const keySetResponse = await fetch(`${url}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: email,
      client_secret: clientSecret,
      resource: audience,
      scope,
    }),
  });
  const body: unknown = await keySetResponse.json();
  if (typeof body === "object" && body !== null && "access_token" in body && typeof body.access_token === "string") {
    return body.access_token;
  }
  throw new Error(`the issuer gave no token: ${JSON.stringify(body)}`);
}

function usualClaims(url: string): Readonly<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1000);
  return { iss: url, aud: audience, sub: "anna", email: "anna@example.com", iat: now, exp: now + 300 };
}

function signed(
  url: string,
  key: SigningKey,
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>>,
): string {
  const all = Object.entries({ ...usualClaims(url), ...claims }).filter(([, value]) => value !== undefined);
  return signText(key, JSON.stringify(Object.fromEntries(all)), header);
}

/** A token whose payload and header can be anything. */
export function signText(
  key: SigningKey,
  payload: string | Buffer,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const parts = [JSON.stringify({ alg: "RS256", kid: key.kid, ...header }), payload];
  const input = parts.map((part) => Buffer.from(part).toString("base64url")).join(".");
  return `${input}.${createSign("RSA-SHA256").update(input).sign(key.privateKey, "base64url")}`;
}
