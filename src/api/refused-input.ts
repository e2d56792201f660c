import { operationFailure } from "./answer-failures.ts";
import type { PlatformError } from "./errors.ts";
import type { AnyOperation } from "./operation.ts";

/** The error for input that is refused before anything is sent, in the client's words: the field, then the reason. */
export function refusedInput(operation: AnyOperation, input: object, field: string, reason: string): PlatformError {
  return operationFailure(operation, input, {
    kind: "request",
    cause: { type: "input", field },
    reason: `${field}: ${reason}`,
  });
}
