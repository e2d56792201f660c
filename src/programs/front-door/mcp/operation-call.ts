import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { type CallOptions, Client, type RawAnswer } from "../../../api/client/client.ts";
import { type CredentialKind, NotebookToken, PlatformCredential } from "../../../api/http/credentials.ts";
import { dialects } from "../../../api/http/dialects.ts";
import { createTransport } from "../../../api/http/transport.ts";
import { type Arguments, ToolFault } from "./tool.ts";

/** Judges an operation's input before any credential is fetched. Throws a PlatformError of kind `request`. */
export function checkInput(operation: AnyOperation, input: Arguments): void {
  const client = operation.credential === "notebook" ? notebookChecker : platformChecker;
  client.prepare(operation as never, input as never);
}

// Clients that send nothing.

const nowhere = new URL("https://front-door.invalid");
const unsent = createTransport();
const common = { base: nowhere, dialect: dialects.documented };
const platformChecker = new Client(
  { ...common, kind: "platform", credential: new PlatformCredential(nowhere.origin, "unsent") },
  unsent,
) as Client<CredentialKind>;
const notebookChecker = new Client(
  { ...common, kind: "notebook", credential: new NotebookToken(nowhere.origin, "unsent") },
  unsent,
) as Client<CredentialKind>;

const megabyte = 1024 * 1024;
/**
 * What is read of an answer, in bytes. As values JSON takes many times its length: much more than this, a few times at
 * once, would end the whole process. An archive stays as it came.
 */
export const largestAnswers = { json: 8 * megabyte, bytes: 32 * megabyte } as const;

/** Reads with `work`; when more bytes come than `mostBytes` it is ended, and a ToolFault says that `what` is too large. */
export async function withinSize<T>(
  what: string,
  mostBytes: number,
  signal: AbortSignal,
  work: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const abort = (): void => end.abort();
  let isTooLarge = false;
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) {
    abort();
  }
  const onReceived = (bytes: number): void => {
    if (bytes > mostBytes) {
      isTooLarge = true;
      abort();
    }
  };
  try {
    return await work({ signal: end.signal, onReceived });
  } catch (error) {
    throw isTooLarge
      ? new ToolFault(
          "tooLarge",
          `${what} has more than ${mostBytes / megabyte} MB, which no tool reads. Ask for less.`,
        )
      : error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The answer of an operation as it came. Throws a ToolFault for one that is too large. */
export async function answerOf(
  client: Client<CredentialKind>,
  operation: AnyOperation,
  input: Arguments,
  signal: AbortSignal,
): Promise<RawAnswer | undefined> {
  const mostBytes = largestAnswers[operation.answerFormat === "bytes" ? "bytes" : "json"];
  let answer: RawAnswer | undefined;
  await withinSize(`The answer of ${operation.id}`, mostBytes, signal, (options) =>
    client.call(operation, input as never, {
      ...options,
      onAnswered: (one) => {
        answer = one;
      },
    }),
  );
  return answer;
}
