import { setTimeout as delay } from "node:timers/promises";

/** Statuses of a server, or a gateway, that is overloaded or restarting: the same request may succeed later. */
export const overloadedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** No pause before a retry is longer, in milliseconds, whatever the server asks for. */
export const longestPause = 15_000;

/** The milliseconds that a server's Retry-After header asks for, as seconds or as an HTTP date. */
export function retryAfter(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const value = headers?.["retry-after"];
  if (value === undefined) {
    return undefined;
  }
  const seconds = Number(value);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** Waits before a retry. An aborted wait ends at once and does not throw: the request that follows reports the abort. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
