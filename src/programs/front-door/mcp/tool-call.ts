import type { CallToolResult, ImageContent, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { mustBeConfirmed } from "../../../api/catalogue/operation.ts";
import { onOneLine } from "../../../api/displayed-text.ts";
import { PlatformError } from "../../../api/http/errors.ts";
import { createRedaction, longEnough } from "../../../api/http/redaction.ts";
import { shortened } from "../../../api/text.ts";
import { longWork, turnFor } from "../../../api/turns.ts";
import { errorForLog } from "../observability/log.ts";
import { type CallClients, createCallClients } from "./call-clients.ts";
import { type Confirmations, confirmed } from "./confirmation.ts";
import { jsonTextOf, leastLength } from "./json-text.ts";
import { checkId } from "./operation-call.ts";
import type { Picture } from "./pictures.ts";
import {
  beginning,
  boundTo,
  type CursorCodec,
  type Position,
  pageOfResponse,
  pageOfText,
  type ResponsePage,
} from "./response-paging.ts";
import { askedCharacters, type ResultLimits, resultLimits } from "./result-limits.ts";
import { type Arguments, type Tool, ToolError, type ToolErrorKind, type ToolResponse } from "./tool.ts";
import type { Caller, ToolParts, ToolReport, ToolRequest } from "./tool-handler.ts";

/** The parts that a call of a tool needs. */
interface CallParts {
  readonly parts: ToolParts;
  readonly confirmations: Confirmations;
  readonly cursors: CursorCodec;
  /** Undefined for a direct call. Calls that need a confirmation are never direct. */
  readonly context: ServerContext | undefined;
  readonly exchange: Pick<ToolRequest, "caller" | "share" | "signal">;
}

interface CallOutcome {
  readonly result: CallToolResult | InputRequiredResult;
  readonly outcome: ToolReport["result"];
  /** The kind of failure, if the call failed or was refused. */
  readonly failure?: string;
}

/** Kinds of errors for valid calls that could not be completed. */
const failures: ReadonlySet<ToolErrorKind> = new Set(["workspace", "archive"]);

/**
 * Calls a tool as the caller. Checks the arguments, asks for a confirmation if it is destructive, and pages the result.
 */
export async function callTool(tool: Tool, given: Arguments, call: CallParts): Promise<CallOutcome> {
  const { parts, exchange } = call;
  const { caller, signal } = exchange;
  const { configuration, log, transport } = parts;
  const clients = createCallClients(configuration, transport, exchange);
  try {
    const { issuer, subject, tenant } = caller;
    checkArguments(tool, given);
    let text: string | undefined;
    // Computed lazily: most calls need no signature, and sorting long arguments is slow.
    const bound = (): string => {
      text ??= boundTo({ tool: tool.listed.name, given: withoutCursor(given), issuer, subject, tenant });
      return text;
    };
    const { cursor, limit } = given;
    const position = positionFrom(cursor, call.cursors, bound);
    if (mustBeConfirmed(tool.effect)) {
      const { context, confirmations } = call;
      if (context === undefined) {
        throw new TypeError("a call that must be confirmed has no context");
      }
      const policy = configuration.tools.confirmation;
      const question = await parts.traces.stage("confirmation", () =>
        confirmed({ tool, given, tenant, bound: bound() }, context, confirmations, policy),
      );
      if (question !== undefined) {
        return { result: question, outcome: "asked" };
      }
    }
    const responded = await tool.run(
      given,
      { position, limit: typeof limit === "number" ? limit : undefined },
      clients,
    );
    // Redact before paging, because a split secret would not be found.
    const redaction = createRedaction(longEnough(clients.secrets), responded.isContent ? "given" : "named");
    const value = await redaction.valueInTurns(responded.value);
    await turnFor(leastLength(value, longWork));
    const asked = typeof given.maxCharacters === "number" ? given.maxCharacters : undefined;
    const limits = resultLimits(asked, configuration.tools.maximumResultCharacters);
    const shown = await pageOf({ ...responded, value }, position, limits.text);
    const pictures = { all: responded.pictures ?? [], limits };
    return { result: resultOf(tool, shown, pictures, (next) => call.cursors.write(next, bound())), outcome: "done" };
  } catch (error) {
    return failed(tool, isEnd(error, signal) ? ended(tool) : clients.explainRefusal(error), clients, caller, log);
  }
}

/** True if the signal caused the error: in the tool's own work, or in a request that it sent. */
function isEnd(error: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted &&
    (error === signal.reason || (error instanceof PlatformError && error.failureCause.type === "cancelled"))
  );
}

/**
 * The error of a call whose signal was aborted: the client disconnected, the time limit was reached, or the server is
 * shutting down.
 */
function ended(tool: Tool): ToolError {
  return new ToolError("dependency", `${tool.listed.name} was canceled before it finished.`);
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
    const outcome = isRefused ? "refused" : "failed";
    return { result: failureOf(error, clients.secrets), outcome, failure: error.kind };
  }
  log.error({ requestId, tool: tool.listed.name, err: errorForLog(error) }, "a tool failed in this server");
  const fault = new ToolError(
    "dependency",
    `An internal error occurred in ${tool.listed.name} (request ${requestId}).`,
  );
  return { result: failureOf(fault, clients.secrets), outcome: "failed", failure: "internalError" };
}

const maxNames = 5;
const maxNameLength = 60;

