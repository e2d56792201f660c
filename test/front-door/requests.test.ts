import { type Case, callBody, callWith, describeCases, goodCall } from "../harness/front-door/cases.ts";
import type { RawRequest } from "../harness/front-door/raw-http.ts";
import { allowedOrigin, type Rig } from "../harness/front-door/rig.ts";

const served = { status: 200, reached: { entitlement: 1, credential: 1, platform: 1 } } as const;
/** Requests that the gate accepts and the protocol then rejects. */
const letIn = { entitlement: 1, credential: 1 } as const;
const malformed = { status: 400, code: "invalid_request" } as const;

/** A valid call, which is then changed. */
function changed(name: string, change: (request: RawRequest, rig: Rig) => RawRequest): Pick<Case, "name" | "send"> {
  return { name, send: (rig, person) => change(goodCall(rig, person), rig) };
}

const without = (request: RawRequest, name: string): RawRequest => ({
  ...request,
  headers: (request.headers ?? []).filter(([one]) => one.toLowerCase() !== name),
});
const withHeader = (request: RawRequest, name: string, ...values: readonly string[]): RawRequest => ({
  ...request,
  headers: [...(without(request, name.toLowerCase()).headers ?? []), ...values.map((value) => [name, value] as const)],
});
const header = (title: string, name: string, ...values: readonly string[]): Pick<Case, "name" | "send"> =>
  changed(title, (request) => withHeader(request, name, ...values));
const body = (title: string, text: string | Buffer): Pick<Case, "name" | "send"> =>
  changed(title, (request) => ({ ...request, body: text }));

/** The text with its question mark replaced by a byte that begins no character. */
function notUtf8(text: string): Buffer {
  const bytes = Buffer.from(text);
  bytes[bytes.indexOf("?")] = 0xff;
  return bytes;
}

/** The same call on the previous revision, for a response of these kinds. */
function legacy(name: string, accept: string): Pick<Case, "name" | "send"> {
  const params = { name: "roles_list", arguments: {} };
  return changed(`${name}, on the revision before`, (request) => ({
    ...withHeader(
      withHeader(without(without(request, "mcp-method"), "mcp-name"), "MCP-Protocol-Version", "2025-11-25"),
      "Accept",
      accept,
    ),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  }));
}

/** A request to another address, with a valid token and the internal secret. */
function place(target: string, method = "POST"): Pick<Case, "name" | "send"> {
  return changed(`${method} ${target}`, (request, rig) => ({
    ...withHeader(request, "X-Webui-Secret", rig.internal.secret),
    method,
    target,
    body: method === "GET" || method === "HEAD" ? "" : JSON.stringify({ email: "anna@example.com", slug: "platform" }),
  }));
}

const otherHost = { status: 403, code: "host_not_allowed" } as const;
const otherOrigin = { status: 403, code: "origin_not_allowed" } as const;
const hosts: readonly Case[] = [
  { ...header("a Host of its own", "Host", "tools.example.com"), expected: served },
  { ...header("a Host with a port", "Host", "tools.example.com:8443"), expected: served },
  { ...header("a Host in capitals", "Host", "TOOLS.example.com"), expected: served },
  { ...header("another Host", "Host", "evil.example.com"), expected: otherHost },
  {
    ...header("a Host that begins as ours", "Host", "tools.example.com.evil.example"),
    expected: otherHost,
  },
  { ...header("a Host with a user before it", "Host", "tools.example.com@evil.example"), expected: otherHost },
  { ...header("an empty Host", "Host", ""), expected: otherHost },
  { ...header("two Hosts", "Host", "tools.example.com", "evil.example.com"), expected: malformed },
  { ...header("two equal Hosts", "Host", "tools.example.com", "tools.example.com"), expected: malformed },
  {
    ...changed("no Host", (request) => ({ ...without(request, "host"), withoutHost: true })),
    expected: { status: 400 },
  },
  { ...header("a forwarded Host", "X-Forwarded-Host", "evil.example.com"), expected: served },
  { ...header("an Origin that is allowed", "Origin", allowedOrigin), expected: served },
  {
    ...header("another Origin", "Origin", "https://evil.example.com"),
    expected: otherOrigin,
  },
  { ...header("the Origin null", "Origin", "null"), expected: otherOrigin },
  {
    ...header("an allowed Origin with another scheme", "Origin", "http://app.example.com"),
    expected: otherOrigin,
  },
  {
    ...header("an allowed Origin with another port", "Origin", `${allowedOrigin}:8443`),
    expected: otherOrigin,
  },
  {
    ...header("an allowed Origin with more behind it", "Origin", `${allowedOrigin}.evil.example`),
    expected: otherOrigin,
  },
  {
    ...header("two Origins", "Origin", allowedOrigin, "https://evil.example.com"),
    expected: otherOrigin,
  },
  {
    name: "another Host and no token: the Host is judged first",
    send: () => callWith([["Host", "evil.example.com"]]),
    expected: otherHost,
  },
  {
    name: "another Origin and no token: the Origin is judged first",
    send: () => callWith([["Origin", "https://evil.example.com"]]),
    expected: otherOrigin,
  },
];

