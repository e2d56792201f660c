import { phrase, type Text } from "../phrase.ts";
import { shortened } from "../text.ts";
import type { ProxyProblem } from "./network/proxy.ts";
import type { ResponseLimit } from "./response-limits.ts";

/** The error kinds (API description, 7), and `request` for invalid input that was not sent. */
export type ErrorKind =
  | "retrieval"
  | "notFound"
  | "crud"
  | "workspace"
  | "appGet"
  | "asset"
  | "appCrud"
  | "route"
  | "sandboxGet"
  | "sandboxCrud"
  | "workflowGet"
  | "workflowCrud"
  | "request";

/** The cause of a failure. `status` corresponds to the table in section 7. The other causes have no usable response. */
export type FailureCause =
  | { readonly type: "status"; readonly status: number }
  | { readonly type: "tokenRefused"; readonly status: number }
  | { readonly type: "handshake"; readonly address: string }
  | { readonly type: "workspaceNotRunning"; readonly status: number | undefined }
  | { readonly type: "redirected"; readonly status: number; readonly origin: string }
  | { readonly type: "notJson"; readonly status: number; readonly contentType: string }
  | { readonly type: "unexpectedResponse"; readonly fields: readonly string[] }
  | {
      readonly type: "network";
      readonly code: string;
      readonly reachedServer: boolean;
      /** Set if the request did not pass a proxy. */
      readonly proxy?: ProxyProblem;
    }
  | { readonly type: "timeLimit"; readonly milliseconds: number }
  | { readonly type: "cancelled" }
  | { readonly type: "receiver"; readonly code: string }
  | { readonly type: "tooLarge"; readonly limit: ResponseLimit; readonly max: number }
  | { readonly type: "input"; readonly field: string }
  | { readonly type: "credential"; readonly expected: string };

/** The response that caused an error, without secrets: the headers without cookies, and up to 64 KiB of the body. */
export interface ResponseSnapshot {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PlatformErrorParts {
  readonly kind: ErrorKind;
  readonly cause: FailureCause;
  /** What failed, for example `Cannot save sales.ipynb`. */
  readonly failure: Text;
  /** The path, workspace id, or ids of the affected item. */
  readonly entity: string;
  readonly operationId: string;
  /** The operation word (API description, 7), for example `create_folder`. */
  readonly operationWord?: string;
  readonly response?: ResponseSnapshot;
  readonly serverMessage?: string;
  readonly traceId?: string;
  readonly reason: Text;
  readonly remedy?: Text;
}

/** An error of the API layer: message, entity, and response (API description, 7). */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly kind: ErrorKind;
  readonly failureCause: FailureCause;
  readonly failure: string;
  readonly entity: string;
  readonly operationId: string;
  readonly operationWord: string | undefined;
  readonly response: ResponseSnapshot | undefined;
  readonly serverMessage: string | undefined;
  readonly traceId: string | undefined;
  readonly reason: string;
  readonly remedy: string | undefined;
  /** The parts of the error. Failure, reason, and remedy can be translated. */
  readonly parts: PlatformErrorParts;

  constructor(parts: PlatformErrorParts) {
    super(String(sentence(parts)));
    this.parts = parts;
    this.kind = parts.kind;
    this.failureCause = parts.cause;
    this.failure = String(parts.failure);
    this.entity = parts.entity;
    this.operationId = parts.operationId;
    this.operationWord = parts.operationWord;
    this.response = parts.response;
    this.serverMessage = parts.serverMessage;
    this.traceId = parts.traceId;
    this.reason = String(parts.reason);
    this.remedy = parts.remedy?.toString();
  }

  /** The HTTP status; undefined if there was no response. */
  get status(): number | undefined {
    return this.response?.status;
  }

  /** Copies the error and replaces some parts. */
  with(changes: Partial<PlatformErrorParts>): PlatformError {
    return new PlatformError({ ...this.parts, ...changes });
  }

  /** Copies the error and adds a sentence, for example about items that were left behind. */
  withRemark(remark: Text): PlatformError {
    const { remedy } = this.parts;
    return this.with({ remedy: remedy === undefined ? remark : phrase`${remedy} ${remark}` });
  }

  /** The message in a translatable format. */
  get text(): Text {
    return sentence(this.parts);
  }
}

function sentence({ failure, reason, traceId, remedy }: PlatformErrorParts): Text {
  const why = traceId === undefined ? reason : phrase`${reason} (trace ${traceId})`;
  return remedy === undefined ? phrase`${failure}: ${why}.` : phrase`${failure}: ${why}. ${remedy}`;
}

/** The cause of a PlatformError; undefined for any other error. */
export function causeOf(error: unknown): FailureCause | undefined {
  return error instanceof PlatformError ? error.failureCause : undefined;
}

/** True if this HTTP status caused the error. */
export function hasStatus(error: unknown, status: number): error is PlatformError {
  const cause = causeOf(error);
  return cause?.type === "status" && cause.status === status;
}

/** True if the connection broke after the request began, so that it is unknown whether the server processed it. */
export function isOfUnknownOutcome(error: unknown): boolean {
  const cause = causeOf(error);
  return cause?.type === "timeLimit" || (cause?.type === "network" && cause.reachedServer);
}

/** Like `isOfUnknownOutcome`, but also true if a gateway timed out, or if a successful response is invalid. */
export function mayHaveHappened(error: unknown): boolean {
  const cause = causeOf(error);
  switch (cause?.type) {
    case "unexpectedResponse":
    case "tooLarge":
      return true;
    case "notJson":
      return cause.status < 300;
    case "status":
      return cause.status === 502 || cause.status === 504;
    default:
      return isOfUnknownOutcome(error);
  }
}

/** The server's description of an error, in any of the known formats of platforms and content servers. */
export interface ServerWords {
  readonly message?: string;
  readonly traceId?: string;
  readonly errorCode?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Maximum length of a server's message and error code, in characters. */
const maxMessageLength = 1000;
const maxCodeLength = 200;

/**
 * Reads `{status, statusReason, message, toe}`, `{errorCode, message, localizedMessage, details}`, `{message, reason}`,
 * or a short plain text. Ignores HTML.
 */
export function readServerWords(body: string): ServerWords {
  const text = body.trim();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    const isProse = text !== "" && text.length <= 300 && !text.startsWith("<");
    return isProse ? { message: text } : {};
  }
  if (typeof parsed !== "object" || parsed === null) {
    return {};
  }
  const fields = parsed as Readonly<Record<string, unknown>>;
  const message = firstText(
    maxMessageLength,
    fields.localizedMessage,
    fields.message,
    fields.reason,
    fields.statusReason,
  );
  const traceId = firstText(maxCodeLength, fields.toe);
  const errorCode = firstText(maxCodeLength, fields.errorCode);
  const details = fields.details;
  return {
    ...(message === undefined ? {} : { message }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(typeof details === "object" && details !== null ? { details: details as Record<string, unknown> } : {}),
  };
}

function firstText(maxLength: number, ...candidates: readonly unknown[]): string | undefined {
  const first = candidates.find(
    (candidate): candidate is string => typeof candidate === "string" && candidate.trim() !== "",
  );
  return first === undefined ? undefined : shortened(first, maxLength);
}
