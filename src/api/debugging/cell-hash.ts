const multiplier = 0x5bd1e995;

/**
 * The hash in the name of the file that IPython's kernel uses for a cell's code: MurmurHash2 of the text in UTF-8, in 32
 * bits, without a sign.
 */
export function cellHash(code: string, seed: number): number {
  const bytes = Buffer.from(code, "utf8");
  const end = bytes.length - (bytes.length % 4);
  let hash = seed ^ bytes.length;
  for (let offset = 0; offset < end; offset += 4) {
    let block = Math.imul(bytes.readInt32LE(offset), multiplier);
    block ^= block >>> 24;
    hash = Math.imul(hash, multiplier) ^ Math.imul(block, multiplier);
  }
  if (end < bytes.length) {
    hash = Math.imul(hash ^ bytes.readUIntLE(end, bytes.length - end), multiplier);
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return (hash ^ (hash >>> 15)) >>> 0;
}
