import { setTimeout as delay } from "node:timers/promises";

/** Statuses of an overloaded or restarting server or gateway. A retry may succeed. */
export const overloadedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Maximum pause before a retry, in milliseconds, regardless of what the server requests. */
export const maxPauseMs = 15_000;

/** The value of a Retry-After header in milliseconds, from seconds or an HTTP date. */
export function retryAfter(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const value = headers?.["retry-after"];
  if (value === undefined) {
    return undefined;
  }
  const seconds = Number(value);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** Waits before a retry. Resolves immediately if the signal aborts, because the next request reports the abort. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
