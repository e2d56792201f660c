import { credentialSlug } from "../../../api/catalogue/models/front-door.ts";
import { dialects } from "../../../api/http/dialects.ts";
import { toolsets } from "./configuration.ts";
import {
  address,
  atLeastOne,
  baseAddress,
  flag,
  list,
  listenAddress,
  matching,
  oneOf,
  optional,
  origin,
  parsePrivateKeys,
  required,
  SettingError,
  secret,
  storeAddress,
  subnet,
  text,
  whole,
  withDefault,
} from "./setting-parsers.ts";

const year = 31_536_000;
const placeholder = "{workspace_short_id}";

/**
 * All settings, by their name in the configuration file. Their environment variable is `FRONT_DOOR_` with the name in
 * capitals (`FRONT_DOOR_JWKS_URL`). Their flag is the name with hyphens (`--jwks-url`). The file of a secret can be set
 * with `…_FILE`.
 */
export const settings = {
  listen: withDefault(listenAddress, "127.0.0.1:8080", "The address at which the tools are served."),
  internalListen: optional(
    listenAddress,
    "The address at which /internal/validate, /metrics, and the probes are served. By default, they are served with the tools, but metrics and probes only if no other machine can reach that address.",
  ),
  tlsCertificateFile: optional(text(4096), "PEM file with the server's certificate chain. Requires the key, too."),
  tlsKeyFile: optional(text(4096), "PEM file with the certificate's private key."),
  trustedProxies: withDefault(
    list(subnet),
    "",
    "Addresses and networks of trusted reverse proxies, such as 10.0.0.0/8. Their X-Forwarded-For header is used. Without a certificate, the proxies terminate TLS, and requests from other peers are rejected.",
  ),
  publicUrl: optional(
    baseAddress,
    "The address that clients use, such as https://tools.example.com. Its host is allowed, and the resource metadata contains it.",
  ),
  authorizationServers: optional(
    list(text()),
    "Issuers in the resource metadata. By default, the issuer, if a public address is set. Set to none to publish no metadata.",
  ),
  allowedHosts: withDefault(list(hostName), "", "Additional hostnames, without ports, that requests can use."),
  allowedOrigins: withDefault(
    list(origin),
    "",
    "Origins of web pages that can send requests (CORS). Others are rejected.",
  ),

  tokenPrefix: withDefault(
    matching(/^[A-Za-z0-9_-]{1,32}_$/, "1 to 32 letters, digits, -, and _, with an underscore at the end"),
    "platform_",
    "The prefix before the JWT in a token.",
  ),
  tokenPrefixRequired: withDefault(flag, "true", "Set to false to also accept a JWT without the prefix."),
  jwksUrl: required(address, "The address at which the issuer publishes its keys."),
  issuer: required(text(), "The exact value of the iss claim."),
  audience: required(
    atLeastOne(list(text())),
    "The required audience (aud). Separate several with commas. A token must have one of them.",
  ),
  requiredTokenType: optional(text(64), "The required typ in a token's header, such as at+jwt."),
  emailClaim: withDefault(text(64), "email", "The claim with the user's email address."),
  emailVerifiedRequired: withDefault(
    flag,
    "false",
    "Set to true to reject tokens without email_verified. Tokens with email_verified set to false are always rejected.",
  ),
  lowerCaseEmail: withDefault(flag, "true", "Converts email addresses to lowercase, as most directories store them."),
  allowNonAsciiEmail: withDefault(flag, "false", "Accepts non-ASCII letters in email addresses."),
  tenantClaim: withDefault(text(64), "tenant", "The claim with the value for {tenant} in the platform's address."),
  clockSkewSeconds: withDefault(whole(0, 600), "30", "The maximum difference between clocks."),
  maximumLifetimeSeconds: withDefault(whole(60, year), "86400", "The maximum time until a token expires."),

  revocationSeconds: withDefault(
    whole(60, year),
    "2592000",
    "How long a revocation is stored. Must be at least the maximum lifetime of a token.",
  ),

  jwksFreshSeconds: withDefault(whole(10, 86_400), "600", "How long a key set is fresh."),
  jwksStaleSeconds: withDefault(
    whole(0, 604_800),
    "86400",
    "How long known keys stay valid if no key set can be fetched.",
  ),
  jwksCooldownSeconds: withDefault(whole(1, 3600), "30", "The minimum time between two fetches for unknown key IDs."),
  jwksTimeLimitMilliseconds: withDefault(whole(100, 60_000), "5000", "The timeout for fetching the key set."),

  internalBaseUrl: required(baseAddress, "The address of the internal service."),
  internalSecret: secret(
    required(
      internalSecrets,
      "The value of X-Webui-Secret, at least 16 characters. During a rotation, two values separated by a space: the first one is sent, and both are accepted.",
    ),
  ),
  entitlementResource: required(
    text(),
    "The resource that users must be entitled to. Can contain {tenant} if the platform's address does.",
  ),
  entitlementTenantParameter: optional(
    parameterName,
    "The query parameter with the tenant. If the platform's address contains {tenant}, this parameter or {tenant} in the resource is required.",
  ),
  entitlementEmailParameter: withDefault(parameterName, "email", "The query parameter with the email address."),
  entitlementResourceParameter: withDefault(parameterName, "resource", "The query parameter with the resource."),
  internalTimeLimitMilliseconds: withDefault(
    whole(100, 60_000),
    "5000",
    "The timeout for requests to the internal service.",
  ),
  entitledSeconds: withDefault(whole(1, 3600), "30", "How long a positive result is cached."),
  deniedSeconds: withDefault(whole(1, 3600), "5", "How long a negative result is cached."),

  credentialSlug: withDefault(
    slugTemplate,
    "platform",
    "The slug of the stored platform credential, with {tenant} if the platform's address contains it.",
  ),
  notebookSlug: withDefault(
    notebookSlug,
    `notebook-${placeholder}`,
    `The slug of a stored notebook token, with ${placeholder}, and with {tenant} if the platform's address contains it.`,
  ),
  envelopeTenantRequired: withDefault(
    flag,
    "false",
    "Set to true to decrypt an envelope only if its header or its content names the caller's tenant. If the platform's address contains {tenant}, this setting or {tenant} in both slugs is required.",
  ),
  credentialCacheSeconds: withDefault(whole(1, 300), "45", "How long a decrypted credential stays in memory."),
  credentialCacheSize: withDefault(whole(1, 1_000_000), "10000", "The maximum number of credentials in memory."),
  privateKey: secret(
    required(
      parsePrivateKeys,
      "RSA private keys for envelopes, in PEM format, with at least 2048 bits. A line kid: name before a key sets its ID. The first key decrypts envelopes without a known key ID. As files: kid=path or path, separated by commas.",
    ),
  ),
  allowOaepSha1: withDefault(flag, "false", "Decrypts envelopes whose key was wrapped with RSA-OAEP and SHA-1."),
  allowPlainEnvelope: withDefault(flag, "true", "Decrypts envelopes that are a JSON object but not a JWE."),

  platformBaseUrl: required(
    platformAddress,
    "The address of the platform, such as https://acme.example.com. Its host can contain {tenant}. Credentials and entitlements then apply to one tenant.",
  ),
  dialect: withDefault(
    oneOf(...(Object.keys(dialects) as (keyof typeof dialects)[])),
    "documented",
    "The platform's dialect.",
  ),
  contentServerOrigin: optional(
    origin,
    "The origin of the content servers, if it differs from the one that instances report.",
  ),
  contentServerPrefix: optional(
    text(),
    `Path prefix of content servers, such as /user/{namespace}/${placeholder}/, if it differs from the reported one.`,
  ),

  toolsets: withDefault(
    list(oneOf(...toolsets)),
    "",
    `Which tools are offered: ${toolsets.join(", ")}; all when empty.`,
  ),
  readOnly: withDefault(flag, "true", "Offers only tools that don't make changes."),
  runCells: withDefault(
    flag,
    "false",
    "Offers kernels_run_cell, which runs code in a workspace after the user has confirmed it. Requires readOnly to be false.",
  ),
  confirmation: withDefault(
    oneOf("required", "leftToClient"),
    "required",
    "What a destructive tool does if the client can't ask its user. `required` rejects the call. `leftToClient` relies on the client's own confirmation.",
  ),
  maximumResultCharacters: withDefault(
    whole(1000, 10_000_000),
    "400000",
    "The maximum number of characters in a result if the caller asks for more with maxCharacters. Without that, a result has at most 40,000, or 80,000 with its pictures.",
  ),
  stateSecret: secret(
    optional(
      stateSecret,
      "The secret for signing the state that clients carry between requests. At least 32 characters, the same for all instances. Random by default.",
    ),
  ),

  maximumHeaderBytes: withDefault(whole(4096, 65_536), "16384", "The maximum size of a request's headers, in bytes."),
  maximumBodyBytes: withDefault(whole(1024, 67_108_864), "1048576", "The maximum size of a request's body, in bytes."),
  headersSeconds: withDefault(whole(1, 120), "10", "The timeout for receiving a request's headers."),
  requestSeconds: withDefault(whole(1, 600), "60", "The timeout for receiving a complete request."),
  callSeconds: withDefault(whole(1, 600), "60", "The time limit of a call, until its response has been read."),
  maximumConnections: withDefault(whole(1, 1_000_000), "10000", "The maximum number of connections."),
  connectionsPerAddress: withDefault(
    whole(1, 1_000_000),
    "100",
    "The maximum number of connections per address, and at most half of all connections. An IPv6 /64 network counts as one address. Trusted proxies are not limited.",
  ),
  failedTokensPerMinute: withDefault(
    whole(1, 10_000_000),
    "60",
    "The maximum number of invalid tokens per address and minute without a delay. Each further response is delayed by a second.",
  ),
  requestsPerMinute: withDefault(whole(1, 10_000_000), "600", "The maximum number of requests per user and minute."),
  validationsPerMinute: withDefault(whole(1, 10_000_000), "120", "The maximum number of validations per minute."),
  validationStepMilliseconds: withDefault(
    whole(10, 10_000),
    "500",
    "Negative responses of /internal/validate are sent at multiples of this time.",
  ),
  concurrentDecryptions: withDefault(
    whole(1, 256),
    "4",
    "The maximum number of envelopes that are decrypted in parallel.",
  ),

  sharedStateUrl: optional(
    storeAddress,
    "A Valkey or Redis server in which instances share rate limits, used confirmations, and revocations, such as rediss://user@host:6379/0.",
  ),
  sharedStatePassword: secret(optional(text(4096), "The password for the shared state.")),
  sharedStateCaFile: optional(
    text(4096),
    "PEM file of the certificate authority for the shared state, if it isn't a public one.",
  ),
  sharedStatePrefix: withDefault(
    matching(/^[A-Za-z0-9:_.{}-]{1,64}$/, "1 to 64 letters, digits, and : _ . - { }"),
    "front-door:",
    "The prefix of all keys in the shared state.",
  ),
  sharedStateTimeLimitMilliseconds: withDefault(
    whole(10, 10_000),
    "250",
    "The timeout for requests to the shared state.",
  ),
  sharedStateWhenUnavailable: withDefault(
    oneOf("closed", "open"),
    "closed",
    "What happens while the shared state is unavailable: closed rejects requests with 503, open lets each instance use its own limits, confirmations, and revocations.",
  ),

  allowHttp: withDefault(
    flag,
    "false",
    "Allows sending secrets and keys to other machines without TLS, for private networks.",
  ),
  logLevel: withDefault(oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"), "info", "The log level."),
  drainSeconds: withDefault(
    whole(0, 300),
    "0",
    "How long readyz fails before the server refuses new connections, during shutdown.",
  ),
  graceSeconds: withDefault(whole(0, 600), "20", "How long running calls can continue after that."),
} as const;

export type SettingName = keyof typeof settings;

function hostName(given: string): string {
  return matching(/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i, "a hostname without a port")(given).toLowerCase();
}

function parameterName(given: string): string {
  return matching(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, "a parameter's name")(given);
}

function slug(given: string): string {
  if (!credentialSlug.safeParse(given).success) {
    throw new SettingError("it may contain only lowercase letters, digits, _, and -");
  }
  return given;
}

function slugTemplate(given: string): string {
  if (given.split("{tenant}").length > 2) {
    throw new SettingError("it may contain {tenant} only once");
  }
  slug(given.replace("{tenant}", "0"));
  return given;
}

function notebookSlug(given: string): string {
  if (given.split(placeholder).length !== 2) {
    throw new SettingError(`it must contain ${placeholder} exactly once`);
  }
  slugTemplate(given.replace(placeholder, "0"));
  return given;
}

function internalSecrets(given: string): readonly [string, ...string[]] {
  const [first, ...rest] = given.split(/\s+/).filter((one) => one !== "");
  if (first === undefined || [first, ...rest].some((one) => one.length < 16 || !/^[\x21-\x7e]+$/.test(one))) {
    throw new SettingError("each secret needs at least 16 visible ASCII characters");
  }
  if (rest.length > 1) {
    throw new SettingError("at most two secrets are allowed");
  }
  return [first, ...rest];
}

function stateSecret(given: string): string {
  if (Buffer.byteLength(given) < 32) {
    throw new SettingError("it needs at least 32 characters");
  }
  return given;
}

function platformAddress(given: string): string {
  const [one, other] = ["one", "other"].map((tenant) => baseAddress(given.replaceAll("{tenant}", tenant)));
  if (one === undefined || other === undefined || one.pathname !== other.pathname || /[{}]/.test(one.href)) {
    throw new SettingError("its hostname may contain {tenant}, but no other braces");
  }
  // A tenant alone, such as localhost or 2130706433, would be the address of any server.
  if (given.includes("{tenant}") && !/\{tenant\}(?:[a-z0-9-]*\.)+[a-z][a-z0-9-]*(?::\d+)?(?:\/|$)/i.test(given)) {
    throw new SettingError("{tenant} must be followed by a fixed domain, such as .example.com");
  }
  return given;
}
