// Plain tool calls are answered without the protocol's library. Clients can't tell the difference over HTTP.
import assert from "node:assert/strict";
import { callBody, callHeaders } from "../harness/front-door/cases.ts";
import { startToolRig, type ToolRig } from "./tools-rig.ts";

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A call that the library handles: only the library accepts a content type with a parameter. */
const viaLibrary = "application/json; charset=utf-8";

/** The tenant gives each request its own ID. */
const traceId = /[A-Z0-9]{10}-[A-Z0-9]{5}-[A-Z0-9]{5}/g;

describe("front door: calls without the protocol library", () => {
  let rig: ToolRig;
  let running: string;

  before(async () => {
    // Short responses, because longer ones are returned in parts.
    rig = await startToolRig({ tools: { maximumResultCharacters: 3000 } });
    const workspace = rig.tenant.workspaces.find(({ status }) => status === "running");
    assert.ok(workspace !== undefined);
    running = workspace.id;
  });
  after(() => rig.stop());

  async function send(tool: string, given: object, contentType: string): Promise<Response> {
    const headers = { ...Object.fromEntries(callHeaders), "Mcp-Name": tool, "Content-Type": contentType };
    const response = await fetch(rig.url, { method: "POST", headers, body: callBody(tool, given) });
    const { date: _, ...lasting } = Object.fromEntries(response.headers);
    const text = (await response.text()).replace(traceId, "trace-id");
    return { status: response.status, headers: lasting, text };
  }

  /** Calls a tool in both ways and returns the responses. */
  async function calledTwice(tool: string, given: object): Promise<Response> {
    const direct = await send(tool, given, "application/json");
    const directReport = rig.reports.at(-1);
    assert.deepEqual(await send(tool, given, viaLibrary), direct, tool);
    assert.deepEqual(rig.reports.at(-1), directReport);
    return direct;
  }

  it("have the same responses: values, pages, parts, files, failures, and refusals", async () => {
    const first = await calledTwice("designs_list", { limit: 2 });
    const { result } = JSON.parse(first.text);
    const { nextCursor } = JSON.parse(result.content[0].text);
    assert.equal(typeof nextCursor, "string");
    const calls: readonly (readonly [tool: string, given: object, expected: RegExp])[] = [
      ["designs_list", { limit: 2, cursor: nextCursor }, /\{\\"part\\":.*nextCursor/],
      ["users_me", {}, /\{\\"result\\":\{/],
      ["workflows_list", {}, /\{\\"result\\":\[/],
      [
        "contents_read",
        { workspaceId: running, path: "README.md" },
        /\{\\"result\\":\{\\"name\\":\\"README\.md.*content/,
      ],
      ["contents_list", { workspaceId: running, path: "" }, /\{\\"result\\":\{/],
      ["pages_get", { id: "404404" }, /"isError":true/],
      ["roles_list", { unknown: 1 }, /"kind":"arguments".*does not accept unknown/],
      ["designs_list", { cursor: "made up" }, /The cursor does not belong/],
    ];
    for (const [tool, given, expected] of calls) {
      const { text } = await calledTwice(tool, given);
      assert.match(text, expected, text);
    }
  });

  it("don't include those that a user must confirm", async () => {
    const { text } = await calledTwice("workflows_delete", { modelId: "w1" });
    assert.match(text, /requires the user.s confirmation/);
  });

  it("don't include those of missing tools", async () => {
    const { text } = await calledTwice("nothing", {});
    assert.match(text, /This server has no such tool/);
  });
});
