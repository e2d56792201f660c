// What the gate and the server say no with: one status, one code, one public message per outcome. What lies behind it
// stands in the log, by request id.

/** Why a request goes no further. `reason` is for the log alone. */
export type Refusal =
  | { readonly refusal: "missingToken" }
  | { readonly refusal: "invalidToken"; readonly reason: string }
  | { readonly refusal: "invalidRequest"; readonly reason: string }
  | { readonly refusal: "notEntitled" }
  | { readonly refusal: "noCredential" }
  | { readonly refusal: "unavailable"; readonly reason: string }
  | { readonly refusal: "unreadableCredential"; readonly reason: string }
  | { readonly refusal: "overLimit"; readonly limit: string; readonly retryAfterSeconds: number }
  | { readonly refusal: "wrongSecret" }
  | { readonly refusal: "hostNotAllowed" }
  | { readonly refusal: "originNotAllowed" }
  | { readonly refusal: "notFound" }
  | { readonly refusal: "methodNotAllowed"; readonly allowed: string }
  | { readonly refusal: "tooManyHeaders" }
  | { readonly refusal: "bodyTooLarge" }
  | { readonly refusal: "notJsonType" }
  | { readonly refusal: "bodyTooSlow" }
  | { readonly refusal: "callTooLong" }
  | { readonly refusal: "internalError"; readonly reason: string };

export type RefusalName = Refusal["refusal"];

interface PublicAnswer {
  readonly status: number;
  /** The answer's `error`. */
  readonly code: string;
  readonly message: string;
  /** What `WWW-Authenticate` says: the scheme alone, or an error. */
  readonly challenge?: "bare" | "invalid_token" | "invalid_request";
}

/** What the world sees of each refusal. */
export const publicAnswers: Readonly<Record<RefusalName, PublicAnswer>> = {
  missingToken: {
    status: 401,
    code: "missing_token",
    message: "Send a token: Authorization: Bearer <token>.",
    challenge: "bare",
  },
  invalidToken: {
    status: 401,
    code: "invalid_token",
    message: "The token is not valid here, or no longer. Get a new one.",
    challenge: "invalid_token",
  },
  invalidRequest: {
    status: 400,
    code: "invalid_request",
    message: "The request is malformed.",
  },
  notEntitled: {
    status: 403,
    code: "not_entitled",
    message: "You are not entitled to use these tools. Ask your administrator.",
  },
  noCredential: {
    status: 403,
    code: "no_credential",
    message: "No platform credential is stored for you. Store one, then try again.",
  },
  unavailable: {
    status: 503,
    code: "unavailable",
    message: "A service that this one depends on does not answer. Try again later.",
  },
  unreadableCredential: {
    status: 502,
    code: "unreadable_credential",
    message: "Your stored platform credential cannot be read. Store it again.",
  },
  overLimit: {
    status: 429,
    code: "rate_limited",
    message: "Too many requests. Wait as long as Retry-After says.",
  },
  wrongSecret: {
    status: 401,
    code: "wrong_secret",
    message: "The internal secret is missing or wrong.",
  },
  hostNotAllowed: {
    status: 403,
    code: "host_not_allowed",
    message: "This server does not answer to that host name.",
  },
  originNotAllowed: {
    status: 403,
    code: "origin_not_allowed",
    message: "Requests from that origin are not allowed.",
  },
  notFound: { status: 404, code: "not_found", message: "There is nothing at this address." },
  methodNotAllowed: { status: 405, code: "method_not_allowed", message: "This address takes another method." },
  tooManyHeaders: { status: 431, code: "too_many_headers", message: "The request has more headers than it may have." },
  bodyTooLarge: { status: 413, code: "too_large", message: "The body is larger than this server takes." },
  notJsonType: { status: 415, code: "unsupported_media_type", message: "The body has to be application/json." },
  bodyTooSlow: { status: 408, code: "too_slow", message: "The body did not arrive in time." },
  callTooLong: { status: 504, code: "time_limit", message: "The call took longer than this server waits." },
  internalError: {
    status: 500,
    code: "internal_error",
    message: "The server failed. Its log tells more by the request id.",
  },
};

/** True for a refusal, as opposed to what a stage gives when it lets a request on. */
export function isRefusal<T extends object>(outcome: T | Refusal): outcome is Refusal {
  return "refusal" in outcome;
}

/** The log's words on a refusal. */
export function reasonOf(refusal: Refusal): string {
  switch (refusal.refusal) {
    case "invalidToken":
    case "invalidRequest":
    case "unavailable":
    case "unreadableCredential":
    case "internalError":
      return refusal.reason;
    case "overLimit":
      return `over the limit of ${refusal.limit}`;
    default:
      return publicAnswers[refusal.refusal].code.replaceAll("_", " ");
  }
}

/** The value of `WWW-Authenticate`, where the refusal has a challenge. `metadataUrl` is told where one is published. */
export function challengeOf(refusal: Refusal, metadataUrl: string | undefined): string | undefined {
  const { message } = publicAnswers[refusal.refusal];
  const challenge =
    refusal.refusal === "invalidRequest" && refusal.reason.startsWith("authorization")
      ? "invalid_request"
      : publicAnswers[refusal.refusal].challenge;
  if (challenge === undefined) {
    return undefined;
  }
  const parameters = [
    ...(challenge === "bare" ? [] : [`error="${challenge}"`, `error_description="${message}"`]),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return parameters.length === 0 ? "Bearer" : `Bearer ${parameters.join(", ")}`;
}
