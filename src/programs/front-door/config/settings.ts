import * as z from "zod/mini";
import { dialects } from "../../../api/http/dialects.ts";
import {
  address,
  baseAddress,
  hostName,
  listenAddress,
  origin,
  origins,
  platformAddress,
  storeAddress,
  subnet,
} from "./address-types.ts";
import { privateKeys } from "./private-keys.ts";
import {
  atLeastOne,
  flag,
  internalSecrets,
  list,
  matching,
  oneOf,
  parameterName,
  type SettingType,
  seconds,
  slugWith,
  stateSecret,
  text,
  whole,
} from "./setting-types.ts";

const year = 31_536_000;
const placeholder = "{workspace_short_id}";

/** Groups of tools that a front door can offer: the families of the API, and all other read operations. */
export const toolsets = ["workspaces", "contents", "designs", "pages", "sandbox", "workflows", "reads"] as const;

const dialect = z.pipe(
  oneOf(Object.keys(dialects) as (keyof typeof dialects)[]),
  z.transform((name) => dialects[name]),
);

/** What the type of a setting doesn't say. */
interface SettingDescription {
  /** One or two sentences for users. */
  readonly description: string;
  /**
   * The name in the configuration file, from which its environment variable and flag follow. By default, the key in the
   * schema.
   */
  readonly name?: string;
  /**
   * True for secrets. They come from the environment, the configuration file, or a separate file, but never from a
   * flag.
   */
  readonly isSecret?: true;
  /** What separates the entries of a list in the configuration file. A comma by default. */
  readonly separator?: string;
}

type More = Omit<SettingDescription, "description">;

export const settingDescriptions = z.registry<SettingDescription>();

function required<T extends z.ZodMiniType>(type: T, description: string, more: More = {}): T {
  const own = type.clone();
  settingDescriptions.add(own, { description, ...more });
  return own;
}

function optional<T extends SettingType>(type: T, description: string, more?: More): z.ZodMiniExactOptional<T> {
  return required(z.exactOptional(type), description, more);
}

function withDefault<T extends SettingType>(
  type: T,
  value: z.input<T>,
  description: string,
  more?: More,
): z.ZodMiniPrefault<T> {
  return required(z.prefault(type, value), description, more);
}

/**
 * The schema of all settings, in the structure of the configuration. The value of each setting is a text from a flag, the
 * environment, or the configuration file.
 */