const notAllowed = { status: 405, code: "method_not_allowed" } as const;
const methods: readonly Case[] = [
  ...["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE"].map((method) => ({
    ...changed(`${method} /mcp`, (request) => ({ ...request, method })),
    expected: notAllowed,
  })),
  { ...changed("HEAD /mcp", (request) => ({ ...request, method: "HEAD", body: "" })), expected: { status: 405 } },
  {
    ...changed("GET /mcp that names POST as its method", (request) => ({
      ...withHeader(request, "X-HTTP-Method-Override", "POST"),
      method: "GET",
    })),
    expected: notAllowed,
  },
  { ...changed("a method of one's own", (request) => ({ ...request, method: "SPY" })), expected: { status: 400 } },
  {
    ...changed("CONNECT", (request) => ({ ...request, method: "CONNECT", target: "127.0.0.1:1" })),
    expected: { status: 405 },
  },
  {
    ...changed("a change of protocol", (request) =>
      withHeader(withHeader({ ...request, method: "GET", body: "" }, "Upgrade", "websocket"), "Connection", "Upgrade"),
    ),
    expected: notAllowed,
  },
  { ...place("/internal/validate", "GET"), expected: notAllowed },
  { ...place("/internal/validate", "PUT"), expected: notAllowed },
  { ...place("/internal/validate", "DELETE"), expected: notAllowed },
  { ...place("/healthz"), expected: notAllowed },
  { ...place("/readyz", "DELETE"), expected: notAllowed },
  { ...place("/metrics"), expected: notAllowed },
  { ...place("/.well-known/oauth-protected-resource"), expected: notAllowed },
];

const nothing = { status: 404, code: "not_found" } as const;
const places: readonly Case[] = [
  ...[
    "/",
    "/mcp/",
    "/MCP",
    "//mcp",
    "/mcp/..",
    "/mcp;x=1",
    "/mcp%00",
    "/mcp%2f",
    "/./mcp",
    "/mcp/../mcp",
    "/mcp/../internal/validate",
    "/internal/../internal/validate",
    "/internal/./validate",
    "//internal/validate",
    "/internal//validate",
    "/internal%2Fvalidate",
    "/internal%2fvalidate",
    "/%69nternal/validate",
    "/internal/validate/",
    "/internal/validate;x=1",
    "/INTERNAL/validate",
    "/internal\\validate",
    "/internal",
    "/internal/",
    "/internal/other",
    "/.well-known/../internal/validate",
    "/.well-known/oauth-authorization-server",
    "/.env",
    "/api/internal/entitlements/check",
    "/api/internal/platform-cred/anna@example.com/platform",
    "*",
  ].map((target) => ({ ...place(target), expected: nothing })),
  { ...place("http://evil.example.com/internal/validate"), expected: nothing },
  { ...place("/metrics/", "GET"), expected: nothing },
  { ...place("/healthz/../metrics", "GET"), expected: nothing },
];

