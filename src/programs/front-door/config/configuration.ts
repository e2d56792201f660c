import type { Settings, toolsets } from "./settings.ts";

/** The address that a server listens on. Port 0 means any free port. */
export type ListenAddress = Settings["listen"];

export type TokenConfiguration = Settings["token"];
export type JwksConfiguration = Settings["jwks"];
export type InternalServiceConfiguration = Settings["internal"];
export type CredentialConfiguration = Settings["credentials"];
export type LimitConfiguration = Settings["limits"];

export type Toolset = (typeof toolsets)[number];

export type ToolConfiguration = Settings["tools"] & {
  /**
   * Secret for signing the state that clients carry between requests. At least 32 bytes, the same for all instances.
   */
  readonly stateSecret: string;
};

/** The public address, and the accepted hosts and origins. */
export interface PublicConfiguration extends Pick<Settings["public"], "url" | "allowedOrigins"> {
  /** Empty to publish no resource metadata. */
  readonly authorizationServers: readonly string[];
  /** Lowercase hostnames without a port. */
  readonly allowedHosts: ReadonlySet<string>;
}

/** A Valkey or Redis server in which instances share rate limits, used confirmations, and revocations. */
export type SharedStateConfiguration = NonNullable<Settings["sharedState"]["server"]> &
  Omit<Settings["sharedState"], "server" | "certificateAuthorityFile"> & {
    /** PEM of the server's certificate authority, if Node doesn't already trust it. */
    readonly certificateAuthority?: string;
  };

/** The complete, validated configuration of a front door. */
export interface Configuration extends Omit<Settings, "tls" | "public" | "tools" | "sharedState" | "allowHttp"> {
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly public: PublicConfiguration;
  readonly tools: ToolConfiguration;
  /** If undefined, each instance has its own state. */
  readonly sharedState?: SharedStateConfiguration;
}

/** True for a host that only this computer can reach. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
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
