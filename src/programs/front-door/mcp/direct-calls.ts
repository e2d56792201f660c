import type { IncomingHttpHeaders } from "node:http";
import {
  type CallToolResult,
  classifyInboundRequest,
  type InputRequiredResult,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { mustBeConfirmed } from "../../../api/catalogue/operation.ts";
import { isRecord, type Members } from "../../../api/records.ts";
import type { Arguments, Tool } from "./tool.ts";

// For each call, the protocol library creates a server, a transport, a request, and a response, and validates each
// message several times, which was more than half of the cost of a call. Plain tool calls are handled here without the
// library, with byte-identical responses. The library handles everything else, including errors.

/** A plain call of a tool that needs no confirmation. */
interface DirectCall {
  readonly id: string | number;
  readonly tool: Tool;
  readonly given: Arguments;
}

const revision = "2026-07-28";
const messageMembers: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const parameterMembers: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
/** Maximum number of cached envelopes, and maximum length of an envelope in characters. */
const maxEnvelopes = 200;
const maxEnvelopeLength = 2000;

/** Recognizes messages that can be handled without the protocol library. */
export class DirectCalls {
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Envelopes that the library has validated. A client sends the same one with each call. */
  readonly #validEnvelopes = new LRUCache<string, true>({ max: maxEnvelopes });

  /** `tools` by name. */
  constructor(tools: ReadonlyMap<string, Tool>) {
    this.#tools = tools;
  }

  /** The call in a parsed body; undefined if the library must handle it. */
  callIn(headers: IncomingHttpHeaders, body: Members): DirectCall | undefined {
    const { id, params } = body;
    if (!hasOnly(body, messageMembers) || !isIdentifier(id) || !isRecord(params)) {
      return undefined;
    }
    const { name, arguments: given = {}, _meta: envelope } = params;
    const tool = typeof name === "string" ? this.#tools.get(name) : undefined;
    const isPlain =
      tool !== undefined &&
      !mustBeConfirmed(tool.effect) &&
      body.jsonrpc === "2.0" &&
      body.method === "tools/call" &&
      headers["content-type"] === "application/json" &&
      headers["mcp-protocol-version"] === revision &&
      headers["mcp-method"] === "tools/call" &&
      headers["mcp-name"] === name &&
      hasOnly(params, parameterMembers) &&
      isRecord(given) &&
      // The library drops this member.
      !Object.hasOwn(given, "__proto__");
    return isPlain && isRecord(envelope) && this.#isValid(envelope, headers, body) ? { id, tool, given } : undefined;
  }

  #isValid(envelope: Members, headers: IncomingHttpHeaders, body: Members): boolean {
    // The progress token is different in each call.
    const { progressToken, ...lasting } = envelope;
    if (
      lasting[PROTOCOL_VERSION_META_KEY] !== revision ||
      !(progressToken === undefined || isIdentifier(progressToken))
    ) {
      return false;
    }
    const text = JSON.stringify(lasting);
    if (text.length > maxEnvelopeLength) {
      return false;
    }
    if (this.#validEnvelopes.get(text) === true) {
      return true;
    }
    const outcome = classifyInboundRequest({
      httpMethod: "POST",
      protocolVersionHeader: revision,
      mcpMethodHeader: String(headers["mcp-method"]),
      mcpNameHeader: String(headers["mcp-name"]),
      body,
    });
    const isValid = outcome.kind === "modern" && outcome.messageKind === "request";
    if (isValid) {
      this.#validEnvelopes.set(text, true);
    }
    return isValid;
  }
}

/** The response to a direct call as text, identical to the library's. */
export function directResponse(
  id: string | number,
  result: CallToolResult | InputRequiredResult,
  serverInfo: object,
): string {
  const stamped = { ...result, resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo } };
  return JSON.stringify({ result: stamped, jsonrpc: "2.0", id });
}

function hasOnly(object: Members, members: ReadonlySet<string>): boolean {
  for (const member of Object.keys(object)) {
    if (!members.has(member)) {
      return false;
    }
  }
  return true;
}

function isIdentifier(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}
