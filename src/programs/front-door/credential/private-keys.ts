import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { DecryptionKey } from "../config/configuration.ts";
import { SettingFault } from "../config/setting.ts";

const leastBits = 2048;
const block = /(?:kid:[ \t]*(\S+)\s+)?(-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \3-----)/g;

/**
 * Reads RSA private keys: one PEM or several, PKCS#8 or PKCS#1, with line breaks or with `\n` written out. A line
 * `kid: name` before a key names it; without one its name is its RFC 7638 thumbprint. Throws a SettingFault.
 */
export function parsePrivateKeys(given: string): readonly [DecryptionKey, ...DecryptionKey[]] {
  const text = given.replaceAll("\\n", "\n");
  const keys = [...text.matchAll(block)].map(([, kid, pem = ""], index) => {
    const key = rsaKeyOf(pem, index + 1);
    return { kid: kid ?? thumbprintOf(key), key };
  });
  const [first, ...rest] = keys;
  if (first === undefined) {
    throw new SettingFault("it has no private key in PEM form");
  }
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) {
    throw new SettingFault("two of its keys have the same name");
  }
  return [first, ...rest];
}

function rsaKeyOf(pem: string, position: number): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The library's words may have parts of the key in them.
    throw new SettingFault(`key ${position} cannot be read as a private key without a passphrase`);
  }
  if (key.asymmetricKeyType !== "rsa") {
    throw new SettingFault(`key ${position} is no RSA key`);
  }
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < leastBits) {
    throw new SettingFault(`key ${position} has ${modulusLength} bits; it needs at least ${leastBits}`);
  }
  return key;
}

/** The thumbprint of the key's public half: the same for whoever encrypts. */
export function thumbprintOf(key: KeyObject): string {
  const { e, n } = createPublicKey(key).export({ format: "jwk" });
  return createHash("sha256")
    .update(JSON.stringify({ e, kty: "RSA", n }))
    .digest("base64url");
}
