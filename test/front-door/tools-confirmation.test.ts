import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spoiled } from "../harness/front-door/envelopes.ts";
import { type Answerer, startToolRig, type ToolRig } from "./tools-rig.ts";

const version = "2026-07-28";

interface RawResult {
  readonly status: number;
  readonly body: {
    readonly result?: {
      readonly resultType?: string;
      readonly isError?: boolean;
      readonly requestState?: string;
      readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
      readonly structuredContent?: { readonly error?: { readonly kind: string } };
    };
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/** One tools/call as a custom client sends it. */
async function post(
  url: string,
  name: string,
  given: object,
  extra: object = {},
  clientCapabilities: object = { elicitation: { form: {} } },
): Promise<RawResult> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: given,
        ...extra,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
        },
      },
    }),
  });
  const text = await response.text();
  const data = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "null");
  return { status: response.status, body: JSON.parse(data) };
}

const yes = { inputResponses: { confirm: { action: "accept", content: { confirm: true } } } };

describe("front door: confirmation of destructive calls", () => {
  let rig: ToolRig;
  let workspaceId: string;
  let path: string;
  let count = 0;

  before(async () => {
    rig = await startToolRig();
    const running = rig.tenant.workspaces.find(({ status }) => status === "running");
    assert.ok(running !== undefined);
    workspaceId = running.id;
  });
  beforeEach(async () => {
    rig.subject = "ada";
    count += 1;
    path = `doomed ${count}.txt`;
    await writeFile(join(rig.tenant.contentRoot(workspaceId), path), "still here");
    rig.proxy.reset();
  });
  after(() => rig.stop());

  async function isThere(): Promise<boolean> {
    return access(join(rig.tenant.contentRoot(workspaceId), path)).then(
      () => true,
      () => false,
    );
  }

  async function deleteWith(answerer: Answerer | undefined) {
    const client = await rig.client(version, answerer);
    return client.callTool({ name: "contents_delete", arguments: { workspaceId, path } });
  }

  it("asks with the names of what is affected, then runs the call", async () => {
    const asked: string[] = [];
    const response = await deleteWith((question) => {
      asked.push(question);
      return { action: "accept" };
    });
    assert.notEqual(response.isError, true);
    assert.equal(await isThere(), false);
    assert.deepEqual(asked, [`Delete an item?\nworkspaceId: ${workspaceId}\npath: ${path}`]);
    assert.deepEqual(
      rig.reports.slice(-2).map((report) => report?.result),
      ["asked", "done"],
    );
  });

  it("names up to ten items, and the number of remaining ones", async () => {
    const { body } = await post(rig.url, "pages_owners_remove", {
      body: Array.from({ length: 14 }, (_, index) => ({ type: "USER", id: String(index) })),
    });
    const lines = (body.result?.inputRequests?.confirm?.params.message ?? "").split("\n");
    assert.equal(lines.length, 12);
    assert.equal(lines.at(-1), "and 18 more");
  });

  for (const [what, answerer] of [
    ["declines", () => ({ action: "decline" })],
    ["leaves the box empty", () => ({ action: "accept", confirm: false })],
  ] as const satisfies readonly (readonly [string, Answerer])[]) {
    it(`does nothing when the user ${what}`, async () => {
      const response = await deleteWith(answerer);
      assert.equal(response.isError, true);
      assert.match(JSON.stringify(response.content), /was not confirmed\. Nothing was done/);
      assert.equal(await isThere(), true);
      assert.equal(rig.proxy.count(), 0);
    });
  }

  it("rejects a client that can't ask, even one that can open addresses", async () => {
    for (const capabilities of [{}, { sampling: {} }, { elicitation: { url: {} } }]) {
      const { body } = await post(rig.url, "contents_delete", { workspaceId, path }, yes, capabilities);
      assert.equal(body.result?.structuredContent?.error?.kind, "confirmation");
    }
    assert.equal(rig.proxy.count(), 0);
    assert.equal(await isThere(), true);
  });

  it("checks the arguments before it asks", async () => {
    const { body } = await post(rig.url, "contents_delete", { workspaceId, path: "../other" });
    assert.equal(body.result?.structuredContent?.error?.kind, "request");
    assert.equal(rig.proxy.count(), 0);
  });

  it("rejects an answer to a question that it didn't ask", async () => {
    const { body } = await post(rig.url, "contents_delete", { workspaceId, path }, yes);
    assert.equal(body.result?.resultType, "input_required");
    assert.equal(await isThere(), true);
  });

  it("rejects a changed state", async () => {
    const asked = await post(rig.url, "contents_delete", { workspaceId, path });
    const state = asked.body.result?.requestState ?? "";
    const signature = state.lastIndexOf(".") + 1;
    const otherSignature = state.slice(0, signature) + spoiled(state.slice(signature));
    for (const requestState of ["tampered", otherSignature, state.replace("v1.", "v1.e")]) {
      const { body } = await post(rig.url, "contents_delete", { workspaceId, path }, { ...yes, requestState });
      assert.equal(body.error?.code, -32602);
    }
    assert.equal(await isThere(), true);
  });

  it("accepts a confirmation once, even of two concurrent ones, and none that was declined", async () => {
    const given = { workspaceId, path };
    const ask = async () => (await post(rig.url, "contents_delete", given)).body.result?.requestState;
    const requestState = await ask();
    const responses = await Promise.all(
      [1, 2].map(() => post(rig.url, "contents_delete", given, { ...yes, requestState })),
    );
    const types = responses.map(({ body }) => body.result?.resultType);
    assert.equal(types.filter((type) => type === "input_required").length, 1, types.join());
    assert.equal(await isThere(), false);
    await writeFile(join(rig.tenant.contentRoot(workspaceId), path), "here again");
    const again = await post(rig.url, "contents_delete", given, { ...yes, requestState });
    assert.equal(again.body.result?.resultType, "input_required");
    const declined = await ask();
    const no = { inputResponses: { confirm: { action: "decline" } }, requestState: declined };
    assert.equal((await post(rig.url, "contents_delete", given, no)).body.result?.isError, true);
    const changedMind = await post(rig.url, "contents_delete", given, { ...yes, requestState: declined });
    assert.equal(changedMind.body.result?.resultType, "input_required");
    assert.equal(await isThere(), true);
    assert.equal(rig.proxy.count({ method: "DELETE" }), 1);
  });

  it("accepts a confirmation only for its own call and user", async () => {
    const asked = await post(rig.url, "contents_delete", { workspaceId, path: "README.md" });
    const { requestState } = asked.body.result ?? {};
    assert.ok(requestState !== undefined);
    const elsewhere = await post(rig.url, "contents_delete", { workspaceId, path }, { ...yes, requestState });
    assert.equal(elsewhere.body.result?.resultType, "input_required");
    const own = await post(rig.url, "contents_delete", { workspaceId, path });
    rig.subject = "grace";
    const others = await post(
      rig.url,
      "contents_delete",
      { workspaceId, path },
      { ...yes, requestState: own.body.result?.requestState },
    );
    assert.equal(others.body.result?.resultType, "input_required");
    assert.equal(await isThere(), true);
    assert.equal(rig.proxy.count({ method: "DELETE" }), 0);
  });
});