const framing: readonly Case[] = [
  {
    ...changed("a length and chunks at the same time", (request) =>
      withHeader(withHeader(request, "Content-Length", "5"), "Transfer-Encoding", "chunked"),
    ),
    expected: { status: 400 },
  },
  { ...header("two different lengths", "Content-Length", "5", "6"), expected: { status: 400 } },
  { ...header("a length below zero", "Content-Length", "-1"), expected: { status: 400 } },
  { ...header("a length that is no number", "Content-Length", "0x10"), expected: { status: 400 } },
  { ...header("an encoding that is no chunks", "Transfer-Encoding", "gzip"), expected: { status: 400 } },
  {
    ...changed("a space before the colon of a header", (request) => ({
      ...request,
      headers: [...(request.headers ?? []), ["X-Spaced ", "x"]],
    })),
    expected: { status: 400 },
  },
  {
    ...changed("a length over the limit", (request) => withHeader(request, "Content-Length", String((1 << 20) + 1))),
    expected: { status: 413, code: "too_large" },
  },
  {
    ...changed("a length over any number", (request) => withHeader(request, "Content-Length", "9".repeat(30))),
    expected: { status: 400 },
  },
  {
    ...body("a body over the limit", `{"a":"${"x".repeat((1 << 20) + 10)}"}`),
    expected: { status: 413, code: "too_large" },
  },
  {
    ...changed("chunks over the limit", (request) => ({
      ...withHeader(request, "Transfer-Encoding", "chunked"),
      body: `${`10000\r\n${"x".repeat(65_536)}\r\n`.repeat(18)}0\r\n\r\n`,
    })),
    expected: { status: 413, code: "too_large", reached: { entitlement: "at-most-1", credential: "at-most-1" } },
  },
  {
    ...changed("120 headers", (request) => ({
      ...request,
      headers: [...(request.headers ?? []), ...Array.from({ length: 120 }, (_, nth) => [`X-H-${nth}`, "x"] as const)],
    })),
    expected: { status: 431 },
  },
  {
    ...changed("a header of 20,000 letters", (request) => withHeader(request, "X-Long", "x".repeat(20_000))),
    expected: { status: 431 },
  },
];

