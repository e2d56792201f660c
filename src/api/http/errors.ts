import { phrase, type Text } from "../phrase.ts";
import { shortened } from "../text.ts";
import type { AnswerLimit } from "./answer-limits.ts";

/** The error kinds of the API description, 7, and `request` for what was refused before it was sent. */
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

/** Why an operation failed. `status` is what the section 7 table speaks of; the others have no usable answer. */
export type FailureCause =
  | { readonly type: "status"; readonly status: number }
  | { readonly type: "tokenRefused"; readonly status: number }
  | { readonly type: "handshake"; readonly address: string }
  | { readonly type: "workspaceNotRunning"; readonly status: number | undefined }
  | { readonly type: "redirected"; readonly status: number; readonly origin: string }
  | { readonly type: "notJson"; readonly status: number; readonly contentType: string }
  | { readonly type: "unexpectedAnswer"; readonly fields: readonly string[] }
  | { readonly type: "network"; readonly code: string; readonly reachedServer: boolean }
  | { readonly type: "timeLimit"; readonly milliseconds: number }
  | { readonly type: "cancelled" }
  | { readonly type: "receiver"; readonly code: string }
  | { readonly type: "tooLarge"; readonly limit: AnswerLimit; readonly most: number }
  | { readonly type: "input"; readonly field: string }
  | { readonly type: "credential"; readonly expected: string };

/** The answer that an error came from: headers without cookies, at most the first 64 KiB of the body, secrets removed. */
export interface ResponseSnapshot {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PlatformErrorParts {
  readonly kind: ErrorKind;
  readonly cause: FailureCause;
  /** What could not be done to what, as `Cannot save sales.ipynb`. */
  readonly failure: Text;
  /** The path, workspace id or ids that the operation was about. */
  readonly entity: string;
  readonly operationId: string;
  /** The operation word of section 7, as `create_folder`. */
  readonly operationWord?: string;
  readonly response?: ResponseSnapshot;
  readonly serverMessage?: string;
  readonly traceId?: string;
  readonly reason: Text;
  readonly remedy?: Text;
}

/** Every failure of the API layer: message, entity identifier and underlying response (API description, 7). */
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
  /** What it was made of: failure, reason, and remedy as they can be translated. */
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

  /** The HTTP status, where an answer came. */
  get status(): number | undefined {
    return this.response?.status;
  }

  /** The same error with other parts. */
  with(changes: Partial<PlatformErrorParts>): PlatformError {
    return new PlatformError({ ...this.parts, ...changes });
  }

  /** The same error with a further sentence, as what was left behind. */
  withRemark(remark: Text): PlatformError {
    const { remedy } = this.parts;
    return this.with({ remedy: remedy === undefined ? remark : phrase`${remedy} ${remark}` });
  }

  /** The message as it can be translated. */
  get text(): Text {
    return sentence(this.parts);
  }
}

function sentence({ failure, reason, traceId, remedy }: PlatformErrorParts): Text {
  const why = traceId === undefined ? reason : phrase`${reason} (trace ${traceId})`;
  return remedy === undefined ? phrase`${failure}: ${why}.` : phrase`${failure}: ${why}. ${remedy}`;
}

/** The error's cause type, or undefined for any other error. */
export function causeOf(error: unknown): FailureCause | undefined {
  return error instanceof PlatformError ? error.failureCause : undefined;
}

/** True for an error that stands for a real HTTP status. */
export function hasStatus(error: unknown, status: number): error is PlatformError {
  const cause = causeOf(error);
  return cause?.type === "status" && cause.status === status;
}

/** True when nobody knows whether the server did what it was asked: the exchange broke after it began. */
export function isOfUnknownOutcome(error: unknown): boolean {
  const cause = causeOf(error);
  return cause?.type === "timeLimit" || (cause?.type === "network" && cause.reachedServer);
}

/** The same, and when a gateway gave up waiting, or the answer to a success is not what it must be. */
export function mayHaveHappened(error: unknown): boolean {
  const cause = causeOf(error);
  switch (cause?.type) {
    case "unexpectedAnswer":
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

/** What a server says of its error, from the body shapes that platforms and content servers are known to send. */
export interface ServerWords {
  readonly message?: string;
  readonly traceId?: string;
  readonly errorCode?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Characters of a server's words that are repeated. */
const longestMessage = 1000;
const longestCode = 200;

/**
 * Reads `{status, statusReason, message, toe}`, `{errorCode, message, localizedMessage, details}`,
 * `{message, reason}` or a short plain text. HTML says nothing that a person wants to read.
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
    longestMessage,
    fields.localizedMessage,
    fields.message,
    fields.reason,
    fields.statusReason,
  );
  const traceId = firstText(longestCode, fields.toe);
  const errorCode = firstText(longestCode, fields.errorCode);
  const details = fields.details;
  return {
    ...(message === undefined ? {} : { message }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(typeof details === "object" && details !== null ? { details: details as Record<string, unknown> } : {}),
  };
}

function firstText(longest: number, ...candidates: readonly unknown[]): string | undefined {
  const first = candidates.find(
    (candidate): candidate is string => typeof candidate === "string" && candidate.trim() !== "",
  );
  return first === undefined ? undefined : shortened(first, longest);
}
