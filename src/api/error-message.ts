/** The message of whatever was thrown, in English. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
