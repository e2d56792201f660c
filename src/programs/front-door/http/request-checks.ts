import type { IncomingMessage } from "node:http";
import type { PublicConfiguration } from "../config/configuration.ts";
import type { Refusal } from "./refusals.ts";

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
