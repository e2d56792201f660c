/** A number that JavaScript would write differently, such as `9007199254740993` or `1.0`, kept as text. */
interface RawJson {
  readonly rawJSON: string;
}

interface ExactJson {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

// The types of the standard library do not include these functions yet.
const json = JSON as unknown as ExactJson;

/** Parses JSON. `JSON.stringify` writes all numbers of the result unchanged. Throws a SyntaxError. */
export function parseExact(text: string): unknown {
  // A reviver that looks at each value takes ten times as long as parsing.
  return hasUnusualNumber(text) ? parseEachNumber(text) : JSON.parse(text);
}

/** True if a JSON text contains a number that JavaScript writes differently, such as `1.0`. Of no use for invalid JSON. */
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
  backslash: 0x5c,
  exponent: 0x65,
};

function isDigit(code: number): boolean {
  return code >= codes.zero && code <= codes.nine;
}

function isInNumber(code: number): boolean {
  // The bit that tells `E` from `e` is set.
  return isDigit(code) || code === codes.point || (code | 0x20) === codes.exponent || isSign(code);
}

function isSign(code: number): boolean {
  return code === codes.plus || code === codes.minus;
}

function parseEachNumber(text: string): unknown {
  return json.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}

/** True for a number that is kept as text. */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value);
}

/** Parses JSON from a file or a person, with or without a byte order mark. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}

/** JSON with sorted members, so that equal values have equal texts. Empty for undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (isRecord(field) ? inOrder(field) : field)) ?? "";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

function inOrder(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The unchanged text of a member's value in a JSON object, including digits, order, and spacing. If there are several
 * members with the name, the last one counts, as in any JSON parser. Undefined if there is none at the top level. The
 * text must be valid JSON. It is read once, without recursion.
 */
export function memberText(json: string, member: string): string | undefined {
  let found: string | undefined;
  let position = skipSpace(json, 0);
  if (json[position] !== "{") {
    return undefined;
  }
  position = skipSpace(json, position + 1);
  while (json[position] === '"') {
    const nameEnd = endOfString(json, position);
    const name: unknown = JSON.parse(json.slice(position, nameEnd));
    const start = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const end = endOfValue(json, start);
    if (name === member) {
      found = json.slice(start, end);
    }
    position = skipSpace(json, end);
    position = json[position] === "," ? skipSpace(json, position + 1) : json.length;
  }
  return found;
}

function skipSpace(json: string, from: number): number {
  let position = from;
  while (/\s/.test(json[position] ?? "x")) {
    position += 1;
  }
  return position;
}

function endOfString(json: string, start: number): number {
  let position = start + 1;
  for (; position < json.length; position += 1) {
    const code = json.charCodeAt(position);
    if (code === codes.quote) {
      break;
    }
    position += code === codes.backslash ? 1 : 0;
  }
  return position + 1;
}

function endOfValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') {
    return endOfString(json, start);
  }
  if (first !== "{" && first !== "[") {
    const rest = /[,\]}\s]/.exec(json.slice(start));
    return rest === null ? json.length : start + rest.index;
  }
  let depth = 0;
  for (let position = start; position < json.length; position += 1) {
    const character = json[position];
    if (character === '"') {
      position = endOfString(json, position) - 1;
    } else if (character === "{" || character === "[") {
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) {
        return position + 1;
      }
    }
  }
  return json.length;
}
