import type { AnyOperation } from "../catalogue/operation.ts";
import { hasStatus, PlatformError } from "../http/errors.ts";

/** True if the error means that the platform doesn't have the operation. */
export function isMissingOperation({ id }: AnyOperation, error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    error.operationId === id &&
    [404, 405, 501].some((status) => hasStatus(error, status))
  );
}
