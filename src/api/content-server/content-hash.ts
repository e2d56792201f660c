import { createHash } from "node:crypto";

/** The hash of a file's bytes in hexadecimal digits; undefined if this runtime does not have the algorithm. */
export function hashOf(bytes: Uint8Array, algorithm: string): string | undefined {
  try {
    return createHash(algorithm).update(bytes).digest("hex");
  } catch {
    return undefined;
  }
}
