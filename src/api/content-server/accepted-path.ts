import { PlatformError } from "../http/errors.ts";
import { encodeContentPath, normalizeContentPath, PathFault } from "./paths.ts";

/** A content path in its one form, before several calls use it; throws a PlatformError of kind `request` for no path. */
export function acceptedPath(path: string, field: string, failure: string, operationId: string): string {
  try {
    encodeContentPath(path, field);
    return normalizeContentPath(path, field);
  } catch (error) {
    if (!(error instanceof PathFault)) {
      throw error;
    }
    throw new PlatformError({
      kind: "request",
      cause: { type: "input", field },
      failure,
      entity: path,
      operationId,
      reason: `${field}: ${error.message}`,
    });
  }
}
