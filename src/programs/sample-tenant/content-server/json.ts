import { parseExact } from "../../../api/http/json.ts";
import { isRawNumber } from "../../../api/http/raw-number.ts";

/** A JSON value from `parseExact`. Numbers that JavaScript would write differently are objects of the runtime. */
export type JsonValue = null | boolean | string | number | readonly JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Parses JSON and preserves the notation of every number. Throws a SyntaxError like `JSON.parse`. */
export function parseJson(text: string): JsonValue {
  return parseExact(text) as JsonValue;
}

/** True for an object that is neither an array nor a number. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** True for a JSON array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value of a number in either representation; undefined for anything else. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (isRawNumber(value)) {
    return Number(JSON.stringify(value));
  }
  return typeof value === "number" ? value : undefined;
}

/**
 * Writes JSON as Python writes a notebook: one space of indentation per level, keys in code point order.
 * `JSON.stringify` can't do this, because JavaScript objects always have keys such as "10" and "2" in numeric order.
 */
export function sortedJson(value: JsonValue, lineStart = "\n"): string {
  const inner = `${lineStart} `;
  if (isJsonArray(value)) {
    const items = value.map((item) => inner + sortedJson(item, inner));
    return items.length === 0 ? "[]" : `[${items.join(",")}${lineStart}]`;
  }
  if (!isJsonObject(value)) {
    return JSON.stringify(value);
  }
  const keys = Object.keys(value).sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  const members = keys.map((key) => `${inner}${JSON.stringify(key)}: ${sortedJson(value[key] ?? null, inner)}`);
  return members.length === 0 ? "{}" : `{${members.join(",")}${lineStart}}`;
}
