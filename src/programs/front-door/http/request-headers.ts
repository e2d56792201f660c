import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Configuration, PublicConfiguration } from "../config/configuration.ts";
import { isLoopbackHost } from "../config/configuration.ts";
import type { Rejection } from "./rejections.ts";

const maxHeaders = 100;

/**
 * The values of a header, one for each time that it was sent. `name` is in lowercase. Faster than Node's
 * `headersDistinct`, which parses all headers.
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? "";
    if (sent.length === name.length && sent.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? "");
    }
  }
  return values;
}

/**
 * Requires exactly one Host header with an allowed name, which protects against DNS rebinding. `orAddress` also accepts
 * IP addresses and `localhost`, which probes and scrapers use, and which a web page can't imitate.
 */
export function checkHost(
  request: IncomingMessage,
  { allowedHosts }: PublicConfiguration,
  orAddress = false,
): Rejection | undefined {
  const hosts = headerValues(request, "host");
  if (hosts.length !== 1) {
    return { rejection: "invalidRequest", reason: "host: not exactly one header" };
  }
  const name = hostNameOf(hosts[0] ?? "");
  if (name === undefined) {
    return { rejection: "hostNotAllowed" };
  }
  const isAddress = orAddress && (name === "localhost" || isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  return isAddress || allowedHosts.has(name) ? undefined : { rejection: "hostNotAllowed" };
}

/** Rejects peers other than the trusted proxies if those terminate TLS, so that no token arrives unencrypted. */
export function checkPeer({ socket }: IncomingMessage, proxies: TrustedProxies): Rejection | undefined {
  return proxies.mayReach(socket.remoteAddress ?? "") ? undefined : { rejection: "peerNotAllowed" };
}

/**
 * Accepts requests without an Origin, or with one allowed Origin. Browsers send it for every page. A loopback Host that
 * was allowed before is also allowed as an Origin, because such a page comes from this address.
 */
export function checkOrigin(request: IncomingMessage, { allowedOrigins }: PublicConfiguration): Rejection | undefined {
  const origins = headerValues(request, "origin");
  if (origins.length === 0) {
    return undefined;
  }
  const host = (request.headers.host ?? "").toLowerCase();
  const isLoopback = isLoopbackHost((hostNameOf(host) ?? "").replace(/^\[|\]$/g, ""));
  const own = isLoopback ? `${"encrypted" in request.socket ? "https" : "http"}://${host}` : undefined;
  const areAllowed =
    origins.length <= 1 &&
    origins.every((origin) => allowedOrigins.has(origin.toLowerCase()) || origin.toLowerCase() === own);
  return areAllowed ? undefined : { rejection: "originNotAllowed" };
}

/** Limits the number of headers, and rejects tokens in the URL, because logs and histories store URLs. */
export function checkForm(request: IncomingMessage): Rejection | undefined {
  if (request.rawHeaders.length > 2 * maxHeaders) {
    return { rejection: "tooManyHeaders" };
  }
  const [, query] = (request.url ?? "").split("?", 2);
  return query !== undefined && new URLSearchParams(query).has("access_token")
    ? { rejection: "invalidRequest", reason: "authorization: a token in the address" }
    : undefined;
}

/** The hostname in `name:port`, in lowercase. IPv6 keeps its brackets. */
function hostNameOf(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}

/** The trusted proxies, which report the client's address, and terminate TLS if this server does not. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;
  readonly #areOnlyPeers: boolean;

  constructor({ trustedProxies: subnets, tls }: Pick<Configuration, "trustedProxies" | "tls">) {
    this.#isEmpty = subnets.length === 0;
    this.#areOnlyPeers = subnets.length > 0 && tls === undefined;
    for (const { address, prefixLength, family } of subnets) {
      this.#list.addSubnet(address, prefixLength, family);
    }
  }

  /** The client's address: the last address in `X-Forwarded-For` that isn't a trusted proxy. */
  clientOf(peer: string | undefined, forwardedFor: readonly string[]): string {
    let client = plainAddress(peer ?? "");
    const hops = forwardedFor
      .join(",")
      .split(",")
      .map((hop) => plainAddress(hop.trim()));
    while (this.has(client)) {
      const next = hops.pop();
      if (next === undefined || isIP(next) === 0) {
        break;
      }
      client = next;
    }
    return client;
  }

  /** The address of a request's client. */
  clientIn(request: IncomingMessage): string {
    return this.clientOf(request.socket.remoteAddress, headerValues(request, "x-forwarded-for"));
  }

  /** True for a peer that may send tokens and secrets. */
  mayReach(peer: string): boolean {
    return !this.#areOnlyPeers || this.has(plainAddress(peer));
  }

  has(address: string): boolean {
    if (this.#isEmpty) {
      return false;
    }
    const family = isIP(address);
    return family !== 0 && this.#list.check(address, family === 6 ? "ipv6" : "ipv4");
  }
}

/** The IPv4 address for one that a dual-stack socket shows as IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
