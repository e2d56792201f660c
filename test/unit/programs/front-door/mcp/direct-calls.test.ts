import assert from "node:assert/strict";
import { type CallToolResult, createMcpHandler, Server } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { toolsFor } from "../../../../../src/programs/front-door/mcp/all-tools.ts";
import { DirectCalls, directResponse } from "../../../../../src/programs/front-door/mcp/direct-calls.ts";
import { callBody, callHeaders } from "../../../../harness/front-door/cases.ts";
import { parsableJson } from "../../../../harness/parsable-json.ts";

type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

interface Message {
  readonly headers: Headers;
  readonly body: Members;
}

const tools = new Map(toolsFor({ toolsets: [], readOnly: false }).map((tool) => [tool.listed.name, tool]));
const serverInfo = { name: "front-door", title: "Platform", version: "1.2.3" };
const result: CallToolResult = {
  content: [{ type: "text", text: 'ü "\ud800' }],
  structuredContent: { error: { kind: "request" } },
  isError: true,
};

/** How the protocol's library handles a message: what it calls, and what it answers. */
async function throughLibrary({ headers, body }: Message) {
  const called: unknown[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server(serverInfo, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/call", ({ params: { name, arguments: given } }) => {
      called.push({ name, given: given ?? {} });
      return result;
    });
    return server;
  });
  const request = new Request("http://front-door.invalid/mcp", { method: "POST", headers });
  const response = await handler.fetch(request, { parsedBody: body });
  const text = await response.text();
  await handler.close();
  return { status: response.status, headers: Object.fromEntries(response.headers), text, called };
}

function plainCall(): Message {
  const headers = Object.fromEntries(callHeaders.map(([name, value]) => [name.toLowerCase(), value]));
  return { headers, body: JSON.parse(callBody()) };
}

const version = "io.modelcontextprotocol/protocolVersion";
const capabilities = "io.modelcontextprotocol/clientCapabilities";
const client = "io.modelcontextprotocol/clientInfo";
const level = "io.modelcontextprotocol/logLevel";

/** The message with a value at a path of its body. */
function withValue({ headers, body }: Message, path: readonly string[], value: unknown): Message {
  return { headers, body: placed(body, path, value) };
}

function placed(object: Members, [name = "", ...further]: readonly string[], value: unknown): Members {
  const inner = object[name];
  const next = further.length === 0 ? value : placed(isMembers(inner) ? inner : {}, further, value);
  // As in parsed JSON, a member may have any name.
  return Object.fromEntries([...Object.entries(object).filter(([one]) => one !== name), [name, next]]);
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "jsonrpc", "name", "extra", "params", "task"];
const values: fc.Arbitrary<unknown> = fc.oneof(
  parsableJson(fc.jsonValue({ maxDepth: 2 })),
  fc.constantFrom<unknown>("2026-07-28", "2.0", "tools/call", "roles_list", "debug", 1.5, 2 ** 53, -0, null, [], {}),
  fc.constantFrom<unknown>({ name: "a", version: "1" }, { name: "a" }, { elicitation: {} }, { elicitation: 1 }),
);
const paths = fc.oneof(
  fc.constantFrom(
    ...[["jsonrpc"], ["id"], ["method"], ["params"], ["params", "name"], ["params", "arguments"], ["params", "_meta"]],
    ...[version, capabilities, client, level, "progressToken"].map((name) => ["params", "_meta", name]),
  ),
  fc
    .tuple(
      fc.constantFrom([], ["params"], ["params", "arguments"], ["params", "_meta"]),
      fc.constantFrom(...names, "inputResponses", "requestState", "traceparent"),
    )
    .map(([path, name]) => [...path, name]),
);
const headerNames = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "accept", "mcp-param-id"];
const headerValues = ["2026-07-28", "2025-11-25", "tools/call", "roles_list", "application/json", "text/plain"];
const changes = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path: paths, value: values }) },
  fc.record({ header: fc.constantFrom(...headerNames), value: fc.constantFrom(undefined, ...headerValues) }),
);

