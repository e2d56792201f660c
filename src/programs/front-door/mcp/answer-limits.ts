import type { AnswerLimits } from "../../../api/http/answer-limits.ts";

const megabyte = 1024 * 1024;

/**
 * What is read of an answer: as values JSON takes many times its length, and much more than this, a few times at once,
 * would end the process for everybody. More values than these block the event loop for longer than 100 ms. An archive
 * stays as it came.
 */
export const answerLimits: AnswerLimits = {
  jsonBytes: 8 * megabyte,
  bytes: 32 * megabyte,
  values: 50_000,
  depth: 100,
};
