import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { PlatformError } from "../../../api/http/errors.ts";
import { parseExact } from "../../../api/http/json.ts";
import { withoutSecrets } from "../../../api/http/log.ts";
import { errorForLog } from "../observability/log.ts";
import {
  type AnswerPage,
  beginning,
  cursorOf,
  type Position,
  pageOfAnswer,
  pageOfText,
  positionOf,
} from "./answer-paging.ts";
import { type CallClients, createCallClients } from "./call-clients.ts";
import { type ConfirmationCodec, confirmed } from "./confirmation.ts";
import { type Arguments, type Tool, type ToolAnswer, ToolError, type ToolErrorKind } from "./tool.ts";
import type { Caller, ToolParts, ToolReport } from "./tool-handler.ts";

/** What a call of a tool works with. */
interface CallParts {
  readonly parts: ToolParts;
  readonly codec: ConfirmationCodec;
  readonly context: ServerContext;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

interface CallOutcome {
  readonly result: CallToolResult | InputRequiredResult;
  readonly outcome: ToolReport["result"];
}

/** Errors of valid calls that could not be carried out. */
const failures: ReadonlySet<ToolErrorKind> = new Set(["workspace", "archive"]);

/** Calls a tool as the caller: arguments judged, a person asked where something is destroyed, the answer cut to size. */
export async function callTool(tool: Tool, given: Arguments, call: CallParts): Promise<CallOutcome> {
  const { parts, caller, signal } = call;
  const { configuration, log, transport } = parts;
  const clients = createCallClients(configuration, transport, caller, signal);
  try {
    const { position, limit } = checkArguments(tool, given);
    if (tool.effect === "destroy") {
      const { issuer, subject } = caller;
      const policy = configuration.tools.confirmation;
      const question = await confirmed({ tool, given, issuer, subject }, call.context, call.codec, policy);
      if (question !== undefined) {
        return { result: question, outcome: "asked" };
      }
    }
    const answered = await tool.run(given, { position, limit }, clients);
    const characters = configuration.tools.maximumResultCharacters;
    return { result: resultOf(tool, given, answered, position, characters, clients.secrets), outcome: "done" };
  } catch (error) {
    return failed(tool, clients.explainRefusal(error), clients, caller, log);
  }
}

function failed(
  tool: Tool,
  error: unknown,
  clients: CallClients,
  { requestId }: Caller,
  log: ToolParts["log"],
): CallOutcome {
  if (error instanceof PlatformError || error instanceof ToolError) {
    const isRefused = error instanceof ToolError ? !failures.has(error.kind) : error.kind === "request";
    return { result: failureOf(error, clients.secrets), outcome: isRefused ? "refused" : "failed" };
  }
  log.error({ requestId, tool: tool.listed.name, err: errorForLog(error) }, "a tool failed in this server");
  const fault = new ToolError("dependency", `The front door failed in ${tool.listed.name} (request ${requestId}).`);
  return { result: failureOf(fault, clients.secrets), outcome: "failed" };
}

/** Where the answer is to begin and how many items are asked for. Throws for arguments that the tool does not take. */
function checkArguments(
  tool: Tool,
  given: Arguments,
): { readonly position: Position; readonly limit: number | undefined } {
  const { name, inputSchema } = tool.listed;
  const known = Object.keys(inputSchema.properties);
  const unknown = Object.keys(given).filter((argument) => !Object.hasOwn(inputSchema.properties, argument));
  if (unknown.length > 0) {
    throw new ToolError(
      "arguments",
      `${name} takes ${known.join(", ") || "no arguments"}, and not ${unknown.join(", ")}.`,
    );
  }
  const missing = (inputSchema.required ?? []).filter((argument) => given[argument] === undefined);
  if (missing.length > 0) {
    throw new ToolError("arguments", `${name} needs ${missing.join(", ")}.`);
  }
  if (hasUnsafeNumber(given)) {
    throw new ToolError("arguments", `${name}: a whole number is too large to be sent unchanged; write it as a text.`);
  }
  tool.check(given);
  const { cursor, limit } = given;
  return { position: positionFrom(cursor, tool, given), limit: typeof limit === "number" ? limit : undefined };
}

function positionFrom(cursor: unknown, tool: Tool, given: Arguments): Position {
  if (cursor === undefined) {
    return beginning;
  }
  const { cursor: _, ...rest } = given;
  const position = typeof cursor === "string" ? positionOf(cursor, tool.listed.name, rest) : undefined;
  if (position === undefined) {
    throw new ToolError(
      "cursor",
      "The cursor does not belong to this tool with these arguments. Give the nextCursor as it came, and every other argument as before.",
    );
  }
  return position;
}

function hasUnsafeNumber(value: unknown): boolean {
  return typeof value === "object" && value !== null
    ? Object.values(value).some(hasUnsafeNumber)
    : typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

const cutShort =
  "The answer is longer than what is given here. The operation is not done again to read on: read the thing with another tool.";

/** As much of a tool's answer as fits, with the cursor that goes on, as text and structured, without the call's secrets. */
function resultOf(
  tool: Tool,
  given: Arguments,
  answered: ToolAnswer,
  position: Position,
  characters: number,
  secrets: readonly string[],
): CallToolResult {
  const shown = pageOf(answered, position, characters);
  if (shown.type === "changed") {
    throw new ToolError("cursor", "What the cursor goes on with has changed since. Begin again without the cursor.");
  }
  const { next } = shown;
  const mayGoOn = tool.effect === "read";
  const further =
    next === undefined ? {} : mayGoOn ? { nextCursor: cursorText(next, tool, given) } : { remark: cutShort };
  return finished({ ...contentOf(shown), ...further }, secrets, answered.isContent);
}

function pageOf({ value, facts, longMember }: ToolAnswer, position: Position, characters: number): AnswerPage {
  const isObject = typeof value === "object" && value !== null;
  return longMember !== undefined && isObject
    ? pageOfText({ ...value }, longMember, position, characters)
    : pageOfAnswer(value, position, facts, characters);
}

function contentOf(shown: Exclude<AnswerPage, { readonly type: "changed" }>): Readonly<Record<string, unknown>> {
  switch (shown.type) {
    case "value":
      return { result: shown.value ?? null };
    case "text":
      return { result: shown.value, from: shown.from, of: shown.of };
    case "part":
      return { part: shown.text, from: shown.from, of: shown.of };
  }
}

function cursorText(next: Position, tool: Tool, given: Arguments): string {
  const { cursor: _, ...rest } = given;
  return cursorOf(next, tool.listed.name, rest);
}

/** A failure as the tool's answer: what failed, on which thing, what the server said, what to do now. */
function failureOf(error: PlatformError | ToolError, secrets: readonly string[]): CallToolResult {
  const report =
    error instanceof PlatformError
      ? {
          kind: error.failureCause.type === "tooLarge" ? error.failureCause.type : error.kind,
          message: error.message,
          operation: error.operationId,
          entity: error.entity,
          cause: error.failureCause.type,
          ...(error.status === undefined ? {} : { status: error.status }),
          ...(error.traceId === undefined ? {} : { traceId: error.traceId }),
        }
      : { kind: error.kind, message: error.message };
  const { structuredContent } = finished({ error: report }, secrets, false);
  return {
    content: [{ type: "text", text: withoutAny(report.message, secrets) }],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: true,
  };
}

function finished(
  structured: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  isContent: boolean,
): CallToolResult {
  const text = JSON.stringify(structured);
  const cleaned = isContent ? withoutAny(text, secrets) : withoutFields(text, secrets);
  // What was cleaned is read again, so that both forms of the answer are the same.
  const content = cleaned === text ? structured : (parseExact(cleaned) as Readonly<Record<string, unknown>>);
  return { content: [{ type: "text", text: cleaned }], structuredContent: { ...content } };
}

/** The text without the secrets themselves and without the values of fields that are named like secrets. */
function withoutFields(text: string, secrets: readonly string[]): string {
  return withoutSecrets(withoutAny(text, secrets), "");
}

function withoutAny(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .filter((form) => form.length >= shortestSecret)
    .reduce((cleaned, form) => cleaned.replaceAll(form, "[redacted]"), text);
}

/** A shorter text would be found everywhere. */
const shortestSecret = 6;