type Change =
  | { readonly path: readonly string[]; readonly value: unknown }
  | { readonly header: string; readonly value: string | undefined };

function changed(message: Message, change: Change): Message {
  if ("path" in change) return withValue(message, change.path, change.value);
  const others = Object.entries(message.headers).filter(([name]) => name !== change.header);
  const value = change.value === undefined ? [] : [[change.header, change.value] as const];
  return { headers: Object.fromEntries([...others, ...value]), body: message.body };
}

describe("front door: calls that are handled without the protocol library", () => {
  it("are plain calls of tools without a confirmation", () => {
    const direct = new DirectCalls(tools);
    const { headers, body } = plainCall();
    assert.deepEqual(direct.callIn(headers, body), { id: 1, tool: tools.get("roles_list"), given: {} });
    const destroying = withValue({ headers, body }, ["params", "name"], "workflows_delete");
    assert.equal(direct.callIn({ ...headers, "mcp-name": "workflows_delete" }, destroying.body), undefined);
    const unknown = withValue({ headers, body }, ["params", "name"], "nothing");
    assert.equal(direct.callIn({ ...headers, "mcp-name": "nothing" }, unknown.body), undefined);
  });

  it("include those of clients that send their name, capabilities, and a progress token", () => {
    const direct = new DirectCalls(tools);
    const changesOfClients = [
      [["params", "_meta", client], { name: "client", title: "A client", version: "1.0.0" }],
      [["params", "_meta", capabilities], { elicitation: { form: {} }, roots: { listChanged: true } }],
      [["params", "_meta", "progressToken"], "p1"],
      [["params", "arguments"], { limit: 3 }],
      [["id"], "a text"],
    ] as const;
    const message = changesOfClients.reduce((sum, [path, value]) => withValue(sum, path, value), plainCall());
    for (const nth of [1, 2]) {
      const one = withValue(message, ["params", "_meta", "progressToken"], nth);
      assert.ok(direct.callIn(one.headers, one.body) !== undefined);
    }
  });

  it("are checked again even if a client's envelope was valid before", () => {
    const direct = new DirectCalls(tools);
    const { headers, body } = plainCall();
    assert.ok(direct.callIn(headers, body) !== undefined);
    for (const [path, value] of [
      [["jsonrpc"], "1.0"],
      [["id"], null],
      [["method"], "tools/list"],
      [["params", "requestState"], "x"],
      [["params", "_meta", capabilities], { elicitation: 1 }],
      [["params", "_meta", "progressToken"], {}],
      [["params", "_meta", level], null],
    ] as const) {
      assert.equal(direct.callIn(headers, withValue({ headers, body }, path, value).body), undefined, path.join("."));
    }
    for (const name of ["mcp-name", "mcp-method", "mcp-protocol-version", "content-type"]) {
      assert.equal(direct.callIn({ ...headers, [name]: "another" }, body), undefined, name);
    }
  });

  it("get the library's response, byte for byte, and all other messages are left to the library", async () => {
    // One instance for all messages: what it remembers of one must not affect another.
    const direct = new DirectCalls(tools);
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { maxLength: 3 }), async (all) => {
        const message = all.reduce<Message>(changed, plainCall());
        const call = direct.callIn(message.headers, message.body);
        if (call === undefined) return;
        taken += 1;
        const library = await throughLibrary(message);
        assert.deepEqual(library.called, [{ name: call.tool.listed.name, given: call.given }]);
        assert.deepEqual([library.status, library.headers], [200, { "content-type": "application/json" }]);
        assert.equal(directResponse(call.id, result, serverInfo), library.text);
      }),
      { numRuns: 1500 },
    );
    assert.ok(taken > 100, `${taken} messages were plain calls`);
  });
});
