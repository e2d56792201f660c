import type { KeyObject } from "node:crypto";
import type { ContentServerOverrides } from "../../../api/families/content-server-location.ts";
import type { Dialect } from "../../../api/http/dialects.ts";

/** Where a server listens; port 0 takes a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** An address or a network. */
export interface Subnet {
  readonly address: string;
  readonly prefixLength: number;
  readonly family: "ipv4" | "ipv6";
}

/** An RSA private key of the ring, by the `kid` that envelopes name it with. */
export interface DecryptionKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** The gate's side: whom it lets in. */
export interface TokenConfiguration {
  /** What stands before the JWT, as `acme_`; empty where nothing does. */
  readonly prefix: string;
  /** False accepts a JWT without the prefix, too. */
  readonly prefixRequired: boolean;
  readonly jwksUrl: URL;
  readonly issuer: string;
  /** A token must name one of them. Never empty. */
  readonly audiences: readonly [string, ...string[]];
  /** What `typ` in the token's header has to be; absent: not looked at. */
  readonly requiredType?: string;
  readonly emailClaim: string;
  /** True refuses a token without `email_verified`; one in which it is false is always refused. */
  readonly emailVerifiedRequired: boolean;
  /** True reads addresses as lower-case. */
  readonly lowerCaseEmail: boolean;
  readonly allowNonAsciiEmail: boolean;
  /** The claim that fills `{tenant}` in the platform's address. */
  readonly tenantClaim: string;
  readonly clockSkewSeconds: number;
  /** The most that `exp` may lie ahead. */
  readonly maximumLifetimeSeconds: number;
  /** How long it is remembered that a token or a person's tokens are revoked. */
  readonly revocationSeconds: number;
}

export interface JwksConfiguration {
  /** How long a fetched set counts as fresh; it is fetched again in the background at 70 % of it. */
  readonly freshSeconds: number;
  /** How long keys that are known are still used when the set cannot be fetched. */
  readonly staleSeconds: number;
  /** The least time between two fetches for key ids that are not known. */
  readonly cooldownSeconds: number;
  readonly timeLimitMilliseconds: number;
}

export interface InternalServiceConfiguration {
  readonly baseUrl: URL;
  /** The first is sent; each is accepted at /internal/validate. At least 16 characters each. */
  readonly secrets: readonly [string, ...string[]];
  /** With `{tenant}` where it differs from tenant to tenant. */
  readonly resource: string;
  readonly emailParameter: string;
  /** The query parameter with the tenant, where it has one. */
  readonly tenantParameter?: string;
  readonly resourceParameter: string;
  readonly timeLimitMilliseconds: number;
  readonly allowedSeconds: number;
  readonly deniedSeconds: number;
}

export interface CredentialConfiguration {
  /** The slug of the platform credential, with `{tenant}` where that is in it. */
  readonly slug: string;
  /** The slug of a notebook token, with `{workspace_short_id}` in it, and `{tenant}` where that is in it. */
  readonly notebookSlug: string;
  /** True opens an envelope only where it names the tenant that it is for. */
  readonly envelopeTenantRequired: boolean;
  /** Seconds that a decrypted credential stays in memory. */
  readonly cacheSeconds: number;
  /** The most users' credentials in memory at once. */
  readonly cacheSize: number;
  /** The first opens envelopes that name no key, or one that is not known. */
  readonly keys: readonly [DecryptionKey, ...DecryptionKey[]];
  readonly allowOaepSha1: boolean;
  readonly allowPlainEnvelope: boolean;
}

interface PlatformConfiguration {
  /** `https://acme.example.com`, or with the caller's `{tenant}` in the hostname. */
  readonly baseUrl: string;
  readonly dialect: Dialect;
  readonly contentServer: ContentServerOverrides;
}

/** Groups of tools that a front door offers or leaves out as a whole: the families of the API, and its other reads. */
export const toolsets = ["workspaces", "contents", "designs", "pages", "sandbox", "workflows", "reads"] as const;

export type Toolset = (typeof toolsets)[number];

