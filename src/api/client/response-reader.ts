import * as z from "zod/mini";
import type { AnyOperation } from "../catalogue/operation.ts";
import type { DispatchResponse } from "../http/dispatch.ts";
import type { PlatformError, ResponseSnapshot } from "../http/errors.ts";
import { exceededLimit, type ResponseLimits } from "../http/response-limits.ts";
import { phrase, type Text } from "../phrase.ts";
import { turnFor } from "../turns.ts";
import { bodyTextError, operationError, tooLargeError } from "./operation-errors.ts";
import { untilFirstIssue } from "./shape-issues.ts";
import { wrongFieldsOf } from "./wrong-fields.ts";

/**
 * Maximum number of JSON values for finding all wrong fields in one pass. Each wrong item takes at least 25 µs and 3
 * KB.
 */
const fullyReported = 2_000;

const webPage = phrase`the server returned a web page`;

/**
 * A checked response. `wrongFields` are optional fields whose type differs from the description. They are passed on
 * unchanged.
 */
interface ParsedResponse {
  readonly value: unknown;
  readonly wrongFields: readonly string[];
}

/**
 * Parses and checks a successful response. Yields to other work if it is long. Throws the operation's PlatformError.
 */
export async function readResponse(
  operation: AnyOperation,
  input: object,
  { response, limits }: { readonly response: DispatchResponse; readonly limits: ResponseLimits },
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
    if (known !== undefined || /html/i.test(contentType)) {
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
  const { paths, areOptional } = await wrongFieldsOf(operation.response, value, isLarge);
  if (!areOptional) {
    throw refuse(
      { type: "unexpectedResponse", fields: paths },
      phrase`the server's response is missing required fields (${paths.slice(0, 3).join(", ") || phrase`unknown format`})`,
    );
  }
  return { value, wrongFields: paths };
}

function asDescribed(value: unknown): ParsedResponse {
  return { value, wrongFields: [] };
}
