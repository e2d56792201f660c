import type { AnyOperation, ErrorRule } from "../catalogue/operation.ts";
import type { DispatchResponse } from "../http/dispatch.ts";
import {
  type FailureCause,
  type PlatformError,
  type PlatformErrorParts,
  type ResponseSnapshot,
  readServerWords,
} from "../http/errors.ts";
import { hubResponse } from "../http/hub.ts";
import type { TransportFailure } from "../http/transport-errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { explainNetworkFailure } from "./connection-errors.ts";
import { bodyTextError, catalogued, operationError, tooLargeError } from "./operation-errors.ts";

type Details = Omit<PlatformErrorParts, "failure" | "entity" | "operationId">;

/**
 * The error for an unsuccessful response, with the kind, operation word, and remedy that the operation declares for it.
 */
export function responseError(
  operation: AnyOperation,
  input: object,
  response: DispatchResponse,
  lazySnapshot: () => ResponseSnapshot,
): PlatformError {
  const shot = lazySnapshot();
  const words = readServerWords(shot.body);
  const rule: ErrorRule = operation.errors[response.status] ?? operation.errors.otherwise;
  const common: Pick<Details, "response" | "operationWord" | "serverMessage" | "traceId"> = {
    response: shot,
    ...(rule.word === undefined ? {} : { operationWord: rule.word }),
    ...(words.message === undefined ? {} : { serverMessage: words.message }),
    ...(words.traceId === undefined ? {} : { traceId: words.traceId }),
  };
  const known = bodyTextError(operation, input, shot, rule.kind);
  if (known !== undefined) {
    return known;
  }
  const explained = explain(operation, response, words.message, rule);
  if (words.errorCode === "DS-0018" && response.status === 403) {
    const address = words.details?.jupyterAuthURL;
    return operationError(operation, input, {
      ...common,
      kind: rule.kind,
      cause: { type: "handshake", address: typeof address === "string" ? address : "" },
      reason: phrase`the notebook service must be opened once in a browser first`,
      remedy:
        rule.remedy === undefined
          ? phrase`Open it in the browser, then try again.`
          : phrase`Open it in the browser, then try again. ${catalogued(rule.remedy)}`,
    });
  }
  const { remedy, kind } = isOfStatus(explained.cause) ? rule : operation.errors.otherwise;
  const advice =
    explained.remedy ?? (remedy !== undefined ? catalogued(remedy) : usualRemedy(response.status, words.message));
  return operationError(operation, input, {
    ...common,
    kind,
    cause: explained.cause,
    reason: explained.reason,
    ...(advice === undefined ? {} : { remedy: advice }),
  });
}

/** The remedy for a status that no operation explains. Full disks are reported with 507, or in the words of the system. */
function usualRemedy(status: number, message = ""): Text | undefined {
  if (status === 413) {
    return phrase`The server, or a proxy in front of it, accepts only smaller requests.`;
  }
  if (status === 507 || /no space left on device|disk quota exceeded/i.test(message)) {
    return phrase`Free up disk space on the server, then try again.`;
  }
  return status === 429 || status >= 500 ? phrase`Try again later.` : undefined;
}

interface Explanation {
  readonly cause: FailureCause;
  readonly reason: Text;
  readonly remedy?: Text;
}

/** True if the operation's rule for the status applies to the cause, regardless of the body. */
function isOfStatus(cause: FailureCause): boolean {
  switch (cause.type) {
    case "status":
    case "tokenRefused":
      return true;
    case "notJson":
      return cause.status === 404;
    case "workspaceNotRunning":
      return cause.status === 403;
    default:
      return false;
  }
}

