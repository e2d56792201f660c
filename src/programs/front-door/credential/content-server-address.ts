import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { isConfidential } from "../../../api/http/credentials.ts";
import { withoutEnding } from "../../../api/text.ts";
import { type Configuration, platformUrlOf } from "../config/configuration.ts";

type Addresses = Pick<Configuration["platform"], "baseUrl" | "contentServer">;

/** This computer, its own network link, which includes a cloud's metadata service, and addresses of many computers. */
const localAddresses = new BlockList();
for (const [address, prefixLength] of [
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  localAddresses.addSubnet(address, prefixLength, "ipv4");
}
for (const [address, prefixLength] of [
  ["::", 96],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  localAddresses.addSubnet(address, prefixLength, "ipv6");
}

/**
 * True if this server may send requests to a content server that a platform reports. It must have a confidential
 * address, which must not be local unless the platform's is, too, so that a remote platform can't make this server call
 * itself. The configuration may name any content server.
 */
export function mayReach(base: URL, platform: URL, { contentServer }: Pick<Addresses, "contentServer">): boolean {
  return (
    isConfidential(base) &&
    (base.origin === contentServer.origin || !isLocalHost(base.hostname) || isLocalHost(platform.hostname))
  );
}

/**
 * Resolves names for connections to platforms and content servers. A name that only a platform has reported must not
 * lead to a local address, also if it did not when it was checked (DNS rebinding). Undefined if the platform is local.
 */
export function lookupFor(
  { baseUrl, contentServer }: Addresses,
  onRefused: (hostname: string) => void,
  resolve: LookupFunction = systemLookup,
): LookupFunction | undefined {
  const platformHost = platformUrlOf(baseUrl, "tenant")?.hostname ?? "";
  if (isLocalHost(platformHost)) {
    return undefined;
  }
  const names = [platformHost, ...(contentServer.origin === undefined ? [] : [new URL(contentServer.origin).hostname])];
  const tenantDomain = /\{tenant\}([^/:]+)/.exec(baseUrl)?.[1]?.toLowerCase();
  const isConfigured = (hostname: string): boolean =>
    names.includes(hostname) || (tenantDomain !== undefined && hostname.endsWith(tenantDomain));
  return (hostname, options, callback) =>
    resolve(hostname, options, (error, found, family) => {
      const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
      if (error === null && !isConfigured(hostname) && addresses.some(isLocalAddress)) {
        onRefused(hostname);
        // As if the name did not exist, which no retry changes.
        callback(Object.assign(new Error("The name leads to a local address."), { code: "ENOTFOUND" }), []);
      } else {
        callback(error, found, family);
      }
    });
}

/** True for a hostname of a URL that is this computer or a local address. */
function isLocalHost(hostname: string): boolean {
  const name = withoutEnding(hostname.replace(/^\[|\]$/g, ""), ".");
  return name === "localhost" || name.endsWith(".localhost") || isLocalAddress(name);
}

function isLocalAddress(given: string): boolean {
  const [address = ""] = given.split("%", 1);
  const family = isIP(address);
  return family !== 0 && localAddresses.check(address, family === 6 ? "ipv6" : "ipv4");
}
