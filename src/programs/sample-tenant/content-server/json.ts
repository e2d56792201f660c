/** A number as it stood in the text: `1.0`, `1e5` and 64-bit integers keep their digits. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = null | boolean | string | number | NumberText | readonly JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** True for an object that is neither an array nor a number's text. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** True for a JSON array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value of a number in either form, undefined for anything else. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (value instanceof NumberText) {
    return Number(value.text);
  }
  return typeof value === "number" ? value : undefined;
}

/** Parses JSON and keeps every number as it is written. Throws a SyntaxError as `JSON.parse` does. */
export function parseExactJson(text: string): JsonValue {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? new NumberText(context.source) : value,
  );
}

/** How a value is written: with `indent` spaces per level, or on one line without it. */
export interface JsonStyle {
  readonly indent?: number;
  readonly sortKeys?: boolean;
}

/** Writes JSON, numbers with their own digits, keys in code point order where asked for. */
export function writeExactJson(value: JsonValue, style: JsonStyle = {}): string {
  return write(value, style, "\n");
}

function write(value: JsonValue, style: JsonStyle, lineStart: string): string {
  if (value instanceof NumberText) {
    return value.text;
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  const inner = style.indent === undefined ? "" : lineStart + " ".repeat(style.indent);
  const outer = style.indent === undefined ? "" : lineStart;
  if (isJsonArray(value)) {
    const items = value.map((item) => inner + write(item, style, inner));
    return items.length === 0 ? "[]" : `[${items.join(",")}${outer}]`;
  }
  const colon = style.indent === undefined ? ":" : ": ";
  const keys = Object.keys(value);
  if (style.sortKeys === true) {
    keys.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  }
  const members = keys.map((key) => `${inner}${JSON.stringify(key)}${colon}${write(value[key] ?? null, style, inner)}`);
  return members.length === 0 ? "{}" : `{${members.join(",")}${outer}}`;
}
