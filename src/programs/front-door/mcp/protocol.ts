import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { errorForLog } from "../observability/log.ts";
import { toolsFor } from "./all-tools.ts";
import { createConfirmations } from "./confirmation.ts";
import { DirectCalls, directResponse } from "./direct-calls.ts";
import { createCursorCodec } from "./response-paging.ts";
import type { Arguments, ListedTool, Tool } from "./tool.ts";
import { callTool } from "./tool-call.ts";
import type { ToolHandler, ToolParts, ToolReport, ToolRequest } from "./tool-handler.ts";

const serverName = "platform-workbench-front-door";
const instructions = [
  "Tools of a data platform, which run as the signed-in user.",
  "Each tool returns JSON text: an object with the response as result.",
  "A long response has a nextCursor, and remaining is the number of further items: call the tool again with it as cursor and the same arguments.",
  "A response that can't be split between two items is returned in parts of its JSON text (part, from, of). Join the parts.",
  "To write a file, pass the version that reading it returned.",
].join(" ");

/** The state of a request while the protocol library handles it. */
interface RequestContext {
  readonly exchange: ToolRequest;
  report?: ToolReport;
  /** True if the response contains the list of tools. */
  listsTools?: true;
}

/** Serves both revisions of the protocol at one address. Stateless: nothing is stored between requests. */
export function createToolHandler(parts: ToolParts): ToolHandler {
  const { configuration, log, version } = parts;
  const tools = new Map(toolsFor(configuration.tools).map((tool) => [tool.listed.name, tool]));
  // The same list for all requests, because all callers can see all offered tools.
  const listed = toolListBytes([...tools.values()].map((tool) => tool.listed));
  const confirmations = createConfirmations(configuration.tools.stateSecret, parts.state);
  const cursors = createCursorCodec(configuration.tools.stateSecret);

  const serverInfo = { name: serverName, title: "Platform", version };
  const directCalls = new DirectCalls(tools);

  async function callOf(
    tool: Tool,
    given: Arguments,
    requestContext: RequestContext,
    context: ServerContext | undefined,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { name } = tool.listed;
    const { exchange } = requestContext;
    const { result, outcome } = await parts.traces.stage("tool call", async (span) => {
      // This signal includes the end of the connection, which is all that the library's own signal covers.
      const called = await callTool(tool, given, { parts, confirmations, cursors, context, exchange });
      span.describe({ "gen_ai.tool.name": name, "frontdoor.outcome": called.outcome });
      if (called.failure !== undefined) {
        span.fail(called.failure);
      }
      return called;
    });
    requestContext.report = { tool: name, result: outcome };
    return result;
  }

  function serverFor(requestContext: RequestContext): Server {
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions,
      requestState: { verify: confirmations.codec.verify },
    });
    server.setRequestHandler("tools/list", (request) => {
      if (request.params?.cursor !== undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is invalid: the list has only one page.");
      }
      requestContext.listsTools = true;
      return { tools: [] };
    });
    server.setRequestHandler("tools/call", async (request, context) => {
      const { name } = request.params;
      const tool = tools.get(name);
      if (tool === undefined) {
        requestContext.report = { tool: "unknown", result: "refused" };
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This server has no such tool.");
      }
      return callOf(tool, request.params.arguments ?? {}, requestContext, context);
    });
    server.onerror = (error) =>
      log.debug(
        { requestId: requestContext.exchange.caller.requestId, err: errorForLog(error) },
        "the request violates the protocol",
      );
    return server;
  }

  const handler = createMcpHandler(({ authInfo }) => serverFor(requestContextOf(authInfo?.extra)), {
    maxRequestBodySize: configuration.limits.maximumBodyBytes,
  });

  return {
    async handle(exchange) {
      const { request, response, body } = exchange;
      const requestContext: RequestContext = { exchange };
      const direct = directCalls.callIn(request.headers, body);
      if (direct !== undefined) {
        const { id, tool, given } = direct;
        const result = await callOf(tool, given, requestContext, undefined);
        sendText(response, 200, { "content-type": "application/json" }, directResponse(id, result, serverInfo));
        return requestContext.report;
      }
      const libraryResponse = await handler.fetch(protocolRequest(request), {
        authInfo: { token: "withheld", clientId: "", scopes: [], extra: { requestContext } },
        parsedBody: body,
      });
      await sendResponse(libraryResponse, response, requestContext.listsTools === true ? listed : undefined);
      return requestContext.report;
    },
    close: () => handler.close(),
  };
}

