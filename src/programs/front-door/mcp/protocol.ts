import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { errorForLog } from "../observability/log.ts";
import { toolsFor } from "./all-tools.ts";
import { createCursorCodec } from "./answer-paging.ts";
import { createConfirmations } from "./confirmation.ts";
import type { ListedTool } from "./tool.ts";
import { callTool } from "./tool-call.ts";
import type { ToolHandler, ToolParts, ToolReport, ToolRequest } from "./tool-handler.ts";

const serverName = "platform-workbench-front-door";
const instructions = [
  "Tools of a data platform, called as the signed-in person.",
  "Each gives an object with the answer as result, or with an error.",
  "A long answer comes with a nextCursor: call again with it as cursor and the same arguments.",
  "One that cannot be cut between two items comes as parts of its JSON text (part, from, of) to be put together.",
  "A file is written with the version that reading it gave.",
].join(" ");

/** One request on its way through the protocol library. */
interface RequestContext {
  readonly exchange: ToolRequest;
  report?: ToolReport;
  /** The answer gets the list of the tools. */
  listsTools?: true;
}

/** Serves both revisions of the protocol at one address. Stateless: nothing is kept between two requests. */
export function createToolHandler(parts: ToolParts): ToolHandler {
  const { configuration, log, version } = parts;
  const tools = new Map(toolsFor(configuration.tools).map((tool) => [tool.listed.name, tool]));
  // Listed as it is for each request: whoever passes the gate may see all that is offered.
  const listed = toolListBytes([...tools.values()].map((tool) => tool.listed));
  const confirmations = createConfirmations(configuration.tools.stateSecret, parts.state);
  const cursors = createCursorCodec(configuration.tools.stateSecret);

  function serverFor(requestContext: RequestContext): Server {
    const server = new Server(
      { name: serverName, title: "Platform", version },
      { capabilities: { tools: {} }, instructions, requestState: { verify: confirmations.codec.verify } },
    );
    server.setRequestHandler("tools/list", (request) => {
      if (request.params?.cursor !== undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor: the list has one page.");
      }
      requestContext.listsTools = true;
      return { tools: [] };
    });
    server.setRequestHandler("tools/call", async (request, context) => {
      const { name } = request.params;
      const tool = tools.get(name);
      if (tool === undefined) {
        requestContext.report = { tool: "unknown", result: "refused" };
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool here.");
      }
      const { result, ...report } = await parts.traces.stage("tool call", async (span) => {
        const called = await callTool(tool, request.params.arguments ?? {}, {
          parts,
          confirmations,
          cursors,
          context,
          caller: requestContext.exchange.caller,
          // It ends with everything that the library's own signal tells, which is the connection.
          signal: requestContext.exchange.signal,
        });
        span.describe({ "gen_ai.tool.name": name, "frontdoor.outcome": called.outcome });
        if (called.failure !== undefined) {
          span.fail(called.failure);
        }
        return called;
      });
      requestContext.report = { tool: name, result: report.outcome };
      return result;
    });
    server.onerror = (error) =>
      log.debug(
        { requestId: requestContext.exchange.caller.requestId, err: errorForLog(error) },
        "the protocol was not kept to",
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
      const answer = await handler.fetch(protocolRequest(request), {
        authInfo: { token: "withheld", clientId: "", scopes: [], extra: { requestContext } },
        parsedBody: body,
      });
      await sendAnswer(answer, response, requestContext.listsTools === true ? listed : undefined);
      return requestContext.report;
    },
    close: () => handler.close(),
  };
}

function requestContextOf(extra: Readonly<Record<string, unknown>> | undefined): RequestContext {
  const requestContext = extra?.requestContext;
  if (typeof requestContext !== "object" || requestContext === null) {
    throw new TypeError("a request came by without its caller");
  }
  return requestContext as RequestContext;
}

// Conversion between Node's requests and the protocol library's. The library's own adapter writes the body out again
// for each request and reads each answer as a stream, which cost a quarter of a call.

const address = "http://front-door.invalid/mcp";
/** What the library reads, and names that begin with `mcp-`; neither the token nor a cookie is among it. */
const readHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "last-event-id"]);

/**
 * The library's request for one whose body is parsed already. It has no signal: the tools end with the exchange's own, and
 * a stream ends with its connection.
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

/** The tools as `tools/list` gives them, in bytes that are made once. */
type ToolListBytes = Buffer;

/** What stands in the library's answer where the tools belong. */
const placeholder = '"tools":[]';

/** The bytes for the list that `sendAnswer` puts into an answer with no tools. */
function toolListBytes(tools: readonly ListedTool[]): ToolListBytes {
  return Buffer.from(`"tools":${JSON.stringify(tools)}`);
}

/**
 * Sends the library's answer. With `tools` it is an answer to `tools/list` in which the library was given an empty list:
 * a list of a hundred tools, checked, copied and written out for each request, was most of what the request cost.
 */
async function sendAnswer(answer: Response, to: ServerResponse, tools?: ToolListBytes): Promise<void> {
  if (to.headersSent || to.destroyed) {
    await answer.body?.cancel();
    return;
  }
  // Whether the connection stays and what may be kept is this server's to say.
  const { connection: _, "cache-control": __, ...headers } = Object.fromEntries(answer.headers);
  if (tools === undefined && answer.body !== null && /^text\/event-stream/i.test(headers["content-type"] ?? "")) {
    to.writeHead(answer.status, headers).flushHeaders();
    // Broken off by the client: there is nobody left to tell.
    await pipeline(Readable.fromWeb(answer.body), to).catch(() => undefined);
    return;
  }
  const text = await answer.text();
  if (tools === undefined) {
    // One text goes out together with the headers, in one write.
    const size = Buffer.byteLength(text);
    to.writeHead(answer.status, size === 0 ? headers : { ...headers, "content-length": size }).end(text);
    return;
  }
  const parts = withTools(text, tools);
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  to.writeHead(answer.status, { ...headers, "content-length": length });
  to.cork();
  for (const part of parts) {
    to.write(part);
  }
  to.end();
}

/** Nothing else in the answer can be the placeholder: in a text of the caller's its quotes would be escaped. */
function withTools(text: string, tools: ToolListBytes): readonly Buffer[] {
  const at = text.indexOf(placeholder);
  return at === -1
    ? [Buffer.from(text)]
    : [Buffer.from(text.slice(0, at)), tools, Buffer.from(text.slice(at + placeholder.length))];
}
