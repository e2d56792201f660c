import { errorMessage } from "../../api/error-message.ts";
import { canonicalJson, parseJson } from "../../api/http/json.ts";

type Translate = (text: string, ...values: (string | number)[]) => string;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A body of an unspecified shape: an object or an array. */
export type JsonBody = JsonObject | readonly unknown[];

/** The JSON of a document's text, or the problem with it. */
type JsonResult<Value> =
  | { readonly valid: true; readonly value: Value }
  | { readonly valid: false; readonly reason: string };
export type JsonObjectResult = JsonResult<JsonObject>;

/** Parses a JSON object. Rejects integers that can't be represented exactly (above 2^53) and names their location. */
export function parseJsonObject(text: string, translate: Translate): JsonObjectResult {
  const read = parsed(text, translate);
  if (!read.valid) {
    return read;
  }
  return isObject(read.value)
    ? { valid: true, value: read.value }
    : { valid: false, reason: translate("it must be a JSON object in braces") };
}

/**
 * Parses a JSON object or array. Rejects integers that can't be represented exactly (above 2^53) and names their
 * location.
 */
export function parseJsonBody(text: string, translate: Translate): JsonResult<JsonBody> {
  const read = parsed(text, translate);
  if (!read.valid) {
    return read;
  }
  const { value } = read;
  return isObject(value) || isArray(value)
    ? { valid: true, value }
    : { valid: false, reason: translate("it must be a JSON object in braces or an array in brackets") };
}

/** Parses any JSON whose numbers can be sent unchanged. */
function parsed(text: string, translate: Translate): JsonResult<unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const words = errorMessage(error);
    return { valid: false, reason: translate("it isn't valid JSON: {0}", words) };
  }
  const place = unsafeNumber(value);
  return place === undefined
    ? { valid: true, value }
    : { valid: false, reason: translate("the number at {0} is too large to be sent unchanged", place) };
}

/** The location of an integer that JavaScript can't represent exactly. */
export function unsafeNumber(value: unknown, place = ""): string | undefined {
  if (typeof value === "number") {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? place : undefined;
  }
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  for (const [name, field] of Object.entries(value)) {
    const found = unsafeNumber(field, place === "" ? name : `${place}.${name}`);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** A field that differs: its path with dots, the old and the new value, shortened for a message. */
export interface FieldChange {
  readonly place: string;
  readonly from: string;
  readonly to: string;
}

/** The fields in which two objects differ. Compares objects field by field, and other values as a whole. */
export function changedFields(before: JsonObject, after: JsonObject, prefix = ""): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const from = before[name];
    const to = after[name];
    const place = prefix === "" ? name : `${prefix}.${name}`;
    if (sameJson(from, to)) {
      return [];
    }
    return isObject(from) && isObject(to)
      ? changedFields(from, to, place)
      : [{ place, from: shortJson(from), to: shortJson(to) }];
  });
}

/** True if two values are the same JSON, regardless of the order of an object's fields. */
export function sameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "–";
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for an array; narrows unknown values. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
