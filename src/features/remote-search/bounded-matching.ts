import { createContext, Script } from "node:vm";

/** Milliseconds of matching in one file. */
const maxMs = 2000;

/** Matching a file takes too long. */
export class TooSlowError extends Error {}

const script = new Script("match()");
const sandbox: { match?: () => void } = {};
const context = createContext(sandbox);

/**
 * Runs work that matches a regular expression, and interrupts it if it takes forever. A file on the server decides that
 * as much as the user's expression. Throws a TooSlowError.
 */
export function boundedMatching<Result>(match: () => Result, timeoutMs = maxMs): Result {
  let result: { readonly value: Result } | undefined;
  sandbox.match = () => {
    result = { value: match() };
  };
  try {
    script.runInContext(context, { timeout: timeoutMs });
  } catch (error) {
    throw isTimeout(error) ? new TooSlowError("Matching takes too long.", { cause: error }) : error;
  } finally {
    delete sandbox.match;
  }
  if (result === undefined) {
    throw new TooSlowError("Matching did not end.");
  }
  return result.value;
}

/** The error belongs to the context, so it isn't an instance of this one's Error. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