function requestContextOf(extra: Readonly<Record<string, unknown>> | undefined): RequestContext {
  const requestContext = extra?.requestContext;
  if (typeof requestContext !== "object" || requestContext === null) {
    throw new TypeError("a request has no caller");
  }
  return requestContext as RequestContext;
}

// Conversion between Node's requests and those of the protocol library. The library's own adapter serializes the body
// again for each request and reads each response as a stream, which was a quarter of the cost of a call.

const address = "http://front-door.invalid/mcp";
/**
 * The headers that the library needs, in addition to those that begin with `mcp-`. Neither the token nor cookies are
 * passed on.
 */
const readHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "last-event-id"]);

/**
 * Creates the library's request for a request whose body is already parsed. It needs no signal: the tools use that of
 * the exchange, and a stream ends with its connection.
 */
function protocolRequest(given: IncomingMessage): Request {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given.headers)) {
    if (typeof value === "string" && (name.startsWith("mcp-") || readHeaders.has(name))) {
      headers[name] = value;
    }
  }
  return new Request(address, { method: "POST", headers });
}

/** The tools for `tools/list`, serialized once. */
type ToolListBytes = Buffer;

/** The part of the library's response that is replaced by the tools. */
const placeholder = '"tools":[]';

/** The bytes that `sendResponse` inserts into a response without tools. */
function toolListBytes(tools: readonly ListedTool[]): ToolListBytes {
  return Buffer.from(`"tools":${JSON.stringify(tools)}`);
}

/**
 * Sends the library's response. With `tools`, it is a response to `tools/list` for which the library got an empty list.
 * Validating, copying, and serializing a hundred tools was most of the cost of such a request.
 */
async function sendResponse(libraryResponse: Response, to: ServerResponse, tools?: ToolListBytes): Promise<void> {
  if (to.headersSent || to.destroyed) {
    await libraryResponse.body?.cancel();
    return;
  }
  // This server controls the connection and caching.
  const { connection: _, "cache-control": __, ...headers } = Object.fromEntries(libraryResponse.headers);
  if (
    tools === undefined &&
    libraryResponse.body !== null &&
    /^text\/event-stream/i.test(headers["content-type"] ?? "")
  ) {
    to.writeHead(libraryResponse.status, headers).flushHeaders();
    // If the client disconnects, there is nothing left to do.
    await pipeline(Readable.fromWeb(libraryResponse.body), to).catch(() => undefined);
    return;
  }
  const text = await libraryResponse.text();
  if (tools === undefined) {
    sendText(to, libraryResponse.status, headers, text);
    return;
  }
  const parts = withTools(text, tools);
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  to.writeHead(libraryResponse.status, { ...headers, "content-length": length });
  to.cork();
  for (const part of parts) {
    to.write(part);
  }
  to.end();
}

/** Sends a text response in one write, together with its headers. */
function sendText(to: ServerResponse, status: number, headers: Readonly<Record<string, string>>, text: string): void {
  if (to.headersSent || to.destroyed) {
    return;
  }
  const size = Buffer.byteLength(text);
  to.writeHead(status, size === 0 ? headers : { ...headers, "content-length": size }).end(text);
}

/**
 * Inserts the tools. No other part of the response can match the placeholder, because quotes in the caller's strings
 * are escaped.
 */
function withTools(text: string, tools: ToolListBytes): readonly Buffer[] {
  const at = text.indexOf(placeholder);
  return at === -1
    ? [Buffer.from(text)]
    : [Buffer.from(text.slice(0, at)), tools, Buffer.from(text.slice(at + placeholder.length))];
}
