import { createHash, type Hash } from "node:crypto";

/** The hash of a file's bytes in hexadecimal digits; undefined if this runtime does not have the algorithm. */
export function hashOf(bytes: Uint8Array, algorithm: string): string | undefined {
  return hashBy(algorithm)?.update(bytes).digest("hex");
}

/** The same for a file's bytes in parts. */
export async function hashOfParts(parts: AsyncIterable<Uint8Array>, algorithm: string): Promise<string | undefined> {
  const hash = hashBy(algorithm);
  if (hash === undefined) {
    return undefined;
  }
  for await (const part of parts) {
    hash.update(part);
  }
  return hash.digest("hex");
}

function hashBy(algorithm: string): Hash | undefined {
  try {
    return createHash(algorithm);
  } catch {
    return undefined;
  }
}
