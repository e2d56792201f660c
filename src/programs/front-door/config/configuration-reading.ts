import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isConfidential } from "../../../api/http/credentials.ts";
import { dialects } from "../../../api/http/dialects.ts";
import { type Configuration, platformUrlOf, urlHost } from "./configuration.ts";
import { isLoopbackHost } from "./setting-parsers.ts";
import { readSettings, type SettingSources, type SettingValues } from "./setting-sources.ts";
import { authorityFrom, sharedStateErrors, sharedStateFrom } from "./shared-state-reading.ts";

type ConfigurationOutcome =
  | { readonly outcome: "configuration"; readonly configuration: Configuration; readonly remarks: readonly string[] }
  | { readonly outcome: "invalid"; readonly errors: readonly string[] };

type Read = Partial<SettingValues>;

/** Reads and validates the complete configuration. Reports all errors, not only the first one. */
export function configurationFrom(sources: SettingSources): ConfigurationOutcome {
  const { readFile = (path: string) => readFileSync(path, "utf8") } = sources;
  const { values, errors } = readSettings(sources);
  const tls = tlsFrom(values, readFile);
  const authority = authorityFrom(values, readFile);
  const all = [
    ...errors,
    ...("error" in tls ? [tls.error] : []),
    ...plainHttpErrors(values),
    ...exposureErrors(values),
    ...nameErrors(values),
    ...tenantErrors(values),
    ...runCellErrors(values),
    ...sharedStateErrors(values),
    ...("error" in authority ? [authority.error] : []),
  ];
  if (all.length > 0 || "error" in tls || "error" in authority) {
    return { outcome: "invalid", errors: all };
  }
  const complete = values as SettingValues;
  return {
    outcome: "configuration",
    configuration: { ...configurationOf(complete, tls.tls), ...sharedStateFrom(complete, authority.pem) },
    remarks: [
      ...(complete.stateSecret === undefined
        ? [
            "No state secret is configured. A random one is used, so other instances can't continue this instance's calls.",
          ]
        : []),
      ...(complete.internalListen === undefined && !isLoopbackHost(complete.listen.host)
        ? [
            "/metrics and the probes are not served, because other machines can reach the tools' address. Set FRONT_DOOR_INTERNAL_LISTEN.",
          ]
        : []),
    ],
  };
}

function tlsFrom(
  { tlsCertificateFile, tlsKeyFile }: Read,
  readFile: (path: string) => string,
): { readonly tls: Configuration["tls"] } | { readonly error: string } {
  if (tlsCertificateFile === undefined && tlsKeyFile === undefined) {
    return { tls: undefined };
  }
  if (tlsCertificateFile === undefined || tlsKeyFile === undefined) {
    return { error: "TLS needs both a certificate file and a key file." };
  }
  try {
    const tls = { certificate: readFile(tlsCertificateFile), key: readFile(tlsKeyFile) };
    return new X509Certificate(tls.certificate).checkPrivateKey(createPrivateKey(tls.key))
      ? { tls }
      : { error: `The key in ${tlsKeyFile} does not belong to the certificate in ${tlsCertificateFile}.` };
  } catch {
    return { error: `The certificate in ${tlsCertificateFile} or its key in ${tlsKeyFile} can't be read.` };
  }
}

/** Errors for keys and secrets that would be sent to other machines without TLS. */
function plainHttpErrors({ allowHttp, jwksUrl, internalBaseUrl, platformBaseUrl }: Read): readonly string[] {
  const named = {
    FRONT_DOOR_JWKS_URL: jwksUrl,
    FRONT_DOOR_INTERNAL_BASE_URL: internalBaseUrl,
    FRONT_DOOR_PLATFORM_BASE_URL: platformBaseUrl === undefined ? undefined : platformUrlOf(platformBaseUrl, "tenant"),
  };
  return Object.entries(named).flatMap(([name, url]) =>
    url === undefined || isConfidential(url) || allowHttp === true
      ? []
      : [`${name} uses HTTP to another machine. Use an HTTPS address, or set FRONT_DOOR_ALLOW_HTTP=true.`],
  );
}

