import type { Dispatcher } from "../../../api/http/dispatch.ts";
import type { KeySetAnswer } from "./key-set.ts";

/** More than this is no key set. */
const mostBytes = 64 * 1024;

/** Fetches the key set: no redirect is followed, nothing but a 200 of at most 64 KiB within the time counts. */
export async function fetchKeySet(dispatcher: Dispatcher, url: URL, timeLimit: number): Promise<KeySetAnswer> {
  try {
    const { status, body } = await dispatcher.dispatch({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "GET",
      headers: { accept: "application/json, application/jwk-set+json" },
      body: undefined,
      signal: AbortSignal.timeout(timeLimit),
      idleLimit: timeLimit,
      onReceived: atMost(mostBytes),
    });
    return status === 200
      ? { outcome: "text", text: new TextDecoder().decode(body) }
      : { outcome: "failed", reason: `${url.origin} answered ${status}` };
  } catch (error) {
    return { outcome: "failed", reason: `${url.origin} cannot be reached or read (${nameOf(error)})` };
  }
}

/** For `onReceived`: throws, and so ends the exchange, when more bytes come. */
export function atMost(bytes: number): (received: number) => void {
  return (received) => {
    if (received > bytes) {
      throw new Error(`more than ${bytes} bytes`);
    }
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return "unknown";
  }
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
