import { isIP } from "node:net";
import * as z from "zod/mini";
import { list, matching } from "./setting-types.ts";

// The types of settings that are addresses and names of servers.

const url = (error: string) =>
  z.pipe(
    z.string().check(z.refine((given) => URL.canParse(given), { error })),
    z.transform((given) => new URL(given)),
  );

/**
 * The address of a server that is trusted or receives a secret, with HTTPS or HTTP. HTTP to other machines is checked
 * later, for the configuration as a whole.
 */
export const address = url("it is not an address such as https://example.com").check(
  z.refine(
    ({ protocol, username, password, hash }) =>
      /^https?:$/.test(protocol) && username === "" && password === "" && hash === "",
    { error: "it must begin with https://, and must not contain a user or #" },
  ),
);

/** An address without a query, to which paths are appended. */
export const baseAddress = address.check(z.refine(({ search }) => search === "", { error: "it must not contain ?" }));

const originError = { error: "it must be an origin, which has only a scheme and a host" };

/** A complete origin, such as `https://app.example.com`, in lowercase. */
export const origin = z.pipe(
  z.pipe(
    z.string().check(z.refine((given) => !given.endsWith("/") || !address.safeParse(given).success, originError)),
    address.check(z.refine(({ pathname, search }) => pathname === "/" && search === "", originError)),
  ),
  z.transform(({ origin }) => origin),
);

const storeError = "it must be redis://, rediss://, valkey://, or valkeys:// with a host";

/** A Valkey or Redis server: `rediss://user@host:6379/0`. The password is a separate, secret setting. */
export const storeAddress = z.pipe(
  url(storeError).check(
    z.refine(({ protocol, hostname }) => /^(?:redis|valkey)s?:$/.test(protocol) && hostname !== "", {
      error: storeError,
    }),
    z.refine(({ password }) => password === "", { error: "it must not contain a password; use sharedStatePassword" }),
    z.refine(({ pathname, search, hash }) => /^(?:\/\d{0,4})?$/.test(pathname) && search === "" && hash === "", {
      error: "its path can only be a database number, such as /0",
    }),
    z.refine(({ username }) => isDecodable(username), { error: "its user can't be decoded" }),
  ),
  z.transform(({ protocol, hostname, port, pathname, username }) => ({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? 6379 : Number(port),
    database: Number(pathname.slice(1)),
    /** True for TLS. */
    isSecure: protocol === "rediss:" || protocol === "valkeys:",
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
  })),
);

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const listenForm = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i;

/** An address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:8080`. Port 0 means any free port. */
export const listenAddress = z.pipe(
  z.string().check(
    z.refine((given) => Number(listenForm.exec(given)?.[2]) <= 65_535, {
      error: "it must be host:port, such as 127.0.0.1:8080",
    }),
  ),
  z.transform((given) => {
    const [, host = "", port] = listenForm.exec(given) ?? [];
    return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
  }),
);

/** An IP address or network: `10.0.0.1`, `10.0.0.0/8`, `::1`, `fd00::/8`. */
export const subnet = z.pipe(
  z.string(),
  z.transform((given, { issues }) => {
    const [address = "", bits] = given.split("/");
    const version = isIP(address);
    const maxPrefixLength = version === 6 ? 128 : 32;
    const prefixLength = Number(bits ?? maxPrefixLength);
    if (version === 0 || !Number.isInteger(prefixLength) || prefixLength < 0 || prefixLength > maxPrefixLength) {
      issues.push({ code: "custom", message: `"${given}" is not an address or network`, input: given });
    }
    return { address, prefixLength, family: version === 6 ? ("ipv6" as const) : ("ipv4" as const) };
  }),
);

export const hostName = z.pipe(
  matching(/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i, "a hostname without a port"),
  z.transform((given) => given.toLowerCase()),
);

/** Origins without duplicates, separated by commas. */
export const origins = z.pipe(
  list(origin),
  z.transform((given): ReadonlySet<string> => new Set(given)),
);

// A tenant alone, such as localhost or 2130706433, would be the address of any server.
const tenantInDomain = /\{tenant\}(?:[a-z0-9-]*\.)+[a-z][a-z0-9-]*(?::\d+)?(?:\/|$)/i;

/** An address whose host can contain `{tenant}`. */
export const platformAddress = z.string().check(
  z.superRefine((given, { addIssue }) => {
    const [one, other] = ["one", "other"].map((tenant) => baseAddress.safeParse(given.replaceAll("{tenant}", tenant)));
    const error = one?.error ?? other?.error;
    if (error !== undefined) {
      addIssue(error.issues[0]?.message ?? "");
    } else if (one?.data?.pathname !== other?.data?.pathname || /[{}]/.test(one?.data?.href ?? "")) {
      addIssue("its hostname may contain {tenant}, but no other braces");
    } else if (given.includes("{tenant}") && !tenantInDomain.test(given)) {
      addIssue("{tenant} must be followed by a fixed domain, such as .example.com");
    }
  }),
);
