import { X509Certificate } from "node:crypto";
import type { Configuration, SharedStateConfiguration } from "./configuration.ts";
import { isLoopbackHost } from "./setting-parsers.ts";
import type { SettingValues } from "./setting-sources.ts";

type Read = Partial<SettingValues>;

const secureSchemes: ReadonlySet<string> = new Set(["rediss:", "valkeys:"]);

/** The errors in the settings of the shared state. */
export function sharedStateErrors({
  sharedStateUrl: url,
  sharedStatePassword,
  sharedStateCaFile,
  stateSecret,
  allowHttp,
  revocationSeconds = 0,
  maximumLifetimeSeconds = 0,
  clockSkewSeconds = 0,
}: Read): readonly string[] {
  const least = maximumLifetimeSeconds + 2 * clockSkewSeconds;
  return [
    ...(revocationSeconds > 0 && revocationSeconds < least
      ? [
          `FRONT_DOOR_REVOCATION_SECONDS must be at least ${least}, because tokens can be valid for FRONT_DOOR_MAXIMUM_LIFETIME_SECONDS.`,
        ]
      : []),
    ...(url === undefined && (sharedStatePassword !== undefined || sharedStateCaFile !== undefined)
      ? ["A setting of the shared state is configured, but FRONT_DOOR_SHARED_STATE_URL is not."]
      : []),
    ...(url !== undefined && stateSecret === undefined
      ? [
          "FRONT_DOOR_SHARED_STATE_URL requires FRONT_DOOR_STATE_SECRET, the same for all instances, because the keys in the shared state depend on it.",
        ]
      : []),
    ...(url !== undefined && !secureSchemes.has(url.protocol) && !isLoopbackHost(hostOf(url)) && allowHttp !== true
      ? [
          "FRONT_DOOR_SHARED_STATE_URL connects to another machine without TLS. Use rediss://, or set FRONT_DOOR_ALLOW_HTTP=true.",
        ]
      : []),
    ...(url !== undefined && sharedStateCaFile !== undefined && !secureSchemes.has(url.protocol)
      ? ["FRONT_DOOR_SHARED_STATE_CA_FILE applies only to rediss:// and valkeys:// addresses."]
      : []),
  ];
}

/** Reads the PEM of the store's certificate authority, if a file is configured. */
export function authorityFrom(
  { sharedStateCaFile: path }: Read,
  readFile: (path: string) => string,
): { readonly pem: string | undefined } | { readonly error: string } {
  if (path === undefined) {
    return { pem: undefined };
  }
  try {
    const pem = readFile(path);
    // Throws unless it is a certificate.
    new X509Certificate(pem);
    return { pem };
  } catch {
    return { error: `The certificate in ${path} can't be read.` };
  }
}

/** The configuration of the shared state; empty if there is none. */
export function sharedStateFrom(
  values: SettingValues,
  certificateAuthority: string | undefined,
): Pick<Configuration, "sharedState"> {
  const { sharedStateUrl: url, sharedStatePassword: password } = values;
  if (url === undefined) {
    return {};
  }
  const username = decodeURIComponent(url.username);
  const sharedState: SharedStateConfiguration = {
    host: hostOf(url),
    port: url.port === "" ? 6379 : Number(url.port),
    database: Number(url.pathname.slice(1)),
    isSecure: secureSchemes.has(url.protocol),
    ...(username === "" ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    prefix: values.sharedStatePrefix,
    timeLimitMilliseconds: values.sharedStateTimeLimitMilliseconds,
    whenUnavailable: values.sharedStateWhenUnavailable,
  };
  return { sharedState };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}
