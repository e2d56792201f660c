// Cases of attacks and faults, with the assertions for each: status, challenge, body, and how far the request got.
import assert from "node:assert/strict";
import { type RawRequest, type RawResponse, sendRaw } from "./raw-http.ts";
import { type Person, type PersonOptions, prefix, type Reached, type Rig, type RigOptions, startRig } from "./rig.ts";

export { prefix };

/** The expected `WWW-Authenticate`: none, the scheme without an error, or an error. */
type Challenge = "none" | "bare" | "invalid_token" | "invalid_request";

interface Expected {
  readonly status: number;
  /** The member `error` of the response's JSON; absent if Node or the protocol library itself responds. */
  readonly code?: string;
  readonly challenge?: Challenge;
  /** The requests that it may cause; none by default. */
  readonly reached?: { readonly [Place in keyof Reached]?: number | "at-most-1" };
  /** Additional assertions about the response. */
  readonly also?: (response: RawResponse, person: Person, rig: Rig) => void;
}

export interface Case {
  readonly name: string;
  readonly person?: PersonOptions | ((rig: Rig) => PersonOptions | Promise<PersonOptions>);
  readonly send: (rig: Rig, person: Person) => RawRequest | Promise<RawRequest>;
  readonly expected: Expected;
}

const revision = "2026-07-28";
const tool = "roles_list";
/** The platform path that the tool requests, and the one that a validation requests. */
const platformPaths = { "/mcp": "/api/content/v1/roles", other: "/api/datascience/v1/workspaces/user" };

/** A body that calls the tool of these cases. */
export function callBody(name: string = tool, given: object = {}): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given, _meta } });
}

type Headers = readonly (readonly [name: string, value: string])[];

/** Headers of a tool call, without the credential. */
export const callHeaders: Headers = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
  ["MCP-Protocol-Version", revision],
  ["Mcp-Method", "tools/call"],
  ["Mcp-Name", tool],
];

/** A tool call with additional headers. */
export function callWith(headers: Headers): RawRequest {
  return { method: "POST", target: "/mcp", headers: [...callHeaders, ...headers], body: callBody() };
}

/** The header with a token. */
export function bearer(token: string): Headers {
  return [["Authorization", `Bearer ${token}`]];
}

/** A tool call of a user with a valid token. */
export function goodCall(rig: Rig, person: Person): RawRequest {
  return callWith(bearer(`${prefix}${rig.token(person)}`));
}

/** Runs all cases with one rig and a separate user for each case. */
export function describeCases(title: string, cases: readonly Case[], options: RigOptions = {}): void {
  describe(title, () => {
    let rig: Rig;
    before(async () => {
      rig = await startRig(options);
    });
    after(() => rig.stop());
    const messages = new Map<string, string>();
    for (const one of cases) {
      it(one.name, async () => runCase(rig, one, messages));
    }
  });
}

async function runCase(rig: Rig, one: Case, messages: Map<string, string>): Promise<void> {
  const person = await rig.person(typeof one.person === "function" ? await one.person(rig) : one.person);
  const request = await one.send(rig, person);
  rig.takeReached();
  const response = await sendRaw(rig.frontDoor.url, request).finally(() => rig.repair());
  const requests = [...rig.platform.requests];
  const told = `${one.name}: ${response.text.slice(0, 600)}`;
  assert.equal(response.status, one.expected.status, told);
  assertChallenge(response, one.expected, told);
  assertBody(response, one.expected, messages, told);
  assertReached(rig.takeReached(), one.expected, told);
  // A tool that failed also answers with status 200.
  if (one.expected.reached?.platform === 1) assert.doesNotMatch(response.text, /"isError":true/, told);
  assertNothingLeaks(response, request, person, rig);
  for (const { headers, target } of requests) {
    assert.equal(target.split("?")[0], platformPaths[request.target === "/mcp" ? "/mcp" : "other"]);
    assert.equal(headers.authorization, `Bearer ${person.credential}`);
    assert.doesNotMatch(JSON.stringify(headers), /eyJ/, "the inbound token went on to the platform");
  }
  one.expected.also?.(response, person, rig);
}

function assertChallenge(response: RawResponse, { challenge = "none" }: Expected, told: string): void {
  const given = response.headers.get("www-authenticate");
  if (challenge === "none") {
    assert.equal(given, undefined, told);
    return;
  }
  assert.equal(given?.length, 1, told);
  const [text = ""] = given ?? [];
  assert.match(text, /^Bearer /, told);
  assert.match(text, /resource_metadata="https:\/\/tools\.example\.com\/\.well-known\/oauth-protected-resource/, told);
  assert.equal(/error="([^"]*)"/.exec(text)?.[1] ?? "bare", challenge, told);
}

/** Every refusal is a JSON object with its reason, one message per reason, and the id of the log entry. */
function assertBody(response: RawResponse, { code }: Expected, messages: Map<string, string>, told: string): void {
  if (code === undefined) return;
  assert.match(response.headers.get("content-type")?.[0] ?? "", /^application\/json/, told);
  assert.deepEqual(response.headers.get("cache-control"), ["no-store"], told);
  const { reason, message, requestId } = refusalOf(response.body, told);
  assert.equal(reason, code, told);
  assert.ok(typeof message === "string" && message.length > 10, told);
  assert.equal(messages.get(code) ?? message, message, "one public message per outcome");
  messages.set(code, message);
  assert.ok(typeof requestId === "string" && requestId.length >= 8, told);
  assert.deepEqual(response.headers.get("x-request-id"), [requestId], told);
}

interface Refusal {
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly requestId?: unknown;
}

/** At the address of the tools, a refusal is a JSON-RPC error without other content. */
function refusalOf(body: string, told: string): Refusal {
  const { error, ...outer }: { error?: unknown } = JSON.parse(body);
  assert.deepEqual(outer, { jsonrpc: "2.0", id: null }, told);
  assert.ok(typeof error === "object" && error !== null && "data" in error && "message" in error, told);
  const { data, message } = error;
  assert.deepEqual(Object.keys(error).sort(), ["code", "data", "message"], told);
  assert.ok(typeof data === "object" && data !== null, told);
  assert.deepEqual(Object.keys(data).sort(), ["reason", "requestId"], told);
  return { ...data, message };
}

function assertReached(reached: Reached, { reached: allowed = {} }: Expected, told: string): void {
  for (const [place, count] of Object.entries(reached)) {
    const wanted = allowed[place as keyof Reached] ?? 0;
    if (wanted === "at-most-1") assert.ok(count <= 1, `${place} was asked ${count} times. ${told}`);
    else assert.equal(count, wanted, `requests at ${place}. ${told}`);
  }
}

function assertNothingLeaks(response: RawResponse, request: RawRequest, person: Person, rig: Rig): void {
  const sent = (request.headers ?? []).filter(([name]) => name.toLowerCase() === "authorization");
  const tokens = sent.map(([, value]) => value.replace(/^\w+ +/, "")).filter((value) => value.length > 12);
  for (const secret of [person.credential, rig.internal.secret, ...tokens]) {
    assert.ok(!response.text.includes(secret), "an answer has a secret in it");
  }
  assert.doesNotMatch(
    response.text,
    /node_modules|\.ts:\d+|BEGIN (RSA )?PRIVATE/,
    "an answer tells of the server's inside",
  );
}