/** Throws a ToolError or a PlatformError if the arguments are invalid. */
function checkArguments(tool: Tool, given: Arguments): void {
  const { name, inputSchema } = tool.listed;
  const known = Object.keys(inputSchema.properties);
  const unknown = Object.keys(given).filter((argument) => !Object.hasOwn(inputSchema.properties, argument));
  if (unknown.length > 0) {
    const named = unknown.slice(0, maxNames).map((argument) => shortened(onOneLine(argument), maxNameLength));
    const more = unknown.length > maxNames ? ` and ${unknown.length - maxNames} more` : "";
    throw new ToolError(
      "arguments",
      `${name} does not accept ${named.join(", ")}${more}. It accepts ${known.join(", ") || "no arguments"}.`,
    );
  }
  const missing = (inputSchema.required ?? []).filter((argument) => given[argument] === undefined);
  if (missing.length > 0) {
    throw new ToolError("arguments", `${name} needs ${missing.join(", ")}.`);
  }
  const { maxCharacters: asked = askedCharacters.minimum } = given;
  const { minimum, maximum } = askedCharacters;
  if (typeof asked !== "number" || !Number.isInteger(asked) || asked < minimum || asked > maximum) {
    throw new ToolError("arguments", `${name}: maxCharacters must be an integer from ${minimum} to ${maximum}.`);
  }
  tool.check(given);
  // Not a parameter of operations on content, whose tools use it to find the content server.
  checkId("workspaceId", given.workspaceId);
  if (hasUnsafeNumber(given)) {
    throw new ToolError("arguments", `${name}: an integer is too large to be sent exactly. Write it as a string.`);
  }
}

function withoutCursor({ cursor: _, ...rest }: Arguments): Arguments {
  return rest;
}

function positionFrom(cursor: unknown, cursors: CursorCodec, bound: () => string): Position {
  if (cursor === undefined) {
    return beginning;
  }
  const position = typeof cursor === "string" ? cursors.read(cursor, bound()) : undefined;
  if (position === undefined) {
    throw new ToolError(
      "cursor",
      "The cursor does not belong to this tool with these arguments. Pass nextCursor unchanged, with the same other arguments.",
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
  "The response is too long to return at once, and the operation can't be repeated to return the rest. Read the item with another tool.";

/**
 * The result of a page, with the cursor of the next one. Only as text: some clients read only that, and the same as
 * structured content would double its length.
 */
function resultOf(
  tool: Tool,
  shown: ResponsePage,
  pictures: { readonly all: readonly Picture[]; readonly limits: ResultLimits },
  cursorTo: (next: Position) => string,
): CallToolResult {
  if (shown.type === "changed") {
    throw new ToolError(
      "cursor",
      "The data has changed since the cursor was returned. Start again without the cursor.",
    );
  }
  const { next } = shown;
  const mayGoOn = tool.effect === "read";
  const further = next === undefined ? {} : mayGoOn ? { nextCursor: cursorTo(next) } : { remark: cutShort };
  const content = { ...contentOf(shown), ...further };
  const { images, remark } = imagesOf(pictures, pictures.limits.whole - jsonTextOf(content).length);
  const text = jsonTextOf(remark === undefined ? content : { ...content, remark });
  return { content: [{ type: "text", text }, ...images] };
}

/** The pictures that fit into a number of characters, and a remark about the others. */
function imagesOf(
  { all, limits }: { readonly all: readonly Picture[]; readonly limits: ResultLimits },
  characters: number,
): { readonly images: readonly ImageContent[]; readonly remark: string | undefined } {
  const images: ImageContent[] = [];
  let room = characters;
  for (const { mimeType, data } of all) {
    if (data.length <= room) {
      room -= data.length;
      images.push({ type: "image", mimeType, data });
    }
  }
  const leftOut = all.length - images.length;
  const needed = limits.whole - characters + all.reduce((sum, { data }) => sum + data.length, 0);
  return { images, remark: leftOut === 0 ? undefined : remarkOn(leftOut, needed, limits.maximum) };
}

function remarkOn(leftOut: number, needed: number, maximum: number): string {
  const subject = leftOut === 1 ? "A picture is" : `${leftOut} pictures are`;
  const enough = Math.ceil(needed / 1000 + 1) * 1000;
  return enough > maximum
    ? `${subject} larger than the server's limit of ${maximum} characters.`
    : `${subject} too large for this response. To get all of it, set maxCharacters to ${enough}.`;
}

async function pageOf(
  { value, facts, longMember }: ToolResponse,
  position: Position,
  characters: number,
): Promise<ResponsePage> {
  const isObject = typeof value === "object" && value !== null;
  return longMember !== undefined && isObject
    ? pageOfText({ ...value }, longMember, position, characters)
    : pageOfResponse(value, position, facts, characters);
}

function contentOf(shown: Exclude<ResponsePage, { readonly type: "changed" }>): Readonly<Record<string, unknown>> {
  switch (shown.type) {
    case "value":
      return {
        result: shown.value ?? null,
        ...(shown.next === undefined || shown.remaining === undefined ? {} : { remaining: shown.remaining }),
      };
    case "text":
      return { result: shown.value, from: shown.from, of: shown.of };
    case "part":
      return { part: shown.text, from: shown.from, of: shown.of };
  }
}

/** The result for a failure: what failed, on which item, the server's message, and what to do. */
function failureOf(error: PlatformError | ToolError, secrets: readonly string[]): CallToolResult {
  const { text } = createRedaction(longEnough(secrets), "named");
  const message = text(error.message);
  const report =
    error instanceof PlatformError
      ? {
          kind: error.failureCause.type === "tooLarge" ? error.failureCause.type : error.kind,
          message,
          operation: error.operationId,
          entity: text(error.entity),
          cause: error.failureCause.type,
          ...(error.status === undefined ? {} : { status: error.status }),
          ...(error.traceId === undefined ? {} : { traceId: text(error.traceId) }),
        }
      : { kind: error.kind, message };
  return { content: [{ type: "text", text: message }], structuredContent: { error: report }, isError: true };
}
