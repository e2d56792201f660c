import { readFile, writeFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { acceptsBody, requiresBody } from "../../api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { parametersOf, shapeOf, valueFromText } from "../../api/catalogue/operation-parameters.ts";
import { operationsWithWords, similarIds } from "../../api/catalogue/operation-search.ts";
import { catalogue } from "../../api/catalogue/operations/catalogue.ts";
import type { Client, RawResponse } from "../../api/client/client.ts";
import { curlCommand } from "../../api/client/curl.ts";
import { escapedJson, onLines } from "../../api/displayed-text.ts";
import { errorMessage } from "../../api/error-message.ts";
import { runOperation } from "../../api/families/operation-outcome.ts";
import { masked } from "../../api/http/confidential.ts";
import type { CredentialKind } from "../../api/http/credentials.ts";
import { type ErrorKind, PlatformError } from "../../api/http/errors.ts";
import { parseExact, parseJson } from "../../api/http/json.ts";
import { type Log, silentLog } from "../../api/http/log.ts";
import { createTransport } from "../../api/http/transport.ts";
import { accessFrom, clientFor, dialectFrom } from "./destinations.ts";
import { describeJson, describeText, listText } from "./listing.ts";
import { isTerminal, rawOutput } from "./raw-output.ts";
import {
  done,
  exitCodes,
  helpText,
  interrupted,
  nothingFound,
  type Request,
  readArguments,
  UsageError,
  unexpected,
  wrongUsage,
} from "./usage.ts";

/** The environment of the program. Tests pass their own. */
interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly output: Writable;
  readonly messages: Writable;
  readonly version: string;
  readonly signal: AbortSignal;
}

type CallRequest = Request & { readonly command: "call" };

/** No operation has the words that were searched for. */
class NothingFound extends Error {
  override readonly name = "NothingFound";
}

/** The operation neither succeeded nor was refused (API description, 7). */
class UnsuccessfulResult extends Error {
  override readonly name = "UnsuccessfulResult";
  readonly kind: ErrorKind;

  constructor({ errors }: AnyOperation, text: string) {
    super(text);
    this.kind = errors.otherwise.kind;
  }
}

const listHint = "To list all operations, run platform-workbench list.";

/** Runs the program with these arguments and returns the exit code. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    await obey(readArguments(args), surroundings);
    return done;
  } catch (error) {
    surroundings.messages.write(`${onLines(errorMessage(error))}\n`);
    return codeOf(error);
  }
}

function codeOf(error: unknown): number {
  if (error instanceof UsageError) {
    return wrongUsage;
  }
  if (error instanceof NothingFound) {
    return nothingFound;
  }
  if (error instanceof PlatformError) {
    return error.failureCause.type === "cancelled" ? interrupted : exitCodes[error.kind].code;
  }
  return error instanceof UnsuccessfulResult ? exitCodes[error.kind].code : unexpected;
}

async function obey(request: Request, surroundings: Surroundings): Promise<void> {
  const { output, environment } = surroundings;
  switch (request.command) {
    case "help":
      return write(output, helpText());
    case "version":
      return write(output, `${surroundings.version}\n`);
    case "list": {
      const dialect = dialectFrom(environment);
      const found = operationsWithWords(catalogue, request.words, dialect);
      const text = request.json ? json(found.map((one) => describeJson(one, dialect))) : listText(found, dialect);
      await write(output, text);
      if (found.length === 0) {
        throw new NothingFound(`No operation matches "${request.words.join(" ")}". ${listHint}`);
      }
      return;
    }
    case "describe": {
      const operation = operationOf(request.id);
      const dialect = dialectFrom(environment);
      const text = request.json ? json(describeJson(operation, dialect)) : describeText(operation, dialect);
      return write(output, text);
    }
    case "call":
      return call(request, surroundings);
  }
}

function operationOf(id: string): AnyOperation {
  const operation = catalogue.find((one) => one.id === id);
  if (operation !== undefined) {
    return operation;
  }
  const similar = similarIds(catalogue, id);
  const hint = similar.length === 0 ? "" : ` Similar: ${similar.join(", ")}.`;
  throw new UsageError(`Unknown operation "${id}".${hint} ${listHint}`);
}

async function call(request: CallRequest, surroundings: Surroundings): Promise<void> {
  const { environment, input, messages, signal } = surroundings;
  const operation = operationOf(request.id);
  const given = await inputOf(operation, request, surroundings);
  const secret = request.tokenFromInput ? await readToEnd(input) : request.curl ? "unsent" : undefined;
  const access = accessFrom(environment, operation.credential, secret);
  const log = request.verbose ? linesTo(messages) : silentLog;
  const transport = createTransport({ log });
  const client = clientFor(operation.credential, access, transport, log);
  try {
    if (request.curl) {
      const prepared = client.prepare(operation, given as never);
      return await write(surroundings.output, `${curlCommand(prepared, operation.credential)}\n`);
    }
    if (request.raw) {
      return await emitRaw(
        operation,
        request,
        client,
        await client.raw(operation, given as never, { signal }),
        surroundings,
      );
    }
    let response: RawResponse | undefined;
    const onResponse = (one: RawResponse): void => {
      response = one;
    };
    const outcome = await runOperation(client, operation, given, { signal, onResponse });
    if (!outcome.successful) {
      await emit(operation, request, json({ status: outcome.status, text: outcome.text }), surroundings);
      throw new UnsuccessfulResult(operation, outcome.text);
    }
    if (outcome.text !== undefined) {
      messages.write(`${onLines(outcome.text)}\n`);
    }
    await emit(operation, request, responseOutput(operation, request, outcome.value, response), surroundings);
  } finally {
    await transport.close();
  }
}

/** Writes a response unchanged, and its status to stderr. */
async function emitRaw(
  operation: AnyOperation,
  request: CallRequest,
  client: Client<CredentialKind>,
  response: RawResponse,
  surroundings: Surroundings,
): Promise<void> {
  const { output, messages } = surroundings;
  const { content, line } = rawOutput(client, operation, response, {
    isUnmasked: request.unmasked,
    isTerminal: request.output === undefined && isTerminal(output),
  });
  messages.write(`${line}\n`);
  await emit(operation, request, content, surroundings);
}

