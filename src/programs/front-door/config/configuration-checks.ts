import { isConfidential } from "../../../api/http/credentials.ts";
import { isLoopbackHost, platformUrlOf } from "./configuration.ts";
import type { ValidSettings } from "./setting-sources.ts";

// Errors in settings that are valid alone, but not together. A missing or invalid setting is a separate error.

/** One sentence for each error. */
export function errorsBetween(settings: ValidSettings): readonly string[] {
  return [
    plainHttpErrors,
    exposureErrors,
    nameErrors,
    tenantErrors,
    runCellErrors,
    revocationErrors,
    sharedStateErrors,
  ].flatMap((errorsIn) => errorsIn(settings));
}

/** Keys and secrets that would be sent to other machines without TLS. */
function plainHttpErrors({ allowHttp, token, internal, platform }: ValidSettings): readonly string[] {
  const named = {
    FRONT_DOOR_JWKS_URL: token.jwksUrl,
    FRONT_DOOR_INTERNAL_BASE_URL: internal.baseUrl,
    FRONT_DOOR_PLATFORM_BASE_URL:
      platform.baseUrl === undefined ? undefined : platformUrlOf(platform.baseUrl, "tenant"),
  };
  return Object.entries(named).flatMap(([name, url]) =>
    url === undefined || isConfidential(url) || allowHttp === true
      ? []
      : [`${name} uses HTTP to another machine. Use an HTTPS address, or set FRONT_DOOR_ALLOW_HTTP=true.`],
  );
}

/** Addresses that would accept tokens from other machines without TLS. */
function exposureErrors({ listen, internalListen, trustedProxies, tls, allowHttp }: ValidSettings): readonly string[] {
  return [listen, internalListen].flatMap((address) =>
    address === undefined ||
    isLoopbackHost(address.host) ||
    tls.certificateFile !== undefined ||
    // Undefined if a proxy is invalid, which is a separate error.
    trustedProxies?.length !== 0 ||
    allowHttp === true
      ? []
      : [
          `${address.host}:${address.port} can be reached from other machines. Configure a certificate and a key, or set FRONT_DOOR_TRUSTED_PROXIES to the proxy that terminates TLS.`,
        ],
  );
}

function nameErrors({ listen, public: { url, allowedHosts = [] } }: ValidSettings): readonly string[] {
  const isEverywhere = listen !== undefined && ["0.0.0.0", "::"].includes(listen.host);
  return [
    ...(isEverywhere && url === undefined && allowedHosts.length === 0
      ? [
          "The server listens on all addresses, but its hostname is unknown. Set FRONT_DOOR_PUBLIC_URL or FRONT_DOOR_ALLOWED_HOSTS.",
        ]
      : []),
    ...(url !== undefined && url.pathname !== "/"
      ? ["FRONT_DOOR_PUBLIC_URL must not contain a path: the tools are at /mcp."]
      : []),
  ];
}

/** Settings that would hide the tool even though it is allowed. */
function runCellErrors({ tools: { runCells, readOnly, toolsets = [] } }: ValidSettings): readonly string[] {
  if (runCells !== true) {
    return [];
  }
  return [
    ...(readOnly === true
      ? ["FRONT_DOOR_RUN_CELLS requires FRONT_DOOR_READ_ONLY=false, because code can change data."]
      : []),
    ...(toolsets.length > 0 && !toolsets.includes("contents")
      ? ["FRONT_DOOR_RUN_CELLS requires contents in FRONT_DOOR_TOOLSETS."]
      : []),
  ];
}

/** Credentials and entitlements that would apply to all tenants, if each tenant has its own platform address. */
function tenantErrors({
  platform: { baseUrl },
  credentials: { slug = "", notebookSlug = "", envelopeTenantRequired },
  internal: { resource, tenantParameter },
}: ValidSettings): readonly string[] {
  if (baseUrl === undefined || resource === undefined) {
    return [];
  }
  const has = (text: string): boolean => text.includes("{tenant}");
  if (!has(baseUrl)) {
    return [slug, notebookSlug, resource].some(has) || envelopeTenantRequired === true || tenantParameter !== undefined
      ? ["A setting requires the tenant, but FRONT_DOOR_PLATFORM_BASE_URL does not contain {tenant}."]
      : [];
  }
  return [
    ...(envelopeTenantRequired === true || (has(slug) && has(notebookSlug))
      ? []
      : [
          "FRONT_DOOR_PLATFORM_BASE_URL contains {tenant}, but credentials are not bound to a tenant. Add {tenant} to FRONT_DOOR_CREDENTIAL_SLUG and FRONT_DOOR_NOTEBOOK_SLUG, or require it in every envelope with FRONT_DOOR_ENVELOPE_TENANT_REQUIRED=true.",
        ]),
    ...(has(resource) || tenantParameter !== undefined
      ? []
      : [
          "FRONT_DOOR_PLATFORM_BASE_URL contains {tenant}, but entitlements are not bound to a tenant. Set FRONT_DOOR_ENTITLEMENT_TENANT_PARAMETER, or add {tenant} to FRONT_DOOR_ENTITLEMENT_RESOURCE.",
        ]),
  ];
}

function revocationErrors({
  token: { revocationSeconds, maximumLifetimeSeconds = 0, clockSkewSeconds = 0 },
}: ValidSettings): readonly string[] {
  const least = maximumLifetimeSeconds + 2 * clockSkewSeconds;
  return revocationSeconds !== undefined && revocationSeconds < least
    ? [
        `FRONT_DOOR_REVOCATION_SECONDS must be at least ${least}, because tokens can be valid for FRONT_DOOR_MAXIMUM_LIFETIME_SECONDS.`,
      ]
    : [];
}

function sharedStateErrors({
  sharedState: { server, password, certificateAuthorityFile },
  tools: { stateSecret },
  allowHttp,
}: ValidSettings): readonly string[] {
  if (server === undefined) {
    return password !== undefined || certificateAuthorityFile !== undefined
      ? ["A setting of the shared state is configured, but FRONT_DOOR_SHARED_STATE_URL is not."]
      : [];
  }
  return [
    ...(stateSecret === undefined
      ? [
          "FRONT_DOOR_SHARED_STATE_URL requires FRONT_DOOR_STATE_SECRET, the same for all instances, because the keys in the shared state depend on it.",
        ]
      : []),
    ...(!server.isSecure && !isLoopbackHost(server.host) && allowHttp !== true
      ? [
          "FRONT_DOOR_SHARED_STATE_URL connects to another machine without TLS. Use rediss://, or set FRONT_DOOR_ALLOW_HTTP=true.",
        ]
      : []),
    ...(!server.isSecure && certificateAuthorityFile !== undefined
      ? ["FRONT_DOOR_SHARED_STATE_CA_FILE applies only to rediss:// and valkeys:// addresses."]
      : []),
  ];
}
