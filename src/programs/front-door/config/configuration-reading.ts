import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Configuration, isLoopbackHost, type SharedStateConfiguration, urlHost } from "./configuration.ts";
import { errorsBetween } from "./configuration-checks.ts";
import { readSettings, type SettingSources, type ValidSettings } from "./setting-sources.ts";
import type { Settings } from "./settings.ts";

type ConfigurationOutcome =
  | { readonly outcome: "configuration"; readonly configuration: Configuration; readonly remarks: readonly string[] }
  | { readonly outcome: "invalid"; readonly errors: readonly string[] };

type ReadFile = (path: string) => string;

/** Reads and validates the complete configuration. Reports all errors, not only the first one. */
export function configurationFrom(sources: SettingSources): ConfigurationOutcome {
  const { readFile = (path: string) => readFileSync(path, "utf8") } = sources;
  const { values, errors } = readSettings(sources);
  const tls = tlsFrom(values, readFile);
  const authority = authorityFrom(values, readFile);
  const all = [
    ...errors,
    ...("error" in tls ? [tls.error] : []),
    ...errorsBetween(values),
    ...("error" in authority ? [authority.error] : []),
  ];
  if (all.length > 0 || "error" in tls || "error" in authority) {
    return { outcome: "invalid", errors: all };
  }
  const { tls: _, allowHttp: __, sharedState, ...settings } = values as Settings;
  const { public: names, tools, listen, internalListen, token } = settings;
  return {
    outcome: "configuration",
    configuration: {
      ...settings,
      ...tls,
      public: {
        ...names,
        authorizationServers: authorizationServersOf(names, token),
        allowedHosts: allowedHostsOf(names, listen),
      },
      tools: { ...tools, stateSecret: tools.stateSecret ?? randomBytes(32).toString("hex") },
      ...sharedStateFrom(sharedState, authority),
    },
    remarks: [
      ...(tools.stateSecret === undefined
        ? [
            "No state secret is configured. A random one is used, so other instances can't continue this instance's calls.",
          ]
        : []),
      ...(internalListen === undefined && !isLoopbackHost(listen.host)
        ? [
            "/metrics and the probes are not served, because other machines can reach the tools' address. Set FRONT_DOOR_INTERNAL_LISTEN.",
          ]
        : []),
    ],
  };
}

function tlsFrom(
  { tls: { certificateFile, keyFile } }: ValidSettings,
  readFile: ReadFile,
): Pick<Configuration, "tls"> | { readonly error: string } {
  if (certificateFile === undefined && keyFile === undefined) {
    return {};
  }
  if (certificateFile === undefined || keyFile === undefined) {
    return { error: "TLS needs both a certificate file and a key file." };
  }
  try {
    const tls = { certificate: readFile(certificateFile), key: readFile(keyFile) };
    return new X509Certificate(tls.certificate).checkPrivateKey(createPrivateKey(tls.key))
      ? { tls }
      : { error: `The key in ${keyFile} does not belong to the certificate in ${certificateFile}.` };
  } catch {
    return { error: `The certificate in ${certificateFile} or its key in ${keyFile} can't be read.` };
  }
}

type Authority = Pick<SharedStateConfiguration, "certificateAuthority">;

/** Reads the PEM of the store's certificate authority, if a file is configured. */
function authorityFrom(
  { sharedState: { certificateAuthorityFile: path } }: ValidSettings,
  readFile: ReadFile,
): Authority | { readonly error: string } {
  if (path === undefined) {
    return {};
  }
  try {
    const certificateAuthority = readFile(path);
    // Throws unless it is a certificate.
    new X509Certificate(certificateAuthority);
    return { certificateAuthority };
  } catch {
    return { error: `The certificate in ${path} can't be read.` };
  }
}

/** The configuration of the shared state; empty if there is none. */
function sharedStateFrom(
  { server, certificateAuthorityFile: _, ...others }: Settings["sharedState"],
  authority: Authority,
): Pick<Configuration, "sharedState"> {
  return server === undefined ? {} : { sharedState: { ...server, ...authority, ...others } };
}

/** The authorization servers. By default, the issuer if it is an HTTPS address. */
function authorizationServersOf(
  { authorizationServers }: Settings["public"],
  { issuer }: Settings["token"],
): readonly string[] {
  if (authorizationServers !== undefined) {
    return authorizationServers.filter((one) => one !== "none");
  }
  return /^https:\/\//.test(issuer) && URL.canParse(issuer) ? [issuer] : [];
}

/** The configured names, the public hostname, the listen address, and, on loopback, the names of this computer. */
function allowedHostsOf({ allowedHosts, url }: Settings["public"], listen: Settings["listen"]): ReadonlySet<string> {
  const host = urlHost(listen.host);
  const isEverywhere = ["0.0.0.0", "[::]"].includes(host);
  return new Set([
    ...allowedHosts,
    ...(url === undefined ? [] : [url.hostname]),
    ...(isEverywhere ? [] : [host.toLowerCase()]),
    ...(isLoopbackHost(listen.host) ? ["localhost", "127.0.0.1", "[::1]"] : []),
  ]);
}
