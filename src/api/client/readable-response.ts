import type { AnyOperation } from "../catalogue/operation.ts";
import { masked } from "../http/confidential.ts";
import { parseExact } from "../http/json.ts";
import { redacted } from "../http/named-values.ts";
import type { Client, RawResponse } from "./client.ts";

/** The body of a response for display. `bytes` is a binary body, which can only be saved to a file. */
type ReadableBody =
  | { readonly type: "empty" }
  | { readonly type: "text"; readonly text: string; readonly isCut: boolean }
  | { readonly type: "bytes" };

/** A response (`return_raw` in the description) for display, without secrets. */
export interface ReadableResponse {
  readonly status: number;
  /** One string per header, such as `content-type: application/json`. */
  readonly headers: readonly string[];
  readonly body: ReadableBody;
}

const textTypes = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i;

/**
 * Converts a response for display. Includes up to `longest` characters of the body, without the credential and the
 * operation's confidential members.
 */
export function readableResponse(
  client: Pick<Client<"platform">, "shown">,
  operation: AnyOperation,
  response: RawResponse,
  maxLength: number,
): ReadableResponse {
  const { status, headers, body } = client.shown(response, maxLength);
  const isCut = response.body.byteLength > maxLength;
  return {
    status,
    headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    body: readableBody(response, body, isCut, isSuccess(status) ? operation.confidential : undefined),
  };
}

function readableBody(
  response: RawResponse,
  text: string,
  isCut: boolean,
  confidential: readonly string[] | undefined,
): ReadableBody {
  if (response.body.byteLength === 0) {
    return { type: "empty" };
  }
  const contentType = response.headers["content-type"] ?? "";
  if (!textTypes.test(contentType) && !isText(text)) {
    return { type: "bytes" };
  }
  return { type: "text", text: confidential === undefined ? text : withoutMembers(text, confidential), isCut };
}

/** JSON with its confidential members masked. If they can't be found, the whole text is redacted. */
function withoutMembers(text: string, confidential: readonly string[]): string {
  try {
    return JSON.stringify(masked(parseExact(text), confidential), undefined, 2);
  } catch {
    return redacted;
  }
}

/** True if the first characters are printable text. */
function isText(text: string): boolean {
  return !/[\0\uFFFD]/.test(text.slice(0, 1000));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
