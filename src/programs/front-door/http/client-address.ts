import { BlockList, isIP } from "node:net";

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
