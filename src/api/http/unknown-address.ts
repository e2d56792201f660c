import { causeOf } from "./errors.ts";

/** True for 404. Jupyter Server responds to unknown paths with a web page, like a proxy without a route. */
export function isUnknownAddress(error: unknown): boolean {
  const cause = causeOf(error);
  return (cause?.type === "status" || cause?.type === "notJson") && cause.status === 404;
}

/** The response, or undefined if the server doesn't know the address. */
export async function unlessUnknown<Response>(call: Promise<Response>): Promise<Response | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isUnknownAddress(error)) {
      return undefined;
    }
    throw error;
  }
}