/** The response's bytes, or its JSON with unchanged numbers. */
function responseOutput(
  operation: AnyOperation,
  request: CallRequest,
  value: unknown,
  response: RawResponse | undefined,
): Uint8Array | string {
  if (operation.responseFormat === "bytes") {
    return response?.body ?? new Uint8Array();
  }
  const text = new TextDecoder().decode(response?.body);
  const exact = text.trim() === "" ? null : typeof value === "string" ? value : parseExact(text);
  return json(masked(exact, request.unmasked ? [] : (operation.confidential ?? [])));
}

async function emit(
  operation: AnyOperation,
  request: CallRequest,
  content: Uint8Array | string,
  { output, messages }: Surroundings,
): Promise<void> {
  if (request.output !== undefined) {
    await writeFile(request.output, content);
    messages.write(`${onLines(request.output)}: ${Buffer.byteLength(content)} bytes\n`);
  } else if (!request.raw && operation.responseFormat === "bytes" && isTerminal(output)) {
    throw new UsageError(`${operation.id} returns binary data. Specify a file with --output.`);
  } else {
    await write(output, content);
  }
}

async function inputOf(
  operation: AnyOperation,
  request: CallRequest,
  { input }: Surroundings,
): Promise<Readonly<Record<string, unknown>>> {
  const pairs = (["path", "query"] as const).flatMap((place) =>
    request[place].map((pair) => {
      const cut = pair.indexOf("=");
      const name = cut < 0 ? pair : pair.slice(0, cut);
      const known = parametersOf(operation).filter((parameter) => parameter.place === place);
      if (cut < 0 || !known.some((parameter) => parameter.name === name)) {
        const names = known.map((parameter) => parameter.name).join(", ") || "none";
        throw new UsageError(
          `--${place} ${pair}: use the format name=value. Parameters of ${operation.id} in its ${place}: ${names}.`,
        );
      }
      return [name, valueFromText(shapeOf(operation, name), pair.slice(cut + 1))] as const;
    }),
  );
  checkRequired(operation, new Set(pairs.map(([name]) => name)), request);
  const body = await bodyOf(operation, request, input);
  return { ...Object.fromEntries(pairs), ...(body === undefined ? {} : { body: body.value }) };
}

/** Throws a UsageError that shows how to enter what is missing. */
function checkRequired(operation: AnyOperation, given: ReadonlySet<string>, { body }: CallRequest): void {
  const missing = [
    ...parametersOf(operation)
      .filter(({ name, required }) => required && !given.has(name))
      .map(({ place, name }) => `--${place} ${name}=…`),
    ...(body === undefined && requiresBody(operation) ? ["--body …"] : []),
  ];
  if (missing.length > 0) {
    throw new UsageError(
      `${operation.id} requires ${missing.join(" ")}. To see its parameters, run platform-workbench describe ${operation.id}.`,
    );
  }
}

async function bodyOf(
  operation: AnyOperation,
  { body }: CallRequest,
  input: Readable,
): Promise<{ readonly value: unknown } | undefined> {
  if (body === undefined) {
    return undefined;
  }
  if (!acceptsBody(operation)) {
    throw new UsageError(`${operation.id} doesn't accept a body.`);
  }
  const text = body === "-" ? await readToEnd(input) : body.startsWith("@") ? await fileText(body.slice(1)) : body;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new UsageError(`The body isn't valid JSON: ${errorMessage(error)}`);
  }
  if (hasUnsafeNumber(value)) {
    throw new UsageError("The body contains an integer that is too large to be sent exactly. Write it as a string.");
  }
  return { value };
}

function hasUnsafeNumber(value: unknown): boolean {
  return typeof value === "object" && value !== null
    ? Object.values(value).some(hasUnsafeNumber)
    : typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`The body can't be read: ${errorMessage(error)}`);
  }
}

async function readToEnd(input: Readable): Promise<string> {
  return (await buffer(input)).toString("utf8");
}

function json(value: unknown): string {
  return `${escapedJson(JSON.stringify(value, undefined, 2))}\n`;
}

function write(output: Writable, content: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) =>
    output.write(content, (error) => (error === undefined || error === null ? resolve() : reject(error))),
  );
}

function linesTo(messages: Writable): Log {
  const write = (line: string): void => void messages.write(`${onLines(line)}\n`);
  return { ...silentLog, info: write, warn: write, error: write };
}
