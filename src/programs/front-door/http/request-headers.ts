import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { PublicConfiguration, Subnet } from "../config/configuration.ts";
import type { Rejection } from "./rejections.ts";

const mostHeaders = 100;

/** One Host, and one that this server goes by: a page that has had its own name point here gets nothing. */
export function checkHost(request: IncomingMessage, { allowedHosts }: PublicConfiguration): Rejection | undefined {
  const hosts = request.headersDistinct.host ?? [];
  if (hosts.length !== 1) {
    return { rejection: "invalidRequest", reason: "host: not exactly one header" };
  }
  const name = hostNameOf(hosts[0] ?? "");
  return name !== undefined && allowedHosts.has(name) ? undefined : { rejection: "hostNotAllowed" };
}

/** No Origin, or one that is allowed: browsers send it for every page. */
export function checkOrigin(request: IncomingMessage, { allowedOrigins }: PublicConfiguration): Rejection | undefined {
  const origins = request.headersDistinct.origin ?? [];
  const areAllowed = origins.length <= 1 && origins.every((origin) => allowedOrigins.has(origin.toLowerCase()));
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

/** Proxies in front, which report the client's address. */
export class TrustedProxies {
  readonly #list = new BlockList();

  constructor(subnets: readonly Subnet[]) {
    for (const { address, prefixLength, family } of subnets) {
      this.#list.addSubnet(address, prefixLength, family);
    }
  }

  /** The client's address: the last address in `X-Forwarded-For` that is not a trusted proxy. */
  clientOf(peer: string | undefined, forwardedFor: readonly string[] | undefined): string {
    let client = bare(peer ?? "");
    const hops = (forwardedFor ?? [])
      .join(",")
      .split(",")
      .map((hop) => bare(hop.trim()));
    while (this.#has(client)) {
      const next = hops.pop();
      if (next === undefined || isIP(next) === 0) {
        break;
      }
      client = next;
    }
    return client;
  }

  #has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#list.check(address, family === 6 ? "ipv6" : "ipv4");
  }
}

/** IPv4 as itself, where a dual-stack socket shows it as IPv6. */
function bare(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
