import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { getDesignAssets, listDesigns } from "../../../../src/api/catalogue/operations/designs.ts";
import { listRoles, listUsers } from "../../../../src/api/catalogue/operations/users.ts";
import { searchWorkspaces } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { Client } from "../../../../src/api/client/client.ts";
import { readPageTree } from "../../../../src/api/families/pages/pages.ts";
import { PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { mayHaveHappened } from "../../../../src/api/http/errors.ts";
import { maxErrorBytes, type ResponseLimits } from "../../../../src/api/http/response-limits.ts";
import { createTransport } from "../../../../src/api/http/transport.ts";
import { failureOf, fakePlatform, json } from "../fake-platform.ts";
import { heldBytes, localServer } from "../local-server.ts";

const limits: ResponseLimits = { jsonBytes: 1_000_000, bytes: 2_000_000, values: 1000, depth: 10 };

/** Runs the work against a server that sends as much as it can, with a client that has small limits. */
async function withEndlessServer(
  status: number,
  work: (client: Client<"platform">, sent: () => number) => Promise<void>,
): Promise<void> {
  let sent = 0;
  const part = Buffer.alloc(65_536, "a");
  const server = await localServer((_, response) => {
    response.writeHead(status, { "content-type": "application/octet-stream" });
    const fill = (response_: ServerResponse): void => {
      do {
        sent += part.byteLength;
      } while (!response_.destroyed && response_.write(part));
    };
    response.on("drain", () => fill(response)).on("error", () => {});
    fill(response);
  });
  const base = new URL(server.url);
  const transport = createTransport({ sleep: async () => {} });
  const credential = new PlatformCredential(base.origin, "a-token-of-the-test");
  try {
    const client = new Client({ kind: "platform", base, dialect: dialects.documented, credential, limits }, transport);
    await work(client, () => sent);
  } finally {
    await transport.close();
    await server.stop();
  }
}

describe("responses beyond the limits of the client", () => {
  it("are not read to the end, and not requested again", () =>
    withEndlessServer(200, async (client, sent) => {
      const assets = { designId: "d", version: "1.0.0" };
      for (const [limit, max, call] of [
        ["jsonBytes", limits.jsonBytes, () => client.call(listRoles, {})],
        ["bytes", limits.bytes, () => client.call(getDesignAssets, assets)],
        ["jsonBytes", limits.jsonBytes, () => client.raw(listRoles, {})],
      ] as const) {
        const before = sent();
        const failure = await failureOf(call());
        assert.deepEqual(failure.failureCause, { type: "tooLarge", limit, max });
        assert.match(failure.message, /the response has more than .* Request less data/);
        // Data that is in transit when the connection is closed has been sent already.
        assert.ok(sent() - before < max + 30_000_000, `${sent() - before} bytes were sent`);
        assert.equal(mayHaveHappened(failure), true);
      }
    }));

  it("are errors of their status if they report an error, based on their beginning", () =>
    withEndlessServer(404, async (client) => {
      const { body, status } = await client.raw(listRoles, {});
      assert.equal(status, 404);
      assert.ok(body.byteLength <= maxErrorBytes);
      const failure = await failureOf(client.call(listRoles, {}));
      assert.deepEqual(failure.failureCause, { type: "status", status: 404 });
    }));

  it("are not parsed if they have too many values or levels", async () => {
    const many = fakePlatform(() => json(200, `[${Array(4_000_001).fill("1").join(",")}]`));
    assert.deepEqual((await failureOf(many.platform.call(listRoles, {}))).failureCause, {
      type: "tooLarge",
      limit: "values",
      max: 4_000_000,
    });
    const deep = fakePlatform(() => json(200, `${"[".repeat(100_000)}${"]".repeat(100_000)}`));
    assert.deepEqual((await failureOf(readPageTree(deep.platform))).failureCause, {
      type: "tooLarge",
      limit: "depth",
      max: 50_000,
    });
    assert.deepEqual((await failureOf(deep.platform.call(listRoles, {}))).failureCause, {
      type: "tooLarge",
      limit: "depth",
      max: 500,
    });
  });

  it("are rejected at the first of a million items without a required field", async () => {
    const response = json(200, `[${Array(1_000_000).fill("{}").join(",")}]`);
    const fake = fakePlatform(() => response);
    const held = await heldBytes();
    const before = held();
    const failure = await failureOf(fake.platform.call(listDesigns, {}));
    assert.deepEqual(failure.failureCause, { type: "unexpectedResponse", fields: ["0.id"] });
    assert.ok(held() - before < 16_000_000);
  });

  it("are rejected at the first of a few thousand invalid items, because an issue for each would block other work", async () => {
    const fake = fakePlatform(() => json(200, `[${Array(2000).fill("{}").join(",")}]`));
    const failure = await failureOf(fake.platform.call(listDesigns, {}));
    assert.deepEqual(failure.failureCause, { type: "unexpectedResponse", fields: ["0.id"] });
  });

  it("pass on every wrong optional field, regardless of the number of items", async () => {
    const users = Array.from({ length: 20_000 }, (_, id) => ({ id, displayName: id % 2 === 0 ? "Ada" : 7, email: [] }));
    const fake = fakePlatform(() => json(200, users));
    assert.deepEqual(await fake.platform.call(listUsers, {}), users);
    const workspaces = Array.from({ length: 20_000 }, (_, id) => ({ id: `w${id}`, cpu: "many" }));
    const other = fakePlatform(() => json(200, { workspaces }));
    assert.deepEqual(await other.platform.call(searchWorkspaces, { body: {} }), { workspaces });
    assert.equal(other.lines.filter((line) => line.startsWith("warn")).length, 1);
  });
});
