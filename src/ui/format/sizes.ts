import type { Translate } from "./dates.ts";

/** Bytes as people read them: `812 bytes`, `4.1 KB`, `12.5 MB`. */
export function sizeText(bytes: number, translate: Translate): string {
  if (bytes < 1000) {
    return translate("{0} bytes", bytes);
  }
  return bytes < 1_000_000
    ? translate("{0} KB", (bytes / 1000).toFixed(1))
    : translate("{0} MB", (bytes / 1_000_000).toFixed(1));
}
