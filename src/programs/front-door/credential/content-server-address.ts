import { isConfidential } from "../../../api/http/credentials.ts";

/**
 * True if this server may send requests to a content server that a platform reports. It must use HTTPS, or the platform
 * must not use it either. This prevents a remote platform from making this server call itself.
 */
export function mayReach(base: URL, platform: URL): boolean {
  return isConfidential(base) && (base.protocol === "https:" || platform.protocol === "http:");
}
