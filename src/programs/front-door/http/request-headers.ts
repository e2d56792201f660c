import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { PublicConfiguration } from "../config/configuration.ts";
import type { Refusal } from "./rejections.ts";

const mostHeaders = 100;

/** One Host, and one that this server goes by: a page that has had its own name point here gets nothing. */
export function checkHost(request: IncomingMessage, { allowedHosts }: PublicConfiguration): Refusal | undefined {
  const hosts = request.headersDistinct.host ?? [];
  if (hosts.length !== 1) {
    return { refusal: "invalidRequest", reason: "host: not exactly one header" };
  }
  const name = hostNameOf(hosts[0] ?? "");
  return name !== undefined && allowedHosts.has(name) ? undefined : { refusal: "hostNotAllowed" };
}

/** No Origin, or one that is allowed: browsers send it for every page. */
export function checkOrigin(request: IncomingMessage, { allowedOrigins }: PublicConfiguration): Refusal | undefined {
  const origins = request.headersDistinct.origin ?? [];
  const areAllowed = origins.length <= 1 && origins.every((origin) => allowedOrigins.has(origin.toLowerCase()));
  return areAllowed ? undefined : { refusal: "originNotAllowed" };
}

/** No more headers than anybody needs, and no token in the address, where logs and histories keep it. */
export function checkForm(request: IncomingMessage): Refusal | undefined {
  if (request.rawHeaders.length > 2 * mostHeaders) {
    return { refusal: "tooManyHeaders" };
  }
  const [, query] = (request.url ?? "").split("?", 2);
  return query !== undefined && new URLSearchParams(query).has("access_token")
    ? { refusal: "invalidRequest", reason: "authorization: a token in the address" }
    : undefined;
}

/** The name in `name:port`, lower-case; IPv6 keeps its brackets. */
export function hostNameOf(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}

/** Addresses and networks of proxies that may say for whom they speak. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** Takes `10.0.0.1`, `10.0.0.0/8`, `::1`, `fd00::/8`. Throws a RangeError that names what is none of these. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = "", bits] = entry.split("/");
      const family = isIP(address);
      const length = Number(bits ?? (family === 6 ? 128 : 32));
      if (family === 0 || !Number.isInteger(length) || length < 0 || length > (family === 6 ? 128 : 32)) {
        throw new RangeError(`"${entry}" is no address or network`);
      }
      this.#list.addSubnet(address, length, family === 6 ? "ipv6" : "ipv4");
    }
  }

  /** Who stands at the other end: the last address in `X-Forwarded-For` that is no trusted proxy's. */
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

/** IPv4 as itself, where a socket of both families shows it as IPv6. */
function bare(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