describe("front door: tools by configuration", () => {
  it("offers only reads by default, and no other tools", async () => {
    const rig = await startToolRig({ tools: { readOnly: true } });
    try {
      const client = await rig.client(version);
      const { tools } = await client.listTools();
      assert.ok(tools.length > 50, `${tools.length} tools`);
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
      await assert.rejects(client.callTool({ name: "contents_write", arguments: {} }), /no such tool/);
    } finally {
      await rig.stop();
    }
  });

  it("leaves the confirmation to the client if configured", async () => {
    const rig = await startToolRig({ tools: { confirmation: "leftToClient", toolsets: ["contents"] } });
    try {
      const running = rig.tenant.workspaces.find(({ status }) => status === "running");
      assert.ok(running !== undefined);
      const client = await rig.client("2025-11-25");
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.ok(names.includes("contents_delete"));
      assert.deepEqual(
        names.filter((name) => !name.startsWith("contents_")),
        [],
      );
      await access(join(rig.tenant.contentRoot(running.id), "README.md"));
      const given = { workspaceId: running.id, path: "README.md" };
      const response = await client.callTool({ name: "contents_delete", arguments: given });
      assert.notEqual(response.isError, true);
      assert.equal(rig.proxy.count({ method: "DELETE" }), 1);
      await assert.rejects(access(join(rig.tenant.contentRoot(running.id), "README.md")), { code: "ENOENT" });
    } finally {
      await rig.stop();
    }
  });
});
