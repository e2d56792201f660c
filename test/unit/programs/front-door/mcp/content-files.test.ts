import assert from "node:assert/strict";
import { Client, type ContentClient } from "../../../../../src/api/client/client.ts";
import { NotebookToken } from "../../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../../src/api/http/dialects.ts";
import { silentLog } from "../../../../../src/api/http/log.ts";
import { singleUserLimits } from "../../../../../src/api/http/response-limits.ts";
import type { TransportRequest } from "../../../../../src/api/http/transport.ts";
import { writeFile } from "../../../../../src/programs/front-door/mcp/content-files.ts";
import { until } from "../../../../harness/until.ts";

const unending = new AbortController().signal;

/** A content server without files, whose requests wait for `released`. */
function contentServer(base: URL, released: Promise<void>): { client: ContentClient; requests: TransportRequest[] } {
  const requests: TransportRequest[] = [];
  const client = new Client(
    {
      kind: "notebook" as const,
      base,
      dialect: dialects.documented,
      limits: singleUserLimits,
      credential: new NotebookToken(base.origin, "token"),
    },
    {
      async send(request) {
        requests.push(request);
        await released;
        const status = request.method === "GET" ? 404 : 201;
        const item = { name: "a.txt", path: "a.txt", type: "file", writable: true, content: null };
        return { status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(item)) };
      },
      async close() {},
    },
    silentLog,
  );
  return { client, requests };
}

describe("front door: writes of the same path", () => {
  const write = ({ client }: { client: ContentClient }) =>
    writeFile(client, "workspace", "a.txt", Buffer.from("text"), undefined, unending);

  it("don't wait for one another in two tenants", async () => {
    const held = Promise.withResolvers<void>();
    const one = contentServer(new URL("https://one.example.com/user/a/w/"), held.promise);
    const other = contentServer(new URL("https://other.example.com/user/a/w/"), Promise.resolve());
    const first = write(one);
    await until("the first write to be sent", () => one.requests.length > 0);
    assert.equal((await write(other)).created, true);
    held.resolve();
    assert.equal((await first).created, true);
  });

  it("wait for one another on one content server", async () => {
    const held = Promise.withResolvers<void>();
    const server = contentServer(new URL("https://one.example.com/user/a/w/"), held.promise);
    const writes = [write(server), write(server)];
    await until("the first write to be sent", () => server.requests.length > 0);
    assert.equal(server.requests.length, 1);
    held.resolve();
    await Promise.all(writes);
  });
});
