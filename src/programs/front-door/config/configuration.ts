import type { KeyObject } from "node:crypto";
import type { ContentServerOverrides } from "../../../api/families/content-server-location.ts";
import type { Dialect } from "../../../api/http/dialects.ts";

/** The address that a server listens on. Port 0 means any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** An IP address or network. */
export interface Subnet {
  readonly address: string;
  readonly prefixLength: number;
  readonly family: "ipv4" | "ipv6";
}

/** An RSA private key, with the `kid` that envelopes use for it. */
export interface DecryptionKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** The settings for tokens. */
export interface TokenConfiguration {
  /** The prefix before the JWT, such as `acme_`. Empty for none. */
  readonly prefix: string;
  /** False to also accept a JWT without the prefix. */
  readonly prefixRequired: boolean;
  readonly jwksUrl: URL;
  readonly issuer: string;
  /** The accepted audiences. A token must have one of them. Never empty. */
  readonly audiences: readonly [string, ...string[]];
  /** The required `typ` in the token's header. Not checked if undefined. */
  readonly requiredType?: string;
  readonly emailClaim: string;
  /** True to reject tokens without `email_verified`. Tokens in which it is false are always rejected. */
  readonly emailVerifiedRequired: boolean;
  /** True to convert email addresses to lowercase. */
  readonly lowerCaseEmail: boolean;
  readonly allowNonAsciiEmail: boolean;
  /** The claim with the value for `{tenant}` in the platform's address. */
  readonly tenantClaim: string;
  readonly clockSkewSeconds: number;
  /** The maximum time until a token expires. */
  readonly maximumLifetimeSeconds: number;
  /** How long a revocation is stored. */
  readonly revocationSeconds: number;
}

export interface JwksConfiguration {
  /** How long a fetched set is fresh. It is fetched again in the background after 70% of that time. */
  readonly freshSeconds: number;
  /** How long known keys are still used if the set can't be fetched. */
  readonly staleSeconds: number;
  /** The minimum time between two fetches for unknown key ids. */
  readonly cooldownSeconds: number;
  readonly timeLimitMilliseconds: number;
}

export interface InternalServiceConfiguration {
  readonly baseUrl: URL;
  /** The first one is sent, and all are accepted at /internal/validate. Each has at least 16 characters. */
  readonly secrets: readonly [string, ...string[]];
  /** Contains `{tenant}` if tenants have different resources. */
  readonly resource: string;
  readonly emailParameter: string;
  /** The query parameter with the tenant, if there is one. */
  readonly tenantParameter?: string;
  readonly resourceParameter: string;
  readonly timeLimitMilliseconds: number;
  readonly allowedSeconds: number;
  readonly deniedSeconds: number;
}

export interface CredentialConfiguration {
  /** The slug of the platform credential, which can contain `{tenant}`. */
  readonly slug: string;
  /** The slug of a notebook token, which contains `{workspace_short_id}` and can contain `{tenant}`. */
  readonly notebookSlug: string;
  /** True to decrypt only envelopes that name their tenant. */
  readonly envelopeTenantRequired: boolean;
  /** How long a decrypted credential stays in memory, in seconds. */
  readonly cacheSeconds: number;
  /** The maximum number of credentials in memory. */
  readonly cacheSize: number;
  /** The first key opens envelopes without a key id, or with an unknown one. */
  readonly keys: readonly [DecryptionKey, ...DecryptionKey[]];
  readonly allowOaepSha1: boolean;
  readonly allowPlainEnvelope: boolean;
}

interface PlatformConfiguration {
  /** For example, `https://acme.example.com`. The hostname can contain `{tenant}`. */
  readonly baseUrl: string;
  readonly dialect: Dialect;
  readonly contentServer: ContentServerOverrides;
}

/** Groups of tools that a front door can offer: the families of the API, and all other read operations. */
export const toolsets = ["workspaces", "contents", "designs", "pages", "sandbox", "workflows", "reads"] as const;

export type Toolset = (typeof toolsets)[number];

