import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ListedTool } from "./tool.ts";

// Between Node's requests and the protocol library's. The library's own adapter writes the body out once more for each
// request and reads each answer as a stream, which cost a quarter of a call.

const address = "http://front-door.invalid/mcp";
/** What the library reads; neither the token nor a cookie is among it. */
const readHeaders = /^(?:accept|content-type|last-event-id|mcp-.+)$/;

/** The library's request for one whose body is parsed already. It ends when its client goes away. */
export function protocolRequest(given: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) {
      gone.abort();
    }
  });
  const headers = Object.entries(given.headers).flatMap(([name, value]): readonly [string, string][] =>
    typeof value === "string" && readHeaders.test(name) ? [[name, value]] : [],
  );
  return new Request(address, { method: "POST", headers: [...headers], signal: gone.signal });
}

/** The tools as `tools/list` gives them, in bytes that are made once. */
export type ToolListBytes = Buffer;

/** What stands in the library's answer where the tools belong. */
const placeholder = '"tools":[]';

/** The bytes for the list that `sendAnswer` puts into an answer with no tools. */
export function toolListBytes(tools: readonly ListedTool[]): ToolListBytes {
  return Buffer.from(`"tools":${JSON.stringify(tools)}`);
}

/**
 * Sends the library's answer. With `tools` it is an answer to `tools/list` in which the library was given an empty list:
 * a list of a hundred tools, checked, copied and written out for each request, was most of what the request cost.
 */
export async function sendAnswer(answer: Response, to: ServerResponse, tools?: ToolListBytes): Promise<void> {
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
  const parts = tools === undefined ? [Buffer.from(text)] : withTools(text, tools);
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  to.writeHead(answer.status, length === 0 ? headers : { ...headers, "content-length": length });
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