const unsupported = { status: 415, code: "unsupported_media_type" } as const;
const bodies: readonly Case[] = [
  { ...body("no body", ""), expected: malformed },
  { ...body("a body that is no JSON", "{not json"), expected: malformed },
  { ...body("a body with a character that JSON does not allow", '{"jsonrpc":"2.0"\u0000'), expected: malformed },
  // A valid call except for one byte. A lenient decoder reads a text with one strange character.
  { ...body("a body that is not UTF-8", notUtf8(callBody("roles_list", { fields: "?" }))), expected: malformed },
  {
    ...changed("the same call in UTF-8", (request) => ({ ...request, body: callBody("roles_list", { fields: "?" }) })),
    expected: { status: 200, reached: letIn, also: ({ body: text }) => refusedInput(text) },
  },
  { ...body("a list of messages", `[${callBody()},${callBody()}]`), expected: malformed },
  { ...body("an empty list", "[]"), expected: malformed },
  { ...body("a text", '"tools/call"'), expected: malformed },
  { ...body("null", "null"), expected: malformed },
  { ...body("a number", "1"), expected: malformed },
  { ...body("10,000 nested lists", `${"[".repeat(10_000)}${"]".repeat(10_000)}`), expected: malformed },
  { ...body("20,000 nested objects", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`), expected: malformed },
  { ...header("a body that is a form", "Content-Type", "application/x-www-form-urlencoded"), expected: unsupported },
  { ...header("a body that is a text", "Content-Type", "text/plain"), expected: unsupported },
  { ...changed("no type of the body", (request) => without(request, "content-type")), expected: unsupported },
  { ...header("a compressed body", "Content-Encoding", "gzip"), expected: { ...unsupported } },
  { ...header("an answer that may be JSON alone", "Accept", "application/json"), expected: served },
  { ...legacy("an answer that may be JSON alone", "application/json"), expected: { status: 406, reached: letIn } },
  { ...legacy("an answer that may be a page alone", "text/html"), expected: { status: 406, reached: letIn } },
  { ...legacy("an answer of either kind", "application/json, text/event-stream"), expected: served },
  {
    ...header("another tool in the header than in the body", "Mcp-Name", "pages_delete"),
    expected: { status: 400, reached: letIn },
  },
  { ...header("another method in the header", "Mcp-Method", "tools/list"), expected: { status: 400, reached: letIn } },
  {
    ...header("another revision in the header", "MCP-Protocol-Version", "2025-11-25"),
    expected: { status: 400, reached: letIn },
  },
  {
    ...header("a revision that nobody knows", "MCP-Protocol-Version", "2099-01-01"),
    expected: { status: 400, reached: letIn },
  },
  {
    ...changed("a tool that nobody knows", (request) => ({
      ...withHeader(request, "Mcp-Name", "no_such_tool"),
      body: callBody("no_such_tool"),
    })),
    expected: { status: 200, reached: letIn, also: ({ body: text }) => refusedTool(text) },
  },
  {
    ...changed("a tool that destroys, while tools may only read", (request) => ({
      ...withHeader(request, "Mcp-Name", "contents_delete"),
      body: callBody("contents_delete", { workspaceId: "w", path: "a.txt" }),
    })),
    expected: { status: 200, reached: letIn, also: ({ body: text }) => refusedTool(text) },
  },
  {
    ...changed("a tool of the internal service", (request) => ({
      ...withHeader(request, "Mcp-Name", "front_door_credentials_get"),
      body: callBody("front_door_credentials_get", { email: "anna@example.com", slug: "platform" }),
    })),
    expected: { status: 200, reached: letIn, also: ({ body: text }) => refusedTool(text) },
  },
  {
    ...changed("an argument that the tool does not have", (request) => ({
      ...request,
      body: callBody("roles_list", { token: "x" }),
    })),
    expected: { status: 200, reached: letIn, also: ({ body: text }) => refusedInput(text) },
  },
  {
    ...legacy("an answer that nobody between may keep", "application/json, text/event-stream"),
    expected: {
      ...served,
      also: ({ headers, body: text }) => {
        if (headers.get("cache-control")?.join() !== "no-store" || !text.includes('"id":1')) {
          throw new Error(`another answer: ${JSON.stringify([...headers])} ${text.slice(0, 300)}`);
        }
      },
    },
  },
  {
    ...changed("an id that looks like a part of the list", (request) => ({
      ...withHeader(without(request, "mcp-name"), "Mcp-Method", "tools/list"),
      body: JSON.stringify({ ...JSON.parse(callBody()), id: '"tools":[]', method: "tools/list" }),
    })),
    expected: {
      status: 200,
      reached: letIn,
      also: ({ body: text }) => {
        const { id, result }: { id: string; result: { tools: { name: string }[] } } = JSON.parse(text);
        if (id !== '"tools":[]' || !result.tools.some(({ name }) => name === "roles_list")) {
          throw new Error(`another list: ${text.slice(0, 300)}`);
        }
      },
    },
  },
  { ...header("a session's id, which counts for nothing", "Mcp-Session-Id", "abc"), expected: served },
  { ...header("another's address in X-Forwarded-For", "X-Forwarded-For", "10.0.0.1"), expected: served },
  { ...header("the scheme of a proxy that nobody trusts", "X-Forwarded-Proto", "http"), expected: served },
  {
    ...header("an id of the request from outside", "X-Request-Id", "the-id-from-outside"),
    expected: {
      ...served,
      also: ({ headers, text }) => {
        const [own = ""] = headers.get("x-request-id") ?? [];
        if (own.length < 8 || text.includes("the-id-from-outside"))
          throw new Error(`another id: ${text.slice(0, 300)}`);
      },
    },
  },
];

function refusedTool(text: string): void {
  if (!text.includes("-32602")) throw new Error(`the tool was not refused: ${text.slice(0, 300)}`);
}

function refusedInput(text: string): void {
  if (!/"isError":true/.test(text)) throw new Error(`the argument was not refused: ${text.slice(0, 300)}`);
}

describeCases("front door: hosts and origins", hosts);
describeCases("front door: methods", methods);
describeCases("front door: places", places);
describeCases("front door: framing", framing);
describeCases("front door: bodies and the protocol's headers", bodies);