export interface ToolConfiguration {
  /** Empty for all. */
  readonly toolsets: readonly Toolset[];
  readonly readOnly: boolean;
  /** True to offer the tool that runs code on kernels. */
  readonly runCells: boolean;
  /**
   * What a destructive tool does if the client can't ask its user: `required` rejects the call, `leftToClient` relies
   * on the client's own confirmation.
   */
  readonly confirmation: "required" | "leftToClient";
  /** The maximum number of characters in a result. Longer results are continued with a cursor. */
  readonly maximumResultCharacters: number;
  /**
   * Secret for signing the state that clients carry between requests. At least 32 bytes, the same for all instances.
   */
  readonly stateSecret: string;
}

/** The public address, and the accepted hosts and origins. */
export interface PublicConfiguration {
  /** For example, `https://tools.example.com`. Has no path. If undefined, no resource metadata is published. */
  readonly url?: URL;
  readonly authorizationServers: readonly string[];
  /** Lowercase hostnames without a port. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Complete origins, such as `https://app.example.com`. Requests without an Origin are always accepted. */
  readonly allowedOrigins: ReadonlySet<string>;
}

export interface LimitConfiguration {
  readonly maximumHeaderBytes: number;
  readonly maximumBodyBytes: number;
  readonly headersMilliseconds: number;
  /** The time limit for receiving a request. */
  readonly requestMilliseconds: number;
  /** The time limit for responding to a call. */
  readonly callMilliseconds: number;
  readonly maximumConnections: number;
  /** Never more than half of `maximumConnections`. */
  readonly connectionsPerAddress: number;
  /** Beyond this number of invalid tokens from one address, responses are delayed. */
  readonly failedTokensPerMinute: number;
  readonly requestsPerMinute: number;
  readonly validationsPerMinute: number;
  /** Negative responses of /internal/validate are sent at multiples of this time. */
  readonly validationStepMilliseconds: number;
  /** The number of envelopes that are decrypted in parallel. */
  readonly concurrentDecryptions: number;
}

/** A Valkey or Redis server in which instances share rate limits, used confirmations, and revocations. */
export interface SharedStateConfiguration {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  /** True for TLS. */
  readonly isSecure: boolean;
  readonly username?: string;
  readonly password?: string;
  /** PEM of the server's certificate authority, if Node doesn't already trust it. */
  readonly certificateAuthority?: string;
  /** The prefix of all keys. */
  readonly prefix: string;
  /** The time limit of a response. */
  readonly timeLimitMilliseconds: number;
  /** `closed` rejects requests while the server doesn't respond; `open` uses each instance's own state. */
  readonly whenUnavailable: "closed" | "open";
}

/** The complete, validated configuration of a front door. */
export interface Configuration {
  readonly listen: ListenAddress;
  /**
   * The address of /internal/*, /metrics, and the probes. If undefined, they are served with the tools, but metrics and
   * probes only on loopback.
   */
  readonly internalListen?: ListenAddress;
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Proxies whose `X-Forwarded-For` is trusted. Without `tls`, only these proxies may send tokens and secrets. */
  readonly trustedProxies: readonly Subnet[];
  readonly public: PublicConfiguration;
  readonly token: TokenConfiguration;
  readonly jwks: JwksConfiguration;
  readonly internal: InternalServiceConfiguration;
  readonly credentials: CredentialConfiguration;
  readonly platform: PlatformConfiguration;
  readonly tools: ToolConfiguration;
  readonly limits: LimitConfiguration;
  /** If undefined, each instance has its own state. */
  readonly sharedState?: SharedStateConfiguration;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Seconds from the start of the shutdown, when readyz begins to fail, until new connections are refused. */
  readonly drainSeconds: number;
  /** Time for running calls to finish after that, in seconds. */
  readonly graceSeconds: number;
}

/** A host as it appears in a URL, with IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The tenant of a request. Undefined if the platform's address does not contain one, even if the request does. */
export function tenantFor(platformAddress: string, named: string | undefined): string | undefined {
  return platformAddress.includes("{tenant}") ? named : undefined;
}

/** Fills in the tenant of a slug or resource. */
export function withTenant(template: string, tenant: string | undefined): string {
  return tenant === undefined ? template : template.replaceAll("{tenant}", tenant);
}

/** The platform's address for a tenant. Undefined if the address needs a tenant and there is none. */
export function platformUrlOf(template: string, tenant: string | undefined): URL | undefined {
  if (!template.includes("{tenant}")) {
    return new URL(template);
  }
  return tenant === undefined ? undefined : new URL(template.replaceAll("{tenant}", tenant));
}