export const settings = z.object({
  listen: withDefault(listenAddress, "127.0.0.1:8080", "The address at which the tools are served."),
  internalListen: optional(
    listenAddress,
    "The address at which /internal/validate, /metrics, and the probes are served. By default, they are served with the tools, but metrics and probes only if no other machine can reach that address.",
  ),

  tls: z.object({
    certificateFile: optional(text(4096), "PEM file with the server's certificate chain. Requires the key, too.", {
      name: "tlsCertificateFile",
    }),
    keyFile: optional(text(4096), "PEM file with the certificate's private key.", { name: "tlsKeyFile" }),
  }),
  trustedProxies: withDefault(
    list(subnet),
    "",
    "Addresses and networks of trusted reverse proxies, such as 10.0.0.0/8. Their X-Forwarded-For header is used. Without a certificate, the proxies terminate TLS, and requests from other peers are rejected.",
  ),

  public: z.object({
    url: optional(
      baseAddress,
      "The address that clients use, such as https://tools.example.com. Its host is allowed, and the resource metadata contains it.",
      { name: "publicUrl" },
    ),
    authorizationServers: optional(
      list(text()),
      "Issuers in the resource metadata. By default, the issuer, if a public address is set. Set to none to publish no metadata.",
    ),
    allowedHosts: withDefault(list(hostName), "", "Additional hostnames, without ports, that requests can use."),
    allowedOrigins: withDefault(
      origins,
      "",
      "Origins of web pages that can send requests (CORS). Others are rejected.",
    ),
  }),

  token: z.object({
    prefix: withDefault(
      matching(/^[A-Za-z0-9_-]{1,32}_$/, "1 to 32 letters, digits, -, and _, with an underscore at the end"),
      "platform_",
      "The prefix before the JWT in a token.",
      { name: "tokenPrefix" },
    ),
    prefixRequired: withDefault(flag, "true", "Set to false to also accept a JWT without the prefix.", {
      name: "tokenPrefixRequired",
    }),
    jwksUrl: required(address, "The address at which the issuer publishes its keys."),
    issuer: required(text(), "The exact value of the iss claim."),
    audiences: required(
      atLeastOne(list(text()), "it must have at least one value"),
      "The required audience (aud). Separate several with commas. A token must have one of them.",
      { name: "audience" },
    ),
    requiredType: optional(text(64), "The required typ in a token's header, such as at+jwt.", {
      name: "requiredTokenType",
    }),
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
  }),

  jwks: z.object({
    freshSeconds: withDefault(whole(10, 86_400), "600", "How long a key set is fresh.", { name: "jwksFreshSeconds" }),
    staleSeconds: withDefault(
      whole(0, 604_800),
      "86400",
      "How long known keys stay valid if no key set can be fetched.",
      { name: "jwksStaleSeconds" },
    ),
    cooldownSeconds: withDefault(whole(1, 3600), "30", "The minimum time between two fetches for unknown key IDs.", {
      name: "jwksCooldownSeconds",
    }),
    timeLimitMilliseconds: withDefault(whole(100, 60_000), "5000", "The timeout for fetching the key set.", {
      name: "jwksTimeLimitMilliseconds",
    }),
  }),

  internal: z.object({
    baseUrl: required(baseAddress, "The address of the internal service.", { name: "internalBaseUrl" }),
    secrets: required(
      internalSecrets,
      "The value of X-Webui-Secret, at least 16 characters. During a rotation, two values separated by a space: the first one is sent, and both are accepted.",
      { name: "internalSecret", isSecret: true, separator: " " },
    ),
    resource: required(
      text(),
      "The resource that users must be entitled to. Can contain {tenant} if the platform's address does.",
      { name: "entitlementResource" },
    ),
    tenantParameter: optional(
      parameterName,
      "The query parameter with the tenant. If the platform's address contains {tenant}, this parameter or {tenant} in the resource is required.",
      { name: "entitlementTenantParameter" },
    ),
    emailParameter: withDefault(parameterName, "email", "The query parameter with the email address.", {
      name: "entitlementEmailParameter",
    }),
    resourceParameter: withDefault(parameterName, "resource", "The query parameter with the resource.", {
      name: "entitlementResourceParameter",
    }),
    timeLimitMilliseconds: withDefault(
      whole(100, 60_000),
      "5000",
      "The timeout for requests to the internal service.",
      { name: "internalTimeLimitMilliseconds" },
    ),
    allowedSeconds: withDefault(whole(1, 3600), "30", "How long a positive result is cached.", {
      name: "entitledSeconds",
    }),
    deniedSeconds: withDefault(whole(1, 3600), "5", "How long a negative result is cached."),
  }),

  credentials: z.object({
    slug: withDefault(
      slugWith(),
      "platform",
      "The slug of the stored platform credential, with {tenant} if the platform's address contains it.",
      { name: "credentialSlug" },
    ),
    notebookSlug: withDefault(
      slugWith(placeholder),
      `notebook-${placeholder}`,
      `The slug of a stored notebook token, with ${placeholder}, and with {tenant} if the platform's address contains it.`,
    ),
    envelopeTenantRequired: withDefault(
      flag,
      "false",
      "Set to true to decrypt an envelope only if its header or its content names the caller's tenant. If the platform's address contains {tenant}, this setting or {tenant} in both slugs is required.",
    ),
    cacheSeconds: withDefault(whole(1, 300), "45", "How long a decrypted credential stays in memory.", {
      name: "credentialCacheSeconds",
    }),
    cacheSize: withDefault(whole(1, 1_000_000), "10000", "The maximum number of credentials in memory.", {
      name: "credentialCacheSize",
    }),
    keys: required(
      privateKeys,
      "RSA private keys for envelopes, in PEM format, with at least 2048 bits. A line kid: name before a key sets its ID. The first key decrypts envelopes without a known key ID. As files: kid=path or path, separated by commas.",
      { name: "privateKey", isSecret: true },
    ),
    allowOaepSha1: withDefault(flag, "false", "Decrypts envelopes whose key was wrapped with RSA-OAEP and SHA-1."),
    allowPlainEnvelope: withDefault(flag, "true", "Decrypts envelopes that are a JSON object but not a JWE."),
  }),

  platform: z.object({
    baseUrl: required(
      platformAddress,
      "The address of the platform, such as https://acme.example.com. Its host can contain {tenant}. Credentials and entitlements then apply to one tenant.",
      { name: "platformBaseUrl" },
    ),
    dialect: withDefault(dialect, "documented", "The platform's dialect."),
    contentServer: z.object({
      origin: optional(origin, "The origin of the content servers, if it differs from the one that instances report.", {
        name: "contentServerOrigin",
      }),
      prefix: optional(
        text(),
        `Path prefix of content servers, such as /user/{namespace}/${placeholder}/, if it differs from the reported one.`,
        { name: "contentServerPrefix" },
      ),
    }),
  }),

  tools: z.object({
    toolsets: withDefault(
      list(oneOf(toolsets)),
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
      oneOf(["required", "leftToClient"]),
      "required",
      "What a destructive tool does if the client can't ask its user. `required` rejects the call. `leftToClient` relies on the client's own confirmation.",
    ),
    maximumResultCharacters: withDefault(
      whole(1000, 10_000_000),
      "400000",
      "The maximum number of characters in a result if the caller asks for more with maxCharacters. Without that, a result has at most 40,000, or 80,000 with its pictures.",
    ),
    stateSecret: optional(
      stateSecret,
      "The secret for signing the state that clients carry between requests. At least 32 characters, the same for all instances. Random by default.",
      { isSecret: true },
    ),
  }),

  limits: z.object({
    maximumHeaderBytes: withDefault(whole(4096, 65_536), "16384", "The maximum size of a request's headers, in bytes."),
    maximumBodyBytes: withDefault(
      whole(1024, 67_108_864),
      "1048576",
      "The maximum size of a request's body, in bytes.",
    ),
    headersMilliseconds: withDefault(seconds(1, 120), "10", "The timeout for receiving a request's headers.", {
      name: "headersSeconds",
    }),
    requestMilliseconds: withDefault(seconds(1, 600), "60", "The timeout for receiving a complete request.", {
      name: "requestSeconds",
    }),
    callMilliseconds: withDefault(
      seconds(1, 600),
      "60",
      "The time limit of a call, until its response has been read.",
      { name: "callSeconds" },
    ),
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
  }),

  sharedState: z.object({
    server: optional(
      storeAddress,
      "A Valkey or Redis server in which instances share rate limits, used confirmations, and revocations, such as rediss://user@host:6379/0.",
      { name: "sharedStateUrl" },
    ),
    password: optional(text(4096), "The password for the shared state.", {
      name: "sharedStatePassword",
      isSecret: true,
    }),
    certificateAuthorityFile: optional(
      text(4096),
      "PEM file of the certificate authority for the shared state, if it isn't a public one.",
      { name: "sharedStateCaFile" },
    ),
    prefix: withDefault(
      matching(/^[A-Za-z0-9:_.{}-]{1,64}$/, "1 to 64 letters, digits, and : _ . - { }"),
      "front-door:",
      "The prefix of all keys in the shared state.",
      { name: "sharedStatePrefix" },
    ),
    timeLimitMilliseconds: withDefault(whole(10, 10_000), "250", "The timeout for requests to the shared state.", {
      name: "sharedStateTimeLimitMilliseconds",
    }),
    whenUnavailable: withDefault(
      oneOf(["closed", "open"]),
      "closed",
      "What happens while the shared state is unavailable: closed rejects requests with 503, open lets each instance use its own limits, confirmations, and revocations.",
      { name: "sharedStateWhenUnavailable" },
    ),
  }),
  allowHttp: withDefault(
    flag,
    "false",
    "Allows sending secrets and keys to other machines without TLS, for private networks.",
  ),
  logLevel: withDefault(
    oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    "info",
    "The log level.",
  ),
  drainSeconds: withDefault(
    whole(0, 300),
    "0",
    "How long readyz fails before the server refuses new connections, during shutdown.",
  ),
  graceSeconds: withDefault(whole(0, 600), "20", "How long running calls can continue after that."),
});

type Values = z.output<typeof settings>;

/** The values of all settings. */
export type Settings = { readonly [Name in keyof Values]: Readonly<Values[Name]> };
