import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { faultOf } from "../observability/log-lines.ts";
import { toolsFor } from "./all-tools.ts";
import { confirmationCodec } from "./confirmation.ts";
import { protocolRequest, sendAnswer, toolListBytes } from "./protocol-exchange.ts";
import { callTool } from "./tool-call.ts";
import type { ToolExchange, ToolHandler, ToolParts, ToolReport } from "./tool-handler.ts";

const serverName = "platform-workbench-front-door";
const instructions = [
  "Tools of a data platform, called as the signed-in person.",
  "Each gives an object with the answer as result, or with an error.",
  "A long answer comes with a nextCursor: call again with it as cursor and the same arguments.",
  "One that cannot be cut between two items comes as parts of its JSON text (part, from, of) to be put together.",
  "A file is written with the version that reading it gave.",
].join(" ");

/** One request on its way through the protocol library. */
interface Passing {
  readonly exchange: ToolExchange;
  report?: ToolReport;
  /** The answer gets the list of the tools. */
  listsTools?: true;
}

/** The protocol's side of the front door: both revisions from one address, nothing kept between two requests. */
export function createToolHandler(parts: ToolParts): ToolHandler {
  const { configuration, log, version } = parts;
  const tools = new Map(toolsFor(configuration.tools).map((tool) => [tool.listed.name, tool]));
  // Listed as it is for each request: whoever passes the gate may see all that is offered.
  const listed = toolListBytes([...tools.values()].map((tool) => tool.listed));
  const codec = confirmationCodec(configuration.tools.stateSecret);

  function serverFor(passing: Passing): Server {
    const server = new Server(
      { name: serverName, title: "Platform", version },
      { capabilities: { tools: {} }, instructions, requestState: { verify: codec.verify } },
    );
    server.setRequestHandler("tools/list", (request) => {
      if (request.params?.cursor !== undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor: the list has one page.");
      }
      passing.listsTools = true;
      return { tools: [] };
    });
    server.setRequestHandler("tools/call", async (request, context) => {
      const { name } = request.params;
      const tool = tools.get(name);
      if (tool === undefined) {
        passing.report = { tool: "unknown", result: "refused" };
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool here.");
      }
      const { result, ...report } = await callTool(tool, request.params.arguments ?? {}, {
        ...{ parts, codec, context, caller: passing.exchange.caller },
        // It ends with everything that the library's own signal tells, which is the connection.
        signal: passing.exchange.signal,
      });
      passing.report = { tool: name, result: report.outcome };
      return result;
    });
    server.onerror = (error) =>
      log.debug({ requestId: passing.exchange.caller.requestId, err: faultOf(error) }, "the protocol was not kept to");
    return server;
  }

  const handler = createMcpHandler(({ authInfo }) => serverFor(passingOf(authInfo?.extra)), {
    maxRequestBodySize: configuration.limits.maximumBodyBytes,
  });

  return {
    async handle(exchange) {
      const { request, response, body } = exchange;
      const passing: Passing = { exchange };
      const answer = await handler.fetch(protocolRequest(request, response), {
        authInfo: { token: "withheld", clientId: "", scopes: [], extra: { passing } },
        parsedBody: body,
      });
      await sendAnswer(answer, response, passing.listsTools === true ? listed : undefined);
      return passing.report;
    },
    close: () => handler.close(),
  };
}

function passingOf(extra: Readonly<Record<string, unknown>> | undefined): Passing {
  const passing = extra?.passing;
  if (typeof passing !== "object" || passing === null) {
    throw new TypeError("a request came by without its caller");
  }
  return passing as Passing;
}