function explain(
  operation: AnyOperation,
  response: DispatchResponse,
  message: string | undefined,
  rule: ErrorRule,
): Explanation {
  const { status } = response;
  const hub = operation.credential === "notebook" ? hubResponse(response) : undefined;
  if (hub === "notRunning") {
    // An invalid token also causes a 403, and the hub in front of the content server may not be able to tell them
    // apart.
    const isHinted = status === 403 && rule.remedy !== undefined;
    return {
      cause: { type: "workspaceNotRunning", status },
      reason: phrase`the workspace isn't running`,
      remedy: isHinted
        ? phrase`Start it, then try again. If it is running: ${catalogued(rule.remedy)}`
        : phrase`Start it, then try again.`,
    };
  }
  if (operation.credential === "notebook" && (status === 401 || status === 403 || hub === "tokenRefused")) {
    return {
      cause: { type: "tokenRefused", status },
      reason: phrase`${message ?? phrase`the content server rejected the token`} (${status})`,
      remedy: phrase`Check that the notebook token is valid.`,
    };
  }
  if (status >= 300 && status < 400) {
    const location = response.headers.location ?? "";
    const origin = URL.canParse(location) ? new URL(location).origin : phrase`another page`;
    return {
      cause: { type: "redirected", status, origin: String(origin) },
      reason: phrase`the server redirected the request to ${origin} (${status})`,
      remedy: phrase`The credential wasn't sent there. Check the address, and whether your network requires you to sign in.`,
    };
  }
  if (status === 404 && /html/i.test(response.headers["content-type"] ?? "")) {
    const isRow = rule.kind === "notFound";
    return {
      cause: { type: "notJson", status, contentType: response.headers["content-type"] ?? "" },
      reason: isRow
        ? phrase`the server returned a "not found" web page (404) instead of an API response`
        : phrase`the address doesn't lead to the API: the server returned a "not found" web page (404)`,
      remedy: isRow
        ? phrase`If the item should exist, check the address of the tenant or of the content server.`
        : phrase`Check the address of the tenant or of the content server.`,
    };
  }
  if (status === 401) {
    return {
      cause: { type: "status", status },
      reason: phrase`${message ?? phrase`the platform rejected the credential`} (401)`,
      remedy: phrase`Sign in again.`,
    };
  }
  const isNotFound = status === 404 ? phrase`it doesn't exist (404)` : undefined;
  return {
    cause: { type: "status", status },
    reason:
      isNotFound !== undefined && message === undefined
        ? isNotFound
        : phrase`${message ?? phrase`the server returned an error`} (${status})`,
  };
}

/** The error for a request without a response. */
export function transportError(
  operation: AnyOperation,
  input: object,
  failure: TransportFailure,
  url: URL,
): PlatformError {
  const where = url.origin;
  const { kind } = operation.errors.otherwise;
  switch (failure.type) {
    case "network":
      return operationError(operation, input, {
        kind,
        cause: {
          type: "network",
          code: failure.code,
          reachedServer: failure.reachedServer,
          ...(failure.proxy === undefined ? {} : { proxy: failure.proxy }),
        },
        ...explainNetworkFailure(failure, where),
      });
    case "timeLimit":
      return operationError(operation, input, {
        kind,
        cause: failure,
        reason: phrase`${where} didn't respond within ${failure.milliseconds / 1000} s`,
        remedy: phrase`Try again.`,
      });
    case "cancelled":
      return operationError(operation, input, { kind: "request", cause: failure, reason: phrase`it was canceled` });
    case "receiver":
      return operationError(operation, input, {
        kind,
        cause: { type: "receiver", code: failure.code },
        reason: phrase`the response of ${where} couldn't be stored (${failure.message})`,
      });
    case "tooLarge":
      return tooLargeError(
        operation,
        input,
        operation.responseFormat === "bytes" ? "bytes" : "jsonBytes",
        failure.maximumBytes,
      );
    case "otherOrigin":
      return operationError(operation, input, {
        kind: "request",
        cause: { type: "credential", expected: failure.expected },
        reason: phrase`its credential was confirmed only for ${failure.expected}, not for ${failure.actual}`,
        remedy: phrase`Nothing was sent.`,
      });
  }
}
