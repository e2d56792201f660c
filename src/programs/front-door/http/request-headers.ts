import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Configuration, PublicConfiguration } from "../config/configuration.ts";
import { isLoopbackHost } from "../config/setting-parsers.ts";
import type { Rejection } from "./rejections.ts";

const mostHeaders = 100;

/**
 * One Host, and one that this server goes by: a page that has had its own name point here gets nothing. Probes and
 * scrapers come by the address of the machine, whatever it is, which no page can have as its name: `orAddress`.
 */
export function checkHost(
  request: IncomingMessage,
  { allowedHosts }: PublicConfiguration,
  orAddress = false,
): Rejection | undefined {
  const hosts = request.headersDistinct.host ?? [];
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

/** Where TLS is ended by proxies in front, nobody else is answered: a token that came by them alone was not overheard. */
export function checkPeer({ socket }: IncomingMessage, proxies: TrustedProxies): Rejection | undefined {
  return proxies.mayReach(socket.remoteAddress ?? "") ? undefined : { rejection: "peerNotAllowed" };
}

/**
 * No Origin, or one that is allowed: browsers send it for every page. A Host of this machine that was found to be allowed
 * is allowed as an Origin, too: such a page came from this very address.
 */
export function checkOrigin(request: IncomingMessage, { allowedOrigins }: PublicConfiguration): Rejection | undefined {
  const origins = request.headersDistinct.origin ?? [];
  const host = (request.headers.host ?? "").toLowerCase();
  const isLoopback = isLoopbackHost((hostNameOf(host) ?? "").replace(/^\[|\]$/g, ""));
  const own = isLoopback ? `${"encrypted" in request.socket ? "https" : "http"}://${host}` : undefined;
  const areAllowed =
    origins.length <= 1 &&
    origins.every((origin) => allowedOrigins.has(origin.toLowerCase()) || origin.toLowerCase() === own);
  return areAllowed ? undefined : { rejection: "originNotAllowed" };
}

/** No more headers than anybody needs, and no token in the address, where logs and histories keep it. */
export function checkForm(request: IncomingMessage): Rejection | undefined {
  if (request.rawHeaders.length > 2 * mostHeaders) {
    return { rejection: "tooManyHeaders" };
  }
  const [, query] = (request.url ?? "").split("?", 2);
  return query !== undefined && new URLSearchParams(query).has("access_token")
    ? { rejection: "invalidRequest", reason: "authorization: a token in the address" }
    : undefined;
}

/** The name in `name:port`, lower-case; IPv6 keeps its brackets. */
function hostNameOf(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}

/** Proxies in front, which report the client's address and end TLS where this server does not. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #areOnlyPeers: boolean;

  constructor({ trustedProxies: subnets, tls }: Pick<Configuration, "trustedProxies" | "tls">) {
    this.#areOnlyPeers = subnets.length > 0 && tls === undefined;
    for (const { address, prefixLength, family } of subnets) {
      this.#list.addSubnet(address, prefixLength, family);
    }
  }

  /** The client's address: the last address in `X-Forwarded-For` that is not a trusted proxy. */
  clientOf(peer: string | undefined, forwardedFor: readonly string[] | undefined): string {
    let client = plainAddress(peer ?? "");
    const hops = (forwardedFor ?? [])
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

  /** True for a peer that tokens and secrets may come from. */
  mayReach(peer: string): boolean {
    return !this.#areOnlyPeers || this.has(plainAddress(peer));
  }

  has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#list.check(address, family === 6 ? "ipv6" : "ipv4");
  }
}

/** IPv4 as itself, where a dual-stack socket shows it as IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