/** Errors for addresses that would accept tokens from other machines without TLS. */
function exposureErrors({
  listen,
  internalListen,
  trustedProxies,
  tlsCertificateFile,
  allowHttp,
}: Read): readonly string[] {
  return [listen, internalListen].flatMap((address) =>
    address === undefined ||
    isLoopbackHost(address.host) ||
    tlsCertificateFile !== undefined ||
    // Undefined if a proxy is invalid, which is a separate error.
    trustedProxies?.length !== 0 ||
    allowHttp === true
      ? []
      : [
          `${address.host}:${address.port} can be reached from other machines. Configure a certificate and a key, or set FRONT_DOOR_TRUSTED_PROXIES to the proxy that terminates TLS.`,
        ],
  );
}

function nameErrors({ listen, publicUrl, allowedHosts = [] }: Read): readonly string[] {
  const errors: string[] = [];
  if (
    listen !== undefined &&
    ["0.0.0.0", "::"].includes(listen.host) &&
    publicUrl === undefined &&
    allowedHosts.length === 0
  ) {
    errors.push(
      "The server listens on all addresses, but its hostname is unknown. Set FRONT_DOOR_PUBLIC_URL or FRONT_DOOR_ALLOWED_HOSTS.",
    );
  }
  if (publicUrl !== undefined && publicUrl.pathname !== "/") {
    errors.push("FRONT_DOOR_PUBLIC_URL must not contain a path: the tools are at /mcp.");
  }
  return errors;
}

