import type { ResponseLimits } from "../../../api/http/response-limits.ts";

const megabyte = 1024 * 1024;

/**
 * Limits for a response from the platform. JSON needs many times its length in memory, so a few parallel responses
 * above these limits could exhaust the process's memory. More values or longer strings would also block the event loop
 * for too long at a time. Archives are not parsed.
 */
export const platformLimits: ResponseLimits = {
  jsonBytes: 4 * megabyte,
  bytes: 32 * megabyte,
  values: 50_000,
  depth: 100,
};

/**
 * Limits for a response from a content server. A file is one long string, and each item in a folder has a few values.
 */
export const contentLimits: ResponseLimits = { ...platformLimits, jsonBytes: 8 * megabyte, values: 100_000 };
