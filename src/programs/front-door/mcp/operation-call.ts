import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { type CallOptions, Client, type RawAnswer } from "../../../api/client/client.ts";
import { type CredentialKind, NotebookToken, PlatformCredential } from "../../../api/http/credentials.ts";
import { dialects } from "../../../api/http/dialects.ts";
import { createTransport } from "../../../api/http/transport.ts";
import { type Arguments, ToolError } from "./tool.ts";

/** Dots and slashes, as they are or percent-encoded: whoever decodes an address on the way would read another path. */
const pathInId = /[/\\]|%(?:2e|2f|5c)/i;

/** Throws a ToolError for an id that could be read as a path. */
export function checkId(name: string, id: unknown): void {
  if (typeof id === "string" && pathInId.test(id)) {
    throw new ToolError("arguments", `${name}: an id has no slash in it, and no encoded dot or slash.`);
  }
}

/** Checks an operation's input before any credential is fetched. Throws a PlatformError of kind `request`, or a ToolError. */
export function checkInput(operation: AnyOperation, input: Arguments): void {
  for (const name of Object.keys(operation.pathParameters)) {
    if (!operation.path.includes(`{${name}*}`)) {
      checkId(name, input[name]);
    }
  }
  const client = operation.credential === "notebook" ? notebookChecker : platformChecker;
  client.prepare(operation as never, input as never);
}

// Clients that only prepare requests and never send one.
const base = new URL("https://front-door.invalid");
const dialect = dialects.documented;
const transport = createTransport();
const platformChecker = new Client(
  { kind: "platform", base, dialect, credential: new PlatformCredential(base.origin, "unsent") },
  transport,
) as Client<CredentialKind>;
const notebookChecker = new Client(
  { kind: "notebook", base, dialect, credential: new NotebookToken(base.origin, "unsent") },
  transport,
) as Client<CredentialKind>;

const megabyte = 1024 * 1024;
/**
 * What is read of an answer, in bytes. As values JSON takes many times its length: much more than this, a few times at
 * once, would end the whole process. An archive stays as it came.
 */
export const largestAnswers = { json: 8 * megabyte, bytes: 32 * megabyte } as const;

/** Reads with `work`; when more bytes come than `mostBytes` it is ended, and a ToolError says that `what` is too large. */
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
      ? new ToolError(
          "tooLarge",
          `${what} has more than ${mostBytes / megabyte} MB, which no tool reads. Ask for less.`,
        )
      : error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The answer of an operation as it came. Throws a ToolError for one that is too large. */
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