/** Errors for settings that would hide the tool even though it is allowed. */
function runCellErrors({ runCells, readOnly, toolsets = [] }: Read): readonly string[] {
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

/**
 * Errors for credentials and entitlements that would apply to all tenants, if each tenant has its own platform address.
 */
function tenantErrors({
  platformBaseUrl,
  credentialSlug = "",
  notebookSlug = "",
  envelopeTenantRequired,
  entitlementResource,
  entitlementTenantParameter,
}: Read): readonly string[] {
  // A missing or invalid setting is a separate error.
  if (platformBaseUrl === undefined || entitlementResource === undefined) {
    return [];
  }
  const has = (text: string): boolean => text.includes("{tenant}");
  const isBound = envelopeTenantRequired === true || (has(credentialSlug) && has(notebookSlug));
  const isEntitledByTenant = has(entitlementResource) || entitlementTenantParameter !== undefined;
  if (has(platformBaseUrl)) {
    return [
      ...(isBound
        ? []
        : [
            "FRONT_DOOR_PLATFORM_BASE_URL contains {tenant}, but credentials are not bound to a tenant. Add {tenant} to FRONT_DOOR_CREDENTIAL_SLUG and FRONT_DOOR_NOTEBOOK_SLUG, or require it in every envelope with FRONT_DOOR_ENVELOPE_TENANT_REQUIRED=true.",
          ]),
      ...(isEntitledByTenant
        ? []
        : [
            "FRONT_DOOR_PLATFORM_BASE_URL contains {tenant}, but entitlements are not bound to a tenant. Set FRONT_DOOR_ENTITLEMENT_TENANT_PARAMETER, or add {tenant} to FRONT_DOOR_ENTITLEMENT_RESOURCE.",
          ]),
    ];
  }
  return [credentialSlug, notebookSlug, entitlementResource].some(has) ||
    envelopeTenantRequired === true ||
    entitlementTenantParameter !== undefined
    ? ["A setting requires the tenant, but FRONT_DOOR_PLATFORM_BASE_URL does not contain {tenant}."]
    : [];
}

function configurationOf(values: SettingValues, tls: Configuration["tls"]): Configuration {
  const { publicUrl, internalListen, requiredTokenType, entitlementTenantParameter } = values;
  return {
    listen: values.listen,
    ...(internalListen === undefined ? {} : { internalListen }),
    ...(tls === undefined ? {} : { tls }),
    trustedProxies: values.trustedProxies,
    public: {
      ...(publicUrl === undefined ? {} : { url: publicUrl }),
      authorizationServers: authorizationServersOf(values),
      allowedHosts: allowedHostsOf(values),
      allowedOrigins: new Set(values.allowedOrigins),
    },
    token: {
      prefix: values.tokenPrefix,
      prefixRequired: values.tokenPrefixRequired,
      jwksUrl: values.jwksUrl,
      issuer: values.issuer,
      audiences: values.audience,
      ...(requiredTokenType === undefined ? {} : { requiredType: requiredTokenType }),
      emailClaim: values.emailClaim,
      emailVerifiedRequired: values.emailVerifiedRequired,
      lowerCaseEmail: values.lowerCaseEmail,
      allowNonAsciiEmail: values.allowNonAsciiEmail,
      tenantClaim: values.tenantClaim,
      clockSkewSeconds: values.clockSkewSeconds,
      maximumLifetimeSeconds: values.maximumLifetimeSeconds,
      revocationSeconds: values.revocationSeconds,
    },
    jwks: {
      freshSeconds: values.jwksFreshSeconds,
      staleSeconds: values.jwksStaleSeconds,
      cooldownSeconds: values.jwksCooldownSeconds,
      timeLimitMilliseconds: values.jwksTimeLimitMilliseconds,
    },
    internal: {
      baseUrl: values.internalBaseUrl,
      secrets: values.internalSecret,
      resource: values.entitlementResource,
      emailParameter: values.entitlementEmailParameter,
      ...(entitlementTenantParameter === undefined ? {} : { tenantParameter: entitlementTenantParameter }),
      resourceParameter: values.entitlementResourceParameter,
      timeLimitMilliseconds: values.internalTimeLimitMilliseconds,
      allowedSeconds: values.entitledSeconds,
      deniedSeconds: values.deniedSeconds,
    },
    credentials: {
      slug: values.credentialSlug,
      notebookSlug: values.notebookSlug,
      envelopeTenantRequired: values.envelopeTenantRequired,
      cacheSeconds: values.credentialCacheSeconds,
      cacheSize: values.credentialCacheSize,
      keys: values.privateKey,
      allowOaepSha1: values.allowOaepSha1,
      allowPlainEnvelope: values.allowPlainEnvelope,
    },
    platform: {
      baseUrl: values.platformBaseUrl,
      dialect: dialects[values.dialect],
      contentServer: {
        ...(values.contentServerOrigin === undefined ? {} : { origin: values.contentServerOrigin }),
        ...(values.contentServerPrefix === undefined ? {} : { prefix: values.contentServerPrefix }),
      },
    },
    tools: {
      toolsets: values.toolsets,
      readOnly: values.readOnly,
      runCells: values.runCells,
      confirmation: values.confirmation,
      maximumResultCharacters: values.maximumResultCharacters,
      stateSecret: values.stateSecret ?? randomBytes(32).toString("hex"),
    },
    limits: limitsOf(values),
    logLevel: values.logLevel,
    drainSeconds: values.drainSeconds,
    graceSeconds: values.graceSeconds,
  };
}

function limitsOf(values: SettingValues): Configuration["limits"] {
  return {
    maximumHeaderBytes: values.maximumHeaderBytes,
    maximumBodyBytes: values.maximumBodyBytes,
    headersMilliseconds: values.headersSeconds * 1000,
    requestMilliseconds: values.requestSeconds * 1000,
    callMilliseconds: values.callSeconds * 1000,
    maximumConnections: values.maximumConnections,
    connectionsPerAddress: values.connectionsPerAddress,
    failedTokensPerMinute: values.failedTokensPerMinute,
    requestsPerMinute: values.requestsPerMinute,
    validationsPerMinute: values.validationsPerMinute,
    validationStepMilliseconds: values.validationStepMilliseconds,
    concurrentDecryptions: values.concurrentDecryptions,
  };
}

/** The authorization servers. By default, the issuer if it is an HTTPS address. */
function authorizationServersOf({ authorizationServers, issuer }: SettingValues): readonly string[] {
  if (authorizationServers !== undefined) {
    return authorizationServers.filter((one) => one !== "none");
  }
  return /^https:\/\//.test(issuer) && URL.canParse(issuer) ? [issuer] : [];
}

/** The configured names, the public hostname, the listen address, and, on loopback, the names of this computer. */
function allowedHostsOf({ allowedHosts, publicUrl, listen }: SettingValues): ReadonlySet<string> {
  const host = urlHost(listen.host);
  const isEverywhere = ["0.0.0.0", "[::]"].includes(host);
  return new Set([
    ...allowedHosts,
    ...(publicUrl === undefined ? [] : [publicUrl.hostname]),
    ...(isEverywhere ? [] : [host.toLowerCase()]),
    ...(isLoopbackHost(listen.host) ? ["localhost", "127.0.0.1", "[::1]"] : []),
  ]);
}
