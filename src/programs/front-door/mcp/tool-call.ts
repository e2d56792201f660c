import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { PlatformError } from "../../../api/http/errors.ts";
import { faultOf } from "../observability/log-lines.ts";
import { type ConfirmationCodec, confirmed } from "./confirmation.ts";
import { beginning, type Position, positionOf } from "./cursor.ts";
import { type CallReach, reachOf } from "./reach.ts";
import { type Arguments, type Tool, ToolFault, type ToolFaultKind } from "./tool.ts";
import type { Caller, ToolParts, ToolReport } from "./tool-handler.ts";
import { failureOf, resultOf } from "./tool-results.ts";

/** What a call of a tool works with. */
export interface CallParts {
  readonly parts: ToolParts;
  readonly codec: ConfirmationCodec;
  readonly context: ServerContext;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

export interface CallOutcome {
  readonly result: CallToolResult | InputRequiredResult;
  readonly outcome: ToolReport["result"];
}

/** Faults that are no refusal: a call that was right could not be done. */
const failures: ReadonlySet<ToolFaultKind> = new Set(["workspace", "archive"]);

/** Calls a tool as the caller: arguments judged, a person asked where something is destroyed, the answer cut to size. */
export async function callTool(tool: Tool, given: Arguments, call: CallParts): Promise<CallOutcome> {
  const { parts, caller, signal } = call;
  const { configuration, log, transport } = parts;
  const reach = reachOf(configuration, transport, caller, signal);
  try {
    const { position, limit } = judged(tool, given);
    if (tool.effect === "destroy") {
      const { issuer, subject } = caller;
      const policy = configuration.tools.confirmation;
      const question = await confirmed({ tool, given, issuer, subject }, call.context, call.codec, policy);
      if (question !== undefined) {
        return { result: question, outcome: "asked" };
      }
    }
    const answered = await tool.run(given, { position, limit }, reach);
    const characters = configuration.tools.maximumResultCharacters;
    return { result: resultOf(tool, given, answered, position, characters, reach.secrets), outcome: "done" };
  } catch (error) {
    return failed(tool, error, reach, caller, log);
  }
}

function failed(
  tool: Tool,
  error: unknown,
  reach: CallReach,
  { requestId }: Caller,
  log: ToolParts["log"],
): CallOutcome {
  reach.refused(error);
  if (error instanceof PlatformError || error instanceof ToolFault) {
    const isRefused = error instanceof ToolFault ? !failures.has(error.kind) : error.kind === "request";
    return { result: failureOf(error, reach.secrets), outcome: isRefused ? "refused" : "failed" };
  }
  log.error({ requestId, tool: tool.listed.name, err: faultOf(error) }, "a tool failed in this server");
  const fault = new ToolFault("dependency", `The front door failed in ${tool.listed.name} (request ${requestId}).`);
  return { result: failureOf(fault, reach.secrets), outcome: "failed" };
}

/** Where the answer is to begin and how many items are asked for. Throws for arguments that the tool does not take. */
function judged(tool: Tool, given: Arguments): { readonly position: Position; readonly limit: number | undefined } {
  const { name, inputSchema } = tool.listed;
  const known = Object.keys(inputSchema.properties);
  const unknown = Object.keys(given).filter((argument) => !Object.hasOwn(inputSchema.properties, argument));
  if (unknown.length > 0) {
    throw new ToolFault(
      "arguments",
      `${name} takes ${known.join(", ") || "no arguments"}, and not ${unknown.join(", ")}.`,
    );
  }
  const missing = (inputSchema.required ?? []).filter((argument) => given[argument] === undefined);
  if (missing.length > 0) {
    throw new ToolFault("arguments", `${name} needs ${missing.join(", ")}.`);
  }
  if (hasUnsafeNumber(given)) {
    throw new ToolFault("arguments", `${name}: a whole number is too large to be sent unchanged; write it as a text.`);
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
    throw new ToolFault(
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
