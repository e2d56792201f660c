/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** True for a JSON object: neither null nor a list. */
export function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