export interface ToolConfiguration {
  /** Empty: all. */
  readonly toolsets: readonly Toolset[];
  readonly readOnly: boolean;
  /** True offers the tool that runs code on kernels. */
  readonly runCells: boolean;
  /**
   * What a destructive tool does for a client that cannot ask its person: `required` refuses, `leftToClient` trusts the
   * client's own confirmation.
   */
  readonly confirmation: "required" | "leftToClient";
  /** The most characters of one result; what is longer comes with a continuation. */
  readonly maximumResultCharacters: number;
  /** Signs what a client carries between two requests, at least 32 bytes; instances behind one address share it. */
  readonly stateSecret: string;
}

/** What the public side is called, and whom it answers. */
export interface PublicConfiguration {
  /** As `https://tools.example.com`, with no path. Absent: no resource metadata is published. */
  readonly url?: URL;
  readonly authorizationServers: readonly string[];
  /** Hostnames without port, lower-case. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Whole origins, as `https://app.example.com`; requests without Origin always pass. */
  readonly allowedOrigins: ReadonlySet<string>;
}

export interface LimitConfiguration {
  readonly maximumHeaderBytes: number;
  readonly maximumBodyBytes: number;
  readonly headersMilliseconds: number;
  /** For a whole request to arrive. */
  readonly requestMilliseconds: number;
  /** For a call to be answered. */
  readonly callMilliseconds: number;
  readonly maximumConnections: number;
  /** At most half of all, whatever it says. */
  readonly connectionsPerAddress: number;
  /** More invalid tokens of one address than these are answered slowly. */
  readonly failedTokensPerMinute: number;
  readonly requestsPerMinute: number;
  readonly validationsPerMinute: number;
  /** Answers that say no at /internal/validate come at multiples of this. */
  readonly validationStepMilliseconds: number;
  /** Envelopes that are opened at the same time. */
  readonly concurrentDecryptions: number;
}

/** A Valkey or Redis server in which instances share limits of rate, used confirmations, and revocations. */
export interface SharedStateConfiguration {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  /** True with TLS. */
  readonly isSecure: boolean;
  readonly username?: string;
  readonly password?: string;
  /** PEM of the authority that signs the server's certificate, where it is not one that Node knows. */
  readonly certificateAuthority?: string;
  /** What every key begins with. */
  readonly prefix: string;
  /** How long an answer may take. */
  readonly timeLimitMilliseconds: number;
  /** `closed` refuses requests while the server does not answer; `open` uses what each instance knows by itself. */
  readonly whenUnavailable: "closed" | "open";
}

/** Everything that a front door needs to know, checked. */
export interface Configuration {
  readonly listen: ListenAddress;
  /** Where /internal/*, /metrics and the probes are; the last two are on the tools' address only where it is loopback. */
  readonly internalListen?: ListenAddress;
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Proxies whose `X-Forwarded-For` counts. Where there is no `tls`, nobody else may send tokens or secrets. */
  readonly trustedProxies: readonly Subnet[];
  readonly public: PublicConfiguration;
  readonly token: TokenConfiguration;
  readonly jwks: JwksConfiguration;
  readonly internal: InternalServiceConfiguration;
  readonly credentials: CredentialConfiguration;
  readonly platform: PlatformConfiguration;
  readonly tools: ToolConfiguration;
  readonly limits: LimitConfiguration;
  /** Absent: an instance keeps all of it to itself. */
  readonly sharedState?: SharedStateConfiguration;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Seconds between the first sign of the end (readyz says no) and closing the door to new connections. */
  readonly drainSeconds: number;
  /** Seconds that running calls get after that. */
  readonly graceSeconds: number;
}

/** A hostname or address as it stands in a URL: IPv6 in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The tenant that a request is for; undefined where the platform's address has none in it, whatever the request says. */
export function tenantFor(platformAddress: string, named: string | undefined): string | undefined {
  return platformAddress.includes("{tenant}") ? named : undefined;
}

/** A slug or a resource for a tenant. */
export function withTenant(template: string, tenant: string | undefined): string {
  return tenant === undefined ? template : template.replaceAll("{tenant}", tenant);
}

/** The platform's address for a tenant; undefined where the address wants a tenant and there is none. */
export function platformUrlOf(template: string, tenant: string | undefined): URL | undefined {
  if (!template.includes("{tenant}")) {
    return new URL(template);
  }
  return tenant === undefined ? undefined : new URL(template.replaceAll("{tenant}", tenant));
}
