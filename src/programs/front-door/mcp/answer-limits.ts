import type { AnswerLimits } from "../../../api/http/answer-limits.ts";

const megabyte = 1024 * 1024;

/**
 * What is read of an answer of the platform: as values JSON takes many times its length, and much more than this, a few
 * times at once, would end the process for everybody. Each step of the work on more values than these, or on a longer
 * text, would block the event loop for too long. An archive stays as it came.
 */
export const platformLimits: AnswerLimits = {
  jsonBytes: 4 * megabyte,
  bytes: 32 * megabyte,
  values: 50_000,
  depth: 100,
};

/** What is read of an answer of a content server: a file is one long text, and a folder's items have a few values each. */
export const contentLimits: AnswerLimits = { ...platformLimits, jsonBytes: 8 * megabyte, values: 100_000 };
