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

// TypeScript's standard library doesn't declare these functions yet.
export const exactJson = JSON as unknown as ExactJson;

/** True for a number that is kept as text. */
export function isRawNumber(value: unknown): boolean {
  return exactJson.isRawJSON(value);
}
