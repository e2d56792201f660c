/** Why a request is rejected. `reason` is only for the log. Clients receive the response below and the request id. */
export type Rejection =
  | { readonly rejection: "missingToken" }
  | { readonly rejection: "invalidToken"; readonly reason: string }
  | { readonly rejection: "invalidRequest"; readonly reason: string }
  | { readonly rejection: "emailNotVerified" }
  | { readonly rejection: "notEntitled" }
  | { readonly rejection: "noCredential" }
  | { readonly rejection: "unavailable"; readonly reason: string }
  | { readonly rejection: "unreadableCredential"; readonly reason: string }
  | { readonly rejection: "overLimit"; readonly limit: string; readonly retryAfterSeconds: number }
  | { readonly rejection: "wrongSecret" }
  | { readonly rejection: "hostNotAllowed" }
  | { readonly rejection: "originNotAllowed" }
  | { readonly rejection: "peerNotAllowed" }
  | { readonly rejection: "notFound" }
  | { readonly rejection: "methodNotAllowed"; readonly allowed: string }
  | { readonly rejection: "tooManyHeaders" }
  | { readonly rejection: "bodyTooLarge" }
  | { readonly rejection: "notJsonType" }
  | { readonly rejection: "bodyTooSlow" }
  | { readonly rejection: "callTooLong" }
  | { readonly rejection: "internalError"; readonly reason: string };

interface PublicResponse {
  readonly status: number;
  /** The value of `error` in the response. */
  readonly code: string;
  readonly message: string;
  /** The content of `WWW-Authenticate`: only the scheme, or an error. */
  readonly challenge?: "bare" | "invalid_token" | "invalid_request";
}

/** The responses to clients, by rejection. */
export const publicResponses: Readonly<Record<Rejection["rejection"], PublicResponse>> = {
  missingToken: {
    status: 401,
    code: "missing_token",
    message: "Send a token: Authorization: Bearer <token>.",
    challenge: "bare",
  },
  invalidToken: {
    status: 401,
    code: "invalid_token",
    message: "The token is invalid or has expired. Get a new one.",
    challenge: "invalid_token",
  },
  invalidRequest: {
    status: 400,
    code: "invalid_request",
    message: "The request is malformed.",
  },
  emailNotVerified: {
    status: 403,
    code: "email_not_verified",
    message: "Your email address is not verified. Verify it with your identity provider, then get a new token.",
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
    message: "A service that this server depends on does not respond. Try again later.",
  },
  unreadableCredential: {
    status: 502,
    code: "unreadable_credential",
    message: "Your stored platform credential can't be read. Store it again.",
  },
  overLimit: {
    status: 429,
    code: "rate_limited",
    message: "Too many requests. Wait for the time in the Retry-After header, then try again.",
  },
  wrongSecret: {
    status: 401,
    code: "wrong_secret",
    message: "The internal secret is missing or wrong.",
  },
  hostNotAllowed: {
    status: 403,
    code: "host_not_allowed",
    message: "This server does not accept requests for that hostname.",
  },
  originNotAllowed: {
    status: 403,
    code: "origin_not_allowed",
    message: "Requests from that origin are not allowed.",
  },
  peerNotAllowed: {
    status: 403,
    code: "peer_not_allowed",
    message: "This server accepts requests only from its proxy. Use its public address.",
  },
  notFound: { status: 404, code: "not_found", message: "Nothing is served at this address." },
  methodNotAllowed: {
    status: 405,
    code: "method_not_allowed",
    message: "This address does not support the request's method.",
  },
  tooManyHeaders: { status: 431, code: "too_many_headers", message: "The request has too many headers." },
  bodyTooLarge: { status: 413, code: "too_large", message: "The body is too large." },
  notJsonType: { status: 415, code: "unsupported_media_type", message: "The body must be application/json." },
  bodyTooSlow: { status: 408, code: "too_slow", message: "The body did not arrive in time." },
  callTooLong: { status: 504, code: "time_limit", message: "The call exceeded the time limit." },
  internalError: {
    status: 500,
    code: "internal_error",
    message: "An internal error occurred. The server's log has the details under the request ID.",
  },
};

/** True for a rejection; false for a result that lets the request continue. */
export function isRejection<T extends object>(outcome: T | Rejection): outcome is Rejection {
  return "rejection" in outcome;
}

/** The reason for the log. */
export function reasonOf(rejection: Rejection): string {
  switch (rejection.rejection) {
    case "invalidToken":
    case "invalidRequest":
    case "unavailable":
    case "unreadableCredential":
    case "internalError":
      return rejection.reason;
    case "overLimit":
      return `over the limit of ${rejection.limit}`;
    default:
      return publicResponses[rejection.rejection].code.replaceAll("_", " ");
  }
}

/**
 * The value of `WWW-Authenticate`, if the rejection has a challenge. Includes `metadataUrl` if metadata is published.
 */
export function challengeOf(rejection: Rejection, metadataUrl: string | undefined): string | undefined {
  const { message } = publicResponses[rejection.rejection];
  const challenge =
    rejection.rejection === "invalidRequest" && rejection.reason.startsWith("authorization")
      ? "invalid_request"
      : publicResponses[rejection.rejection].challenge;
  if (challenge === undefined) {
    return undefined;
  }
  const parameters = [
    ...(challenge === "bare" ? [] : [`error="${challenge}"`, `error_description="${message}"`]),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return parameters.length === 0 ? "Bearer" : `Bearer ${parameters.join(", ")}`;
}
