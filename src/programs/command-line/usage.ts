import { parseArgs } from "node:util";
import { errorMessage } from "../../api/error-message.ts";
import type { ErrorKind } from "../../api/http/errors.ts";

/** The arguments or the environment are invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The request in the arguments. */
export type Request =
  | { readonly command: "help" }
  | { readonly command: "version" }
  | { readonly command: "list"; readonly json: boolean; readonly words: readonly string[] }
  | { readonly command: "describe"; readonly json: boolean; readonly id: string }
  | {
      readonly command: "call";
      readonly id: string;
      readonly path: readonly string[];
      readonly query: readonly string[];
      readonly body: string | undefined;
      readonly output: string | undefined;
      readonly tokenFromInput: boolean;
      readonly unmasked: boolean;
      /** Prints the response unchanged, regardless of its status (the description's `return_raw`). */
      readonly raw: boolean;
      readonly curl: boolean;
      readonly verbose: boolean;
    };

/** Reads the arguments. Throws a UsageError. */
export function readArguments(args: readonly string[]): Request {
  const { values, positionals } = parsed(args);
  const [command, id = "", ...rest] = positionals;
  if (values.version === true) {
    return { command: "version" };
  }
  if (values.help === true || command === undefined || command === "help") {
    return { command: "help" };
  }
  if (command === "list") {
    return { command, json: values.json === true, words: positionals.slice(1) };
  }
  if (command !== "describe" && command !== "call") {
    throw new UsageError(`Unknown command "${command}". Commands: call, list, describe. See --help.`);
  }
  if (id === "" || rest.length > 0) {
    throw new UsageError(
      `${command} requires one operation ID, such as designs.list. To list all operations, run platform-workbench list.`,
    );
  }
  if (command === "describe") {
    return { command, id, json: values.json === true };
  }
  if (values["token-stdin"] === true && values.body === "-") {
    throw new UsageError("Standard input can't provide both the body and the token.");
  }
  return {
    command,
    id,
    path: values.path ?? [],
    query: values.query ?? [],
    body: values.body,
    output: values.output,
    tokenFromInput: values["token-stdin"] === true,
    unmasked: values.unmasked === true,
    raw: values.raw === true,
    curl: values.curl === true,
    verbose: values.verbose === true,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        path: { type: "string", multiple: true },
        query: { type: "string", multiple: true },
        body: { type: "string" },
        output: { type: "string", short: "o" },
        "token-stdin": { type: "boolean" },
        unmasked: { type: "boolean" },
        raw: { type: "boolean" },
        curl: { type: "boolean" },
        verbose: { type: "boolean", short: "v" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(`${errorMessage(error)} See --help.`);
  }
}

/** The text of --help. */
export function helpText(): string {
  const kinds = Object.entries(exitCodes).map(([kind, { code, meaning }]) => row(String(code), `${kind}: ${meaning}`));
  return `platform-workbench: every operation of the platform's API in a shell

  platform-workbench list [word…] [--json]        lists operations whose text contains all words
  platform-workbench describe <id> [--json]       describes an operation's input and output
  platform-workbench call <id> [options]          runs an operation and prints the response as JSON

Options of call
  --path name=value     a path parameter; can be repeated
  --query name=value    a query parameter; can be repeated
  --body TEXT           the JSON body: the text itself, @FILE for a file, or - for standard input
  --output FILE, -o     writes the response to a file, for example an archive
  --token-stdin         reads the secret from standard input
  --unmasked            shows values that may be secrets of other systems
  --raw                 prints the unprocessed response and exits with 0, whatever its status, which goes to standard error
  --curl                prints the request as a curl command without its secret, and sends nothing
  --verbose, -v         prints one line per request to standard error

Environment
  PLATFORM_WORKBENCH_BASE_URL         the tenant's address, https
  PLATFORM_WORKBENCH_TOKEN            its credential
  PLATFORM_WORKBENCH_DIALECT          documented (default) or domo
  PLATFORM_WORKBENCH_CONTENT_URL      a content server's address with its /user/…/ path: for contents.*
  PLATFORM_WORKBENCH_NOTEBOOK_TOKEN   its token
  PLATFORM_WORKBENCH_INTERNAL_URL     the front door's or internal service's address: for frontDoor.*
  PLATFORM_WORKBENCH_INTERNAL_SECRET  their shared secret

Exit codes
${[row("0", "done"), row("1", "no operation matches the words of list, or internal error"), row("2", "invalid arguments or environment"), ...kinds, row("130", "interrupted")].join("\n")}
`;
}

function row(code: string, meaning: string): string {
  return `  ${code.padEnd(4)}${meaning}`;
}

/** Exit codes for failed operations, by the kind of the error. */
export const exitCodes: Readonly<Record<ErrorKind, { readonly code: number; readonly meaning: string }>> = {
  request: { code: 3, meaning: "the input is invalid, and nothing was sent" },
  retrieval: { code: 10, meaning: "a read failed" },
  notFound: { code: 11, meaning: "the item does not exist" },
  crud: { code: 12, meaning: "a change failed" },
  workspace: { code: 13, meaning: "a workspace could not be started or stopped" },
  appGet: { code: 14, meaning: "a read of an app design failed" },
  asset: { code: 15, meaning: "a design's assets could not be downloaded" },
  appCrud: { code: 16, meaning: "a change to an app design failed" },
  route: { code: 17, meaning: "a page operation failed" },
  sandboxGet: { code: 18, meaning: "a read of the sandbox failed" },
  sandboxCrud: { code: 19, meaning: "a change to the sandbox failed" },
  workflowGet: { code: 20, meaning: "a read of workflows failed" },
  workflowCrud: { code: 21, meaning: "a change to workflows failed" },
};

export const done = 0;
export const unexpected = 1;
/** As `grep` has it. */
export const nothingFound = 1;
export const wrongUsage = 2;
export const interrupted = 130;
