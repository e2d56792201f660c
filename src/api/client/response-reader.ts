import * as z from "zod/mini";
import type { AnyOperation } from "../catalogue/operation.ts";
import type { DispatchResponse } from "../http/dispatch.ts";
import type { PlatformError, ResponseSnapshot } from "../http/errors.ts";
import { exceededLimit, type ResponseLimits } from "../http/response-limits.ts";
import { phrase, type Text } from "../phrase.ts";
import { turnFor } from "../turns.ts";
import { containedList, isList } from "./contained-list.ts";
import { bodyTextError, operationError, tooLargeError } from "./operation-errors.ts";
import { untilFirstIssue } from "./shape-issues.ts";

/**
 * Maximum number of JSON values for finding all wrong fields in one pass. Each wrong item takes at least 25 µs and 3
 * KB.
 */
const fullyReported = 2_000;

/** Maximum number of fields that an error names. */
const maxNamedFields = 3;

const webPage = phrase`the server returned a web page`;

/**
 * A checked response. `wrongFields` are fields whose type differs from the description. They are passed on unchanged.
 */
interface ParsedResponse {
  readonly value: unknown;
  readonly wrongFields: readonly string[];
}

interface ResponseToRead {
  readonly response: DispatchResponse;
  readonly limits: ResponseLimits;
  /** True to pass on any JSON. */
  readonly acceptsAnyShape: boolean;
}

/**
 * Parses and checks a successful response. Requires only the fields that the API description shows: a response without
 * content is an empty list or object, and a list is accepted in any container. Yields to other work if the response is
 * long. Throws the operation's PlatformError.
 */
export async function readResponse(
  operation: AnyOperation,
  input: object,
  { response, limits, acceptsAnyShape }: ResponseToRead,
  lazySnapshot: () => ResponseSnapshot,
): Promise<ParsedResponse> {
  const refuse = (cause: PlatformError["failureCause"], reason: Text, remedy?: Text): PlatformError =>
    operationError(operation, input, {
      kind: operation.errors.otherwise.kind,
      cause,
      reason,
      response: lazySnapshot(),
      ...(remedy === undefined ? {} : { remedy }),
    });
  const contentType = response.headers["content-type"] ?? "no content type";
  const notJson = (reason: Text): PlatformError =>
    refuse(
      { type: "notJson", status: response.status, contentType },
      reason,
      phrase`Check the address, and whether a proxy or a sign-in page intercepts the connection.`,
    );
  if (operation.responseFormat === "bytes") {
    const known = bodyTextError(operation, input, lazySnapshot(), operation.errors.otherwise.kind);
    // No sign-in page is an attachment.
    const isPage = /html/i.test(contentType) && !isAttachment(response);
    if (known !== undefined || isPage) {
      throw known ?? notJson(webPage);
    }
    return asDescribed(response.body);
  }
  const { byteLength: size } = response.body;
  await turnFor(size);
  const exceeded = exceededLimit(response.body, limits);
  if (exceeded !== undefined) {
    throw tooLargeError(operation, input, exceeded, limits[exceeded]);
  }
  await turnFor(size);
  const text = new TextDecoder().decode(response.body);
  await turnFor(size);
  let value: unknown;
  try {
    value = text.trim() === "" ? undefined : JSON.parse(text);
  } catch {
    const isPage = /html/i.test(contentType) || text.trimStart().startsWith("<");
    if (!isPage && z.safeParse(operation.response, text).success) {
      return asDescribed(text);
    }
    throw notJson(isPage ? webPage : phrase`the server's response isn't valid JSON`);
  }
  await turnFor(size);
  const parsed = z.safeParse(operation.response, value, untilFirstIssue);
  if (parsed.success) {
    return asDescribed(parsed.data);
  }
  const isLarge = exceededLimit(response.body, { values: fullyReported, depth: limits.depth }) !== undefined;
  // Loads on first use, because responses rarely differ from the description.
  const { wrongFieldsOf } = await import("./wrong-fields.ts");
  if (acceptsAnyShape) {
    return { value, wrongFields: (await wrongFieldsOf(operation.response, value, isLarge)).paths };
  }
  const form = expectedForm(operation.response, value);
  if (form !== value && z.safeParse(operation.response, form, untilFirstIssue).success) {
    return asDescribed(form);
  }
  const { paths, areOptional } = await wrongFieldsOf(operation.response, form, isLarge);
  if (!areOptional) {
    throw refuse({ type: "unexpectedResponse", fields: paths }, wrongShape(form, paths));
  }
  return { value: form, wrongFields: paths };
}

/** True if the server wants the response to be saved as a file. */
export function isAttachment({ headers }: Pick<DispatchResponse, "headers">): boolean {
  return /^\s*attachment\b/i.test(headers["content-disposition"] ?? "");
}

/** The list of a response in another container, or an empty list or object for a response without content. */
function expectedForm(shape: z.ZodMiniType, value: unknown): unknown {
  if (shape instanceof z.ZodMiniArray) {
    const found = containedList(value);
    return found.type === "list" ? found.items : found.type === "empty" ? [] : value;
  }
  return value === undefined || value === null || (isList(value) && value.length === 0) ? {} : value;
}

/** Describes required fields that are missing, or have a wrong type. */
function wrongShape(value: unknown, paths: readonly string[]): Text {
  const named = paths.filter((path) => path !== "").slice(0, maxNamedFields);
  if (named.length === 0) {
    return phrase`the server's response has the wrong type (${typeName(value)})`;
  }
  const [wrong, missing] = [named.filter((path) => valueAt(value, path) !== undefined), named.join(", ")];
  return wrong.length === 0
    ? phrase`the server's response is missing required fields (${missing})`
    : phrase`fields of the server's response have the wrong type (${wrong.map((path) => `${path}: ${typeName(valueAt(value, path))}`).join(", ")})`;
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((one: unknown, key) => (one as Record<string, unknown> | null | undefined)?.[key], value);
}

function typeName(value: unknown): string {
  return value === null ? "null" : isList(value) ? "array" : typeof value;
}

function asDescribed(value: unknown): ParsedResponse {
  return { value, wrongFields: [] };
}
