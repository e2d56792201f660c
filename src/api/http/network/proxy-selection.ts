import { ProxyError, type ProxyServer, type ProxySource } from "./proxy.ts";

/** What a user has set for all connections of a program. */
export interface ProxySettings {
  readonly proxy?: string;
  /** Value of the header `Proxy-Authorization`. Without it, the credentials in `proxy` are used. */
  readonly authorization?: string;
  /** Hosts that are reached without a proxy. If there are any, `NO_PROXY` does not apply. */
  readonly noProxy?: readonly string[];
}

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for an origin from the settings, or from `HTTP_PROXY`, `HTTPS_PROXY`, and `NO_PROXY`. `direct` if none
 * applies to the origin, undefined if no proxy is set. Throws a ProxyError if the address of the proxy is invalid.
 */
export function selectProxy(
  origin: URL,
  { proxy = "", authorization, noProxy = [] }: ProxySettings,
  environment: Environment,
): ProxyServer | "direct" | undefined {
  const bypassed = noProxy.length > 0 ? noProxy : (environment.no_proxy || environment.NO_PROXY || "").split(/[,\s]+/);
  if (isLoopback(origin.hostname) || isBypassed(origin, bypassed)) {
    return "direct";
  }
  if (proxy.trim() !== "") {
    return proxyAt(proxy, "setting", authorization);
  }
  const http = environment.http_proxy || environment.HTTP_PROXY;
  const found = (origin.protocol === "https:" && (environment.https_proxy || environment.HTTPS_PROXY)) || http || "";
  return found.trim() === "" ? undefined : proxyAt(found, "environment", authorization);
}

/** Reads the address of a proxy, such as `user:password@proxy.example.com:8080`. The scheme is `http` by default. */
export function proxyAt(text: string, source: ProxySource, authorization?: string): ProxyServer {
  const trimmed = text.trim();
  const complete = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const url = URL.canParse(complete) ? new URL(complete) : undefined;
  if (url === undefined || url.hostname === "" || !/^(?:https?|socks(?:4a|5h?)?):$/.test(url.protocol)) {
    throw new ProxyError({ type: "invalid", address: withoutCredentials(trimmed), source });
  }
  const { protocol, host, username, password } = url;
  const login = `${decoded(username)}:${decoded(password)}`;
  const given = authorization ?? (login === ":" ? undefined : `Basic ${Buffer.from(login).toString("base64")}`);
  return {
    address: `${protocol.replace("socks5h", "socks5")}//${host}`,
    source,
    ...(given === undefined ? {} : { authorization: given }),
  };
}

function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || /^127\.|^\[::1\]$/.test(hostname);
}

/** `example.com` and `.example.com` also match subdomains, `*.example.com` only them. A port can follow. */
function isBypassed({ protocol, hostname, port }: URL, entries: readonly string[]): boolean {
  const host = hostname.replace(/\.$/, "");
  const ownPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return entries.some((entry) => {
    const [name, entryPort] = hostAndPort(entry.trim().toLowerCase());
    if (name === "" || (entryPort !== undefined && entryPort !== ownPort)) {
      return false;
    }
    const domain = name.replace(/^\*?\./, "").replace(/\.$/, "");
    const bracketed = domain.includes(":") && !domain.startsWith("[") ? `[${domain}]` : domain;
    const isExact = bracketed === host && !name.startsWith("*.");
    return name === "*" || isExact || host.endsWith(`.${domain}`);
  });
}

/** An IPv6 address with a port is in brackets. */
function hostAndPort(entry: string): readonly [host: string, port: string | undefined] {
  const colon = entry.lastIndexOf(":");
  const isOnly = entry.indexOf(":") === colon;
  const port = entry.slice(colon + 1);
  return colon > 0 && (isOnly || entry[colon - 1] === "]") && /^\d+$/.test(port)
    ? [entry.slice(0, colon), port]
    : [entry, undefined];
}
