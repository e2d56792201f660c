import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { assertError, type ContentServer, call, contents } from "./client.ts";

describe("sample tenant with a Jupyter Server behind its workspaces", () => {
  let dataDirectory = "";
  let tenant: SampleTenant | undefined;
  const behind: JupyterServer[] = [];

  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-proxied-"));
    const started: SampleTenant = await startSampleTenant({
      dataDirectory,
      contentServer: {
        kind: "proxied",
        addressOf: async (workspaceId) => {
          const server = await startJupyterServer({
            root: started.contentRoot(workspaceId),
            token: "token-of-the-other-server",
            basePath: "/elsewhere/",
          });
          behind.push(server);
          return { url: server.url, token: server.token };
        },
      },
    });
    tenant = started;
  });
  after(async () => {
    await tenant?.stop();
    await Promise.all(behind.map((server) => server.kill()));
    await rm(dataDirectory, { recursive: true });
  });

  function server(): ContentServer {
    const workspace = tenant?.workspaces[0];
    assert.ok(tenant !== undefined && workspace !== undefined);
    return {
      url: workspace.contentUrl,
      token: tenant.notebookToken(workspace.id),
      root: tenant.contentRoot(workspace.id),
    };
  }

  it("forwards requests under its own address and with its own token", async () => {
    const version = await call(server(), "GET", "api");
    assert.equal(version.json.version, behind[0]?.version);
    const bytes = "x".repeat(3_000_000);
    const saved = await call(server(), "PUT", contents("new file.txt"), {
      body: { type: "file", format: "text", content: bytes },
    });
    assert.equal(saved.status, 201);
    assert.equal(saved.headers.location, new URL("api/contents/new%20file.txt", server().url).pathname);
    assert.equal(await readFile(join(server().root, "new file.txt"), "utf8"), bytes);
    const read = await call(server(), "GET", contents("new file.txt"));
    assert.equal(read.json.content, bytes);
    const again = await call(server(), "GET", contents("new file.txt"), {
      headers: { "if-none-match": read.headers.etag ?? "" },
    });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    assert.equal(behind.length, 1);
  });

  it("forwards WebSockets to the other server", async () => {
    const { url, token } = server();
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}api/events/subscribe?token=${token}`);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.addEventListener("open", () => resolve(), { once: true });
        socket.addEventListener("error", () => reject(new Error("the web socket does not open")), { once: true });
      });
      const told = new Promise<string>((resolve) => {
        socket.addEventListener("message", ({ data }) => {
          if (String(data).includes("told.txt")) {
            resolve(String(data));
          }
        });
      });
      await call(server(), "PUT", contents("told.txt"), { body: { type: "file", format: "text", content: "" } });
      assert.match(await told, /"path": ?"told\.txt"/);
    } finally {
      socket.close();
    }
  });

  it("lets the other server reject a token that isn't the tenant's", async () => {
    assertError(await call(server(), "GET", "api/contents", { authorization: "token wrong" }), 403, "Forbidden");
  });

  it("responds like a hub while the workspace isn't running", async () => {
    const id = tenant?.workspaces[0]?.id ?? "";
    await tenant?.stopWorkspace(id);
    assert.equal((await call(server(), "GET", "api/contents")).status, 302);
    await tenant?.startWorkspace(id);
    assert.equal((await call(server(), "GET", "api/contents")).status, 200);
  });

  it("responds like after a crash if the other server is gone", async () => {
    await behind[0]?.stop();
    const response = await call(server(), "GET", "api/contents");
    assert.equal(response.status, 503);
    assert.match(String(response.headers["content-type"]), /^text\/html/);
  });
});
