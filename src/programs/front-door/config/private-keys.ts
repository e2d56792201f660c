import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import * as z from "zod/mini";
import { atLeastOne } from "./setting-types.ts";

const leastBits = 2048;
const block = /(?:kid:[ \t]*(\S+)\s+)?(-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \3-----)/g;

/** An RSA private key, with the `kid` that envelopes use for it. */
export interface DecryptionKey {
  readonly kid: string;
  readonly key: KeyObject;
}

const privateKey = z.transform(
  ({ kid, pem, position }: { kid: string | undefined; pem: string; position: number }, { issues }): DecryptionKey => {
    const key = rsaKeyOf(pem);
    if (typeof key === "string") {
      issues.push({ code: "custom", message: `key ${position} ${key}`, input: undefined });
      return z.NEVER;
    }
    return { kid: kid ?? thumbprintOf(key), key };
  },
);

/**
 * RSA private keys: one or more PEM blocks in PKCS#8 or PKCS#1, with line breaks or with the characters `\n`. A line
 * `kid: name` before a key sets its id. The default id is the RFC 7638 thumbprint.
 */
export const privateKeys = atLeastOne(
  z
    .pipe(
      z.pipe(
        z.string(),
        z.transform((given) =>
          [...given.replaceAll("\\n", "\n").matchAll(block)].map(([, kid, pem = ""], index) => ({
            kid,
            pem,
            position: index + 1,
          })),
        ),
      ),
      z.array(privateKey),
    )
    .check(
      z.refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, {
        error: "two of its keys have the same name",
      }),
    ),
  "it has no private key in PEM format",
);

/** The key, or why it is not accepted. */
function rsaKeyOf(pem: string): KeyObject | string {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The library's message can contain parts of the key.
    return "can't be read as a private key without a passphrase";
  }
  if (key.asymmetricKeyType !== "rsa") {
    return "is not an RSA key";
  }
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  return modulusLength < leastBits ? `has ${modulusLength} bits; it needs at least ${leastBits}` : key;
}

/** The RFC 7638 thumbprint of the key's public half, which encrypting parties can compute, too. */
export function thumbprintOf(key: KeyObject): string {
  const { e, n } = createPublicKey(key).export({ format: "jwk" });
  return createHash("sha256")
    .update(JSON.stringify({ e, kty: "RSA", n }))
    .digest("base64url");
}
