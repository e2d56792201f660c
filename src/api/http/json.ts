/** A number that JavaScript would write otherwise, as `9007199254740993` or `1.0`, kept as its own text. */
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

// The library's types do not know these members yet.
const json = JSON as unknown as ExactJson;

/** Reads JSON so that `JSON.stringify` writes every number as it stood there. Throws a SyntaxError. */
export function parseExact(text: string): unknown {
  return json.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}

/** True for a number that is kept as its text. */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value);
}

/** Reads JSON from a file or a person, with or without a byte order mark. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}

/** JSON with the members of every object in one order, so that equal values have equal texts; empty for undefined. */
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
 * The text of one member's value in a JSON object, as it stands there: digits, order and spacing kept. Of members of one
 * name the last one counts, as for every reader of JSON. Undefined when the object has no such member at its top level.
 * The text must be valid JSON; it is read once, without recursion.
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
  while (position < json.length && json[position] !== '"') {
    position += json[position] === "\\" ? 2 : 1;
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
