import assert from "node:assert/strict";
import { assertError, call, type Response } from "./client.ts";
import { type HubWorkspace, hubs } from "./hubs.ts";

const writing = ["PUT", "PATCH", "POST", "DELETE"];
const path = "api/contents/a.txt";

/** The major version in the hub's own response. */
function hubVersionOf(response: Response): number {
  const version = String(response.headers["x-jupyterhub-version"]);
  assert.match(version, /^\d+\.\d+/);
  return Number.parseInt(version, 10);
}

for (const { name, start } of hubs) {
  describe(`${name}: a workspace that isn't running`, () => {
    let workspace: HubWorkspace | undefined;
    const current = (): HubWorkspace => {
      assert.ok(workspace !== undefined);
      return workspace;
    };

    before(async () => {
      workspace = await start();
    });
    after(async () => await workspace?.stop());

    async function assertStopped(): Promise<void> {
      const { server, hub } = current();
      const { pathname } = new URL(server.url);
      const response = await call(server, "GET", `${path}?content=0`);
      assert.deepEqual([response.status, response.headers.location], [302, `/hub${pathname}${path}?content=0`]);
      const version = hubVersionOf(response);

      const target = `hub${pathname}${path}`;
      const followed = await call(hub, "GET", target);
      assert.equal(followed.status, 424);
      assert.match(
        String(followed.json.message),
        /^JupyterHub server no longer running at \/user\/.*Restart the server at http/,
      );
      assert.equal(hubVersionOf(followed), version);
      const wrong = await call(hub, "GET", target, { authorization: "token wrong" });
      assert.equal(wrong.status, 302);
      assert.match(String(wrong.headers.location), /^\/hub\/login\?next=/);

      for (const method of writing) {
        const refused = await call(server, method, path, { body: {} });
        assert.equal(refused.status, version < 6 ? 405 : 403, method);
        assert.match(String(refused.headers["content-type"]), /^text\/html/);
        assert.equal(hubVersionOf(refused), version);
      }
    }

    it("redirects reads to the hub and rejects writes before the first start", assertStopped);

    it("responds itself while it is running", async () => {
      const { server } = current();
      await current().run();
      const saved = await call(server, "PUT", path, { body: { type: "file", format: "text", content: "text" } });
      assert.equal(saved.status, 201);
      assert.equal((await call(server, "GET", path)).json.content, "text");
      assertError(await call(server, "GET", path, { authorization: "token wrong" }), 403, "Forbidden");
    });

    it("behaves the same after a stop, and has its files again after a start", async () => {
      await current().halt();
      await assertStopped();
      await current().run();
      assert.equal((await call(current().server, "GET", path)).json.content, "text");
    });

    it("responds to everything with an HTML 503 after a crash", async () => {
      await current().crash();
      for (const method of ["GET", ...writing]) {
        const response = await call(current().server, method, path, method === "GET" ? {} : { body: {} });
        assert.equal(response.status, 503, method);
        assert.match(String(response.headers["content-type"]), /^text\/html/);
      }
    });
  });
}
