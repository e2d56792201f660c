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
