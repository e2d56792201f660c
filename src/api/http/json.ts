import { turnFor } from "../turns.ts";
import { endOfString } from "./json-member.ts";
import { exactJson, isRawNumber } from "./raw-number.ts";

/** Parses JSON. `JSON.stringify` preserves all numbers of the result. Throws a SyntaxError. */
export function parseExact(text: string): unknown {
  // A reviver takes ten times as long as parsing without one.
  return hasUnusualNumber(text) ? parseEachNumber(text) : JSON.parse(text);
}

/** Like `parseExact`, but for a long text, yields to other work between checking the numbers and parsing. */
export async function parseExactInTurns(text: string): Promise<unknown> {
  const isUnusual = hasUnusualNumber(text);
  await turnFor(text.length);
  return isUnusual ? parseEachNumber(text) : JSON.parse(text);
}

/**
 * True if a JSON text contains a number that JavaScript writes differently, such as `1.0`. Unspecified for invalid
 * JSON.
 */
function hasUnusualNumber(text: string): boolean {
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === codes.quote) {
      position = endOfString(text, position) - 1;
    } else if (code === codes.minus || isDigit(code)) {
      const start = position;
      while (isInNumber(text.charCodeAt(position + 1))) {
        position += 1;
      }
      const number = text.slice(start, position + 1);
      if (String(Number(number)) !== number) {
        return true;
      }
    }
  }
  return false;
}

const codes = {
  quote: 0x22,
  plus: 0x2b,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  exponent: 0x65,
};

function isDigit(code: number): boolean {
  return code >= codes.zero && code <= codes.nine;
}

function isInNumber(code: number): boolean {
  // Setting this bit converts `E` to `e`.
  return isDigit(code) || code === codes.point || (code | 0x20) === codes.exponent || isSign(code);
}

function isSign(code: number): boolean {
  return code === codes.plus || code === codes.minus;
}

function parseEachNumber(text: string): unknown {
  return exactJson.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? exactJson.rawJSON(source) : value,
  );
}

/** Parses JSON from a file or from user input, with or without a byte order mark. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}

/** Serializes a value with sorted members, so that equal values have equal JSON. Empty for undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (isJsonObject(field) ? inOrder(field) : field)) ?? "";
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

function inOrder(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
