import type { AnyOperation } from "../catalogue/operation.ts";
import type { PlatformError } from "../http/errors.ts";
import { operationFailure } from "./answer-failures.ts";

/** The error for input that is refused before anything is sent, in the client's words: the field, then the reason. */
export function refusedInput(operation: AnyOperation, input: object, field: string, reason: string): PlatformError {
  return operationFailure(operation, input, {
    kind: "request",
    cause: { type: "input", field },
    reason: `${field}: ${reason}`,
  });
}
