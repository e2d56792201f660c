import { errorMessage } from "../error-message.ts";
import { ReceiverError, ResponseTooLargeError } from "./dispatch.ts";
import { ProxyError, type ProxyProblem } from "./network/proxy.ts";

/** Why a request ended without a response. */
export type TransportFailure =
  | {
      readonly type: "network";
      readonly code: string;
      readonly reachedServer: boolean;
      readonly message: string;
      /** Set if the request did not pass a proxy. */
      readonly proxy?: ProxyProblem;
    }
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

/** True for the code of a failure before which nothing was sent to any server. */
export function isUnsent(code: string): boolean {
  return unsentCodes.has(code) || secureConnectionProblem(code) !== undefined;
}

/**
 * Why no secure connection to a server was established. `notSecure`: it doesn't speak TLS. `protocol`: it speaks TLS
 * with other versions or ciphers.
 */
export type SecureConnectionProblem =
  | "expired"
  | "notYetValid"
  | "otherHost"
  | "unknownAuthority"
  | "otherCertificate"
  | "notSecure"
  | "protocol";

/** The problem that an error code of Node means; undefined for codes of other problems. */
export function secureConnectionProblem(code: string): SecureConnectionProblem | undefined {
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return "expired";
    case "CERT_NOT_YET_VALID":
      return "notYetValid";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "otherHost";
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
    case "ERR_SSL_HTTP_REQUEST":
      return "notSecure";
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return "unknownAuthority";
  }
  if (/^(?:CERT_|UNABLE_TO_|CRL_|INVALID_|ERROR_IN_CERT_|HOSTNAME_MISMATCH$)/.test(code)) {
    return "otherCertificate";
  }
  return code.startsWith("ERR_SSL_") || code === "EPROTO" ? "protocol" : undefined;
}

/** The failure for an error of the HTTP library. `isLate`: the request's own timeout aborted it. */
export function failureOf(
  error: unknown,
  {
    signal,
    timeLimitMs,
    isLate,
  }: { readonly signal: AbortSignal | undefined; readonly timeLimitMs: number; readonly isLate: boolean },
): TransportFailure {
  if (signal?.aborted === true) {
    return { type: "cancelled" };
  }
  const code = codeOf(error);
  if (error instanceof ReceiverError) {
    const { cause } = error;
    return { type: "receiver", code, message: errorMessage(cause) };
  }
  if (error instanceof ResponseTooLargeError) {
    return { type: "tooLarge", maximumBytes: error.maximumBytes };
  }
  if (isLate || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return { type: "timeLimit", milliseconds: timeLimitMs };
  }
  const message = errorMessage(error);
  if (error instanceof ProxyError) {
    return { type: "network", code, reachedServer: false, message, proxy: error.problem };
  }
  return { type: "network", code, reachedServer: !isUnsent(code), message };
}

/** The code of an error or of its cause, such as `ECONNREFUSED`; `UNKNOWN` without one. */
export function codeOf(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    const first = current instanceof AggregateError ? current.errors[0] : current;
    if (first instanceof Error && "code" in first && typeof first.code === "string") {
      return first.code === "EPROTO" ? tlsCode(first.message) : first.code;
    }
  }
  return "UNKNOWN";
}

/** The editor's TLS library reports a server that doesn't speak TLS only in the message, unlike that of Node. */
function tlsCode(message: string): string {
  const reason = /:(wrong[_ ]version[_ ]number|packet[_ ]length[_ ]too[_ ]long|http[_ ]request):/i.exec(message)?.[1];
  return reason === undefined ? "EPROTO" : `ERR_SSL_${reason.replaceAll(" ", "_").toUpperCase()}`;
}
