import type { AnyOperation } from "../catalogue/operation.ts";
import { onOneLine } from "../displayed-text.ts";
import type { AnyCredential } from "../http/credentials.ts";
import type { DispatchResponse } from "../http/dispatch.ts";
import { type ErrorKind, PlatformError, type PlatformErrorParts, type ResponseSnapshot } from "../http/errors.ts";
import { beginningOf, withoutSecretHeaders } from "../http/redaction.ts";
import { limitText, type ResponseLimit } from "../http/response-limits.ts";
import { Phrase, phrase, type Text } from "../phrase.ts";
import { shortened } from "../text.ts";

/** Maximum length of a name and of a reason in an error, in characters. */
const maxNameLength = 300;
const maxReasonLength = 1000;

type Details = Omit<PlatformErrorParts, "failure" | "entity" | "operationId">;

/** An error of an operation. Its failure and entity are filled in from the input. */
export function operationError(operation: AnyOperation, input: object, details: Details): PlatformError {
  const { body } = input as { readonly body?: { readonly type?: unknown } | null };
  const folderWord = body?.type === "directory" ? operation.folderWord : undefined;
  const operationWord = folderWord ?? details.operationWord ?? operation.errors.otherwise.word;
  return new PlatformError({
    ...details,
    failure: withRoute(operation, input),
    entity: String(fillIn(operation.entity, input)),
    operationId: operation.id,
    reason: isLong(details.reason) ? shortened(String(details.reason), maxReasonLength) : details.reason,
    ...(operationWord === undefined ? {} : { operationWord }),
  });
}

/** The error for invalid input, which was not sent. Its reason names the field and the problem. */
export function invalidInput(operation: AnyOperation, input: object, field: string, reason: Text): PlatformError {
  return operationError(operation, input, {
    kind: "request",
    cause: { type: "input", field },
    reason: phrase`${field}: ${reason}`,
  });
}

function isLong(reason: Text): boolean {
  return String(reason).length > maxReasonLength;
}

/** Adds the method and path for errors of the kind `route`. */
function withRoute({ failure, route }: AnyOperation, input: object): Phrase {
  const filled = fillIn(failure, input);
  return route === undefined ? filled : phrase`${filled} (${String(fillIn(route, input))})`;
}

/** Fills the input's values into one of the operation's templates. */
function fillIn(template: string, input: object): Phrase {
  const fields = input as Readonly<Record<string, unknown>>;
  // The pieces alternate between text and names.
  const pieces = template.split(/\{(\w+)\}/);
  const names = pieces.filter((_, index) => index % 2 === 1);
  const values = names.map((name): Text => {
    const value = shortened(onOneLine(String(fields[name] ?? "")), maxNameLength);
    return value !== "" ? value : /path$/i.test(name) ? phrase`the workspace root` : `{${name}}`;
  });
  return new Phrase(
    pieces.filter((_, index) => index % 2 === 0),
    values,
  );
}

/** A phrase for a string from the catalog, which has no placeholders. */
export function catalogued(text: string): Phrase {
  return new Phrase([text]);
}

/** Creates a snapshot of a response for an error, without secrets and with up to `length` characters of the body. */
export function snapshot(
  response: Pick<DispatchResponse, "status" | "headers" | "body">,
  credential: AnyCredential,
  confidential?: readonly string[],
  length = 65_536,
  scope?: "given",
): () => ResponseSnapshot {
  const isSuccess = response.status >= 200 && response.status <= 299;
  return () => ({
    status: response.status,
    headers: withoutSecretHeaders(response.headers, credential.reveal()),
    // Error responses contain no configuration, and their message is needed.
    body:
      isSuccess && confidential !== undefined
        ? "[redacted]"
        : beginningOf(response.body, length, credential.reveal(), scope),
  });
}

/** The error for a response whose entire body is a string that the operation declares, regardless of its status. */
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
    reason: phrase`${catalogued(known.reason)} (${response.status})`,
    remedy: catalogued(known.remedy),
  });
}

/** The error for a response that exceeds one of this program's limits. */
export function tooLargeError(
  operation: AnyOperation,
  input: object,
  limit: ResponseLimit,
  max: number,
): PlatformError {
  return operationError(operation, input, {
    kind: operation.errors.otherwise.kind,
    cause: { type: "tooLarge", limit, max },
    reason: phrase`the response has ${limitText(limit, max)}`,
    remedy: phrase`The response is too large to read at once. Request less data.`,
  });
}
