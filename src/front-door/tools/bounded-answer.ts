import type { Client, RawAnswer } from "../../api/client.ts";
import type { CredentialKind } from "../../api/credentials.ts";
import type { AnyOperation } from "../../api/operation.ts";
import { type Arguments, ToolFault } from "./tool.ts";

/** An answer of more bytes is not held in memory. */
const largestAnswer = 32 * 1024 * 1024;

/** The answer of an operation as it came; a ToolFault for one that is larger than anything that a tool gives. */
export async function boundedAnswer(
  client: Client<CredentialKind>,
  operation: AnyOperation,
  input: Arguments,
  signal: AbortSignal,
): Promise<RawAnswer | undefined> {
  const tooLarge = new AbortController();
  let answer: RawAnswer | undefined;
  try {
    await client.call(operation, input as never, {
      signal: AbortSignal.any([signal, tooLarge.signal]),
      onReceived: (bytes) => {
        if (bytes > largestAnswer) {
          tooLarge.abort();
        }
      },
      onAnswered: (one) => {
        answer = one;
      },
    });
  } catch (error) {
    if (tooLarge.signal.aborted && answer === undefined) {
      throw new ToolFault(
        "tooLarge",
        `The answer of ${operation.id} has more than ${largestAnswer / 1024 / 1024} MB, which no tool gives. Ask for less.`,
      );
    }
    throw error;
  }
  return answer;
}
