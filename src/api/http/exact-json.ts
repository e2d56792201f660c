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
