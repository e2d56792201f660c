import type { AnyOperation, ErrorRule } from "../catalogue/operation.ts";
import { type AnswerLimit, limitText } from "../http/answer-limits.ts";
import type { AnyCredential } from "../http/credentials.ts";
import type { DispatchAnswer } from "../http/dispatch.ts";
import {
  type ErrorKind,
  type FailureCause,
  PlatformError,
  type PlatformErrorParts,
  type ResponseSnapshot,
  readServerWords,
} from "../http/errors.ts";
import { hubAnswer } from "../http/hub.ts";
import { beginningOf, withoutSecretHeaders } from "../http/redaction.ts";
import { isCertificateCode, type TransportFailure } from "../http/transport-errors.ts";
import { onOneLine, shortened } from "../text.ts";

/** Characters of a name, and of a server's or a check's words, that an error repeats. */
const longestName = 300;
const longestReason = 1000;

type Details = Omit<PlatformErrorParts, "failure" | "entity" | "operationId">;

/** An error of this operation, with its failure sentence and entity filled in from the input. */
export function operationError(operation: AnyOperation, input: object, details: Details): PlatformError {
  return new PlatformError({
    ...details,
    kind: details.kind,
    failure: fillIn(operation.failure, input),
    entity: fillIn(operation.entity, input),
    operationId: operation.id,
    reason: shortened(details.reason, longestReason),
    ...(details.operationWord === undefined && operation.errors.otherwise.word !== undefined
      ? { operationWord: operation.errors.otherwise.word }
      : {}),
  });
}

/** The error for an invalid input, of which nothing was sent: the field, then the reason. */
export function invalidInput(operation: AnyOperation, input: object, field: string, reason: string): PlatformError {
  return operationError(operation, input, {
    kind: "request",
    cause: { type: "input", field },
    reason: `${field}: ${reason}`,
  });
}

function fillIn(template: string, input: object): string {
  const fields = input as Readonly<Record<string, unknown>>;
  return template.replace(/\{(\w+)\}/g, (text, name: string) => {
    const value = shortened(onOneLine(String(fields[name] ?? "")), longestName);
    return value !== "" ? value : /path$/i.test(name) ? "the workspace root" : text;
  });
}

/** The answer without secrets, at most so many characters of its body, made only when an error needs it. */
export function snapshot(
  answer: Pick<DispatchAnswer, "status" | "headers" | "body">,
  credential: AnyCredential,
  confidential?: readonly string[],
  length = 65_536,
  scope?: "given",
): () => ResponseSnapshot {
  const isSuccess = answer.status >= 200 && answer.status <= 299;
  return () => ({
    status: answer.status,
    headers: withoutSecretHeaders(answer.headers, credential.reveal()),
    // What is refused holds no configuration: the server's words count there.
    body:
      isSuccess && confidential !== undefined
        ? "[redacted]"
        : beginningOf(answer.body, length, credential.reveal(), scope),
  });
}

/** The error for an answer that is not a success: of the kind, word and remedy that the operation declares for it. */
export function answerError(
  operation: AnyOperation,
  input: object,
  answer: DispatchAnswer,
  response: () => ResponseSnapshot,
): PlatformError {
  const shot = response();
  const words = readServerWords(shot.body);
  const rule: ErrorRule = operation.errors[answer.status] ?? operation.errors.otherwise;
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
  const explained = explain(operation, answer, words.message, rule);
  if (words.errorCode === "DS-0018" && answer.status === 403) {
    const address = words.details?.jupyterAuthURL;
    return operationError(operation, input, {
      ...common,
      kind: rule.kind,
      cause: { type: "handshake", address: typeof address === "string" ? address : "" },
      reason: "the notebook service has to be opened once in a browser before this works",
      remedy: ["Open it in the browser, then try again.", rule.remedy].filter(Boolean).join(" "),
    });
  }
  const { remedy, kind } = isOfStatus(explained.cause) ? rule : operation.errors.otherwise;
  const advice = explained.remedy ?? remedy;
  return operationError(operation, input, {
    ...common,
    kind,
    cause: explained.cause,
    reason: explained.reason,
    ...(advice === undefined ? {} : { remedy: advice }),
  });
}

/** The error for an answer whose whole body is a text that the operation knows, whatever its status. */
export function bodyTextError(
  operation: AnyOperation,
  input: object,
  response: ResponseSnapshot,
  kind: ErrorKind,
): PlatformError | undefined {
  const text = response.body.trim();
  const known = Object.entries(operation.bodyTexts ?? {}).find(([one]) => one === text)?.[1];
  if (known === undefined) {
    return undefined;
  }
  return operationError(operation, input, {
    kind,
    cause: { type: "status", status: response.status },
    serverMessage: text,
    response,
    reason: `${known.reason} (${response.status})`,
    remedy: known.remedy,
  });
}

