import { errorMessage } from "../error-message.ts";
import { AnswerTooLargeError, ReceiverError } from "./dispatch.ts";

/** Why a request ended without a response. */
export type TransportFailure =
  | { readonly type: "network"; readonly code: string; readonly reachedServer: boolean; readonly message: string }
  | { readonly type: "timeLimit"; readonly milliseconds: number }
  | { readonly type: "cancelled" }
  | { readonly type: "receiver"; readonly code: string; readonly message: string }
  | { readonly type: "tooLarge"; readonly maximumBytes: number }
  | { readonly type: "otherOrigin"; readonly expected: string; readonly actual: string };

export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly failure: TransportFailure;

  constructor(failure: TransportFailure) {
    super(failure.type);
    this.failure = failure;
  }
}

/** Connection errors that occur before anything is sent, so a retry can't repeat the work. */
const unsentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_INVALID_ARG",
]);
/** Prefixes of the codes for a rejected certificate, or for a server without TLS. Nothing was sent. */
const certificateCodes = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_SSL_WRONG_VERSION|EPROTO$)/;

/** True for the code of a failure to verify the server's identity. */
export function isCertificateCode(code: string): boolean {
  return certificateCodes.test(code);
}

/** The failure for an error of the HTTP library. `isLate`: the request's own timeout aborted it. */
export function failureOf(
  error: unknown,
  {
    signal,
    timeLimit,
    isLate,
  }: { readonly signal: AbortSignal | undefined; readonly timeLimit: number; readonly isLate: boolean },
): TransportFailure {
  if (signal?.aborted === true) {
    return { type: "cancelled" };
  }
  const code = codeOf(error);
  if (error instanceof ReceiverError) {
    const { cause } = error;
    return { type: "receiver", code, message: errorMessage(cause) };
  }
  if (error instanceof AnswerTooLargeError) {
    return { type: "tooLarge", maximumBytes: error.maximumBytes };
  }
  if (isLate || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return { type: "timeLimit", milliseconds: timeLimit };
  }
  const message = errorMessage(error);
  return { type: "network", code, reachedServer: !unsentCodes.has(code) && !isCertificateCode(code), message };
}

function codeOf(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    const first = current instanceof AggregateError ? current.errors[0] : current;
    if (first instanceof Error && "code" in first && typeof first.code === "string") {
      return first.code;
    }
  }
  return "UNKNOWN";
}
