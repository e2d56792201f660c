import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import type { DecryptionKey, Subnet } from "./configuration.ts";

// The definition of a setting, and parsers for its types of values.

/** Whether a setting is required, is optional, or has a default. */
type Need = "required" | "optional" | "default";

/** A setting, whose value is a string from a flag, the environment, or the configuration file. */
export interface Setting<T, N extends Need> {
  readonly need: N;
  /** One or two sentences for users. */
  readonly help: string;
  /** The default value, as a string. */
  readonly defaultValue?: string;
  /**
   * True for secrets. They come from the environment, the configuration file, or a separate file, but never from a
   * flag.
   */
  readonly secret: boolean;
  /** Parses the value. Throws a SettingError. */
  readonly parse: (text: string) => T;
}

export type AnySetting = Setting<unknown, Need>;

/** Why a value is invalid. Must not contain a secret. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

type Parse<T> = (text: string) => T;

export function required<T>(parse: Parse<T>, help: string): Setting<T, "required"> {
  return { need: "required", help, secret: false, parse };
}

export function optional<T>(parse: Parse<T>, help: string): Setting<T, "optional"> {
  return { need: "optional", help, secret: false, parse };
}

export function withDefault<T>(parse: Parse<T>, value: string, help: string): Setting<T, "default"> {
  return { need: "default", help, secret: false, defaultValue: value, parse };
}

export function secret<T, N extends Need>(setting: Setting<T, N>): Setting<T, N> {
  return { ...setting, secret: true };
}

export function text(max = 512): Parse<string> {
  return (given) => {
    if (given.length > max || /[\p{Cc}]/u.test(given)) {
      throw new SettingError(`it must be one line of at most ${max} characters`);
    }
    return given;
  };
}

export function matching(pattern: RegExp, form: string): Parse<string> {
  return (given) => {
    if (!pattern.test(given)) {
      throw new SettingError(`it must be ${form}`);
    }
    return given;
  };
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Parse<Choice> {
  return (given) => {
    const choice = choices.find((one) => one === given);
    if (choice === undefined) {
      throw new SettingError(`it must be one of ${choices.join(", ")}`);
    }
    return choice;
  };
}

export const flag: Parse<boolean> = (given) => oneOf("true", "false")(given) === "true";

export function whole(least: number, max: number): Parse<number> {
  return (given) => {
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < least || value > max) {
      throw new SettingError(`it must be a whole number from ${least} to ${max}`);
    }
    return value;
  };
}

/** Values separated by commas. */
export function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (given) =>
    given
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .map(parse);
}

export function atLeastOne<T>(parse: Parse<readonly T[]>): Parse<readonly [T, ...T[]]> {
  return (given) => {
    const [first, ...rest] = parse(given);
    if (first === undefined) {
      throw new SettingError("it must have at least one value");
    }
    return [first, ...rest];
  };
}

/**
 * The address of a server that is trusted or receives a secret, with HTTPS or HTTP. HTTP to other machines is checked
 * later, for the configuration as a whole.
 */
export const address: Parse<URL> = (given) => {
  if (!URL.canParse(given)) {
    throw new SettingError("it is not an address such as https://example.com");
  }
  const url = new URL(given);
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new SettingError("it must begin with https://, and must not contain a user or #");
  }
  return url;
};

/** An address without a query, to which paths are appended. */
export const baseAddress: Parse<URL> = (given) => {
  const url = address(given);
  if (url.search !== "") {
    throw new SettingError("it must not contain ?");
  }
  return url;
};

/** A complete origin, such as `https://app.example.com`, in lowercase. */
export const origin: Parse<string> = (given) => {
  const url = address(given);
  if (url.pathname !== "/" || url.search !== "" || given.endsWith("/")) {
    throw new SettingError("it must be an origin, which has only a scheme and a host");
  }
  return url.origin;
};

/** A Valkey or Redis server: `rediss://user@host:6379/0`. The password is a separate, secret setting. */
export const storeAddress: Parse<URL> = (given) => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^(?:redis|valkey)s?:$/.test(url.protocol) || url.hostname === "") {
    throw new SettingError("it must be redis://, rediss://, valkey://, or valkeys:// with a host");
  }
  if (url.password !== "") {
    throw new SettingError("it must not contain a password; use sharedStatePassword");
  }
  if (!/^(?:\/\d{0,4})?$/.test(url.pathname) || url.search !== "" || url.hash !== "") {
    throw new SettingError("its path can only be a database number, such as /0");
  }
  return url;
};

/** An address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:8080`. */
export const listenAddress: Parse<{ readonly host: string; readonly port: number }> = (given) => {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(given);
  const port = Number(found?.[2]);
  if (found?.[1] === undefined || port > 65_535) {
    throw new SettingError("it must be host:port, such as 127.0.0.1:8080");
  }
  return { host: found[1].replace(/^\[|\]$/g, ""), port };
};

/** An IP address or network: `10.0.0.1`, `10.0.0.0/8`, `::1`, `fd00::/8`. */
export const subnet: Parse<Subnet> = (given) => {
  const [address = "", bits] = given.split("/");
  const family = isIP(address);
  const maxPrefixLength = family === 6 ? 128 : 32;
  const prefixLength = Number(bits ?? maxPrefixLength);
  if (family === 0 || !Number.isInteger(prefixLength) || prefixLength < 0 || prefixLength > maxPrefixLength) {
    throw new SettingError(`"${given}" is not an address or network`);
  }
  return { address, prefixLength, family: family === 6 ? "ipv6" : "ipv4" };
};

/** True for a host that only this computer can reach. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

const leastBits = 2048;
const block = /(?:kid:[ \t]*(\S+)\s+)?(-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \3-----)/g;

/**
 * Parses RSA private keys: one or more PEM blocks in PKCS#8 or PKCS#1, with line breaks or with the characters `\n`. A
 * line `kid: name` before a key sets its id. The default id is the RFC 7638 thumbprint. Throws a SettingError.
 */
export function parsePrivateKeys(given: string): readonly [DecryptionKey, ...DecryptionKey[]] {
  const text = given.replaceAll("\\n", "\n");
  const keys = [...text.matchAll(block)].map(([, kid, pem = ""], index) => {
    const key = rsaKeyOf(pem, index + 1);
    return { kid: kid ?? thumbprintOf(key), key };
  });
  const [first, ...rest] = keys;
  if (first === undefined) {
    throw new SettingError("it has no private key in PEM format");
  }
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) {
    throw new SettingError("two of its keys have the same name");
  }
  return [first, ...rest];
}

function rsaKeyOf(pem: string, position: number): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The library's message can contain parts of the key.
    throw new SettingError(`key ${position} can't be read as a private key without a passphrase`);
  }
  if (key.asymmetricKeyType !== "rsa") {
    throw new SettingError(`key ${position} is not an RSA key`);
  }
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < leastBits) {
    throw new SettingError(`key ${position} has ${modulusLength} bits; it needs at least ${leastBits}`);
  }
  return key;
}

/** The RFC 7638 thumbprint of the key's public half, which encrypting parties can compute, too. */
export function thumbprintOf(key: KeyObject): string {
  const { e, n } = createPublicKey(key).export({ format: "jwk" });
  return createHash("sha256")
    .update(JSON.stringify({ e, kty: "RSA", n }))
    .digest("base64url");
}