interface Explanation {
  readonly cause: FailureCause;
  readonly reason: string;
  readonly remedy?: string;
}

/** True for a cause to which the operation's rule for the answer's status applies, whatever the answer was like. */
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
  answer: DispatchAnswer,
  message: string | undefined,
  rule: ErrorRule,
): Explanation {
  const { status } = answer;
  const hub = operation.credential === "notebook" ? hubAnswer(answer) : undefined;
  if (hub === "notRunning") {
    // A token that is not valid is answered with 403, too: what stands before the content server need not know better.
    const hint = status === 403 && rule.remedy !== undefined ? ` If it is running: ${rule.remedy}` : "";
    return {
      cause: { type: "workspaceNotRunning", status },
      reason: "the workspace is not running",
      remedy: `Start it, then try again.${hint}`,
    };
  }
  if (operation.credential === "notebook" && (status === 401 || status === 403 || hub === "tokenRefused")) {
    return {
      cause: { type: "tokenRefused", status },
      reason: `${message ?? "the content server refused the token"} (${status})`,
      remedy: "Is the notebook token valid?",
    };
  }
  if (status >= 300 && status < 400) {
    const location = answer.headers.location ?? "";
    const origin = URL.canParse(location) ? new URL(location).origin : "another page";
    return {
      cause: { type: "redirected", status, origin },
      reason: `the server sent the request on to ${origin} (${status})`,
      remedy: "No credential is sent there. Check the address, and whether the network lets this machine through.",
    };
  }
  if (status === 404 && /html/i.test(answer.headers["content-type"] ?? "")) {
    const isRow = rule.kind === "notFound";
    return {
      cause: { type: "notJson", status, contentType: answer.headers["content-type"] ?? "" },
      reason: isRow
        ? "it does not exist (404), says a web page in place of the API's answer"
        : "the address led to a web page that does not exist, not to the API (404)",
      remedy: isRow
        ? "If it should exist, check the address of the tenant or of the content server."
        : "Check the address of the tenant or of the content server.",
    };
  }
  if (status === 401) {
    return {
      cause: { type: "status", status },
      reason: `${message ?? "the platform refused the credential"} (401)`,
      remedy: "Sign in again.",
    };
  }
  const isNotFound = status === 404 ? "it does not exist (404)" : undefined;
  return {
    cause: { type: "status", status },
    reason:
      isNotFound !== undefined && message === undefined
        ? isNotFound
        : `${message ?? "the server refused it"} (${status})`,
  };
}

/** The error for an answer that is beyond a limit of this program. */
export function tooLargeError(operation: AnyOperation, input: object, limit: AnswerLimit, most: number): PlatformError {
  return operationError(operation, input, {
    kind: operation.errors.otherwise.kind,
    cause: { type: "tooLarge", limit, most },
    reason: `the answer has ${limitText(limit, most)}`,
    remedy: "That is more than is read at once. Ask for less.",
  });
}

/** The error for an exchange that brought no answer. */
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
        cause: { type: "network", code: failure.code, reachedServer: failure.reachedServer },
        reason: failure.reachedServer
          ? `the connection to ${where} broke (${failure.code})`
          : `${where} cannot be reached (${failure.code})`,
        remedy: isCertificateCode(failure.code)
          ? "Its certificate is not trusted on this machine, so nothing was sent to it."
          : "Check the network, then try again.",
      });
    case "timeLimit":
      return operationError(operation, input, {
        kind,
        cause: failure,
        reason: `${where} did not answer within ${failure.milliseconds / 1000} s`,
        remedy: "Try again.",
      });
    case "cancelled":
      return operationError(operation, input, { kind: "request", cause: failure, reason: "it was cancelled" });
    case "receiver":
      return operationError(operation, input, {
        kind,
        cause: { type: "receiver", code: failure.code },
        reason: `what ${where} sent could not be kept (${failure.message})`,
      });
    case "tooLarge":
      return tooLargeError(
        operation,
        input,
        operation.answerFormat === "bytes" ? "bytes" : "jsonBytes",
        failure.maximumBytes,
      );
    case "otherOrigin":
      return operationError(operation, input, {
        kind: "request",
        cause: { type: "credential", expected: failure.expected },
        reason: `its credential was confirmed for ${failure.expected}, and ${failure.actual} is another server`,
        remedy: "Nothing was sent.",
      });
  }
}
