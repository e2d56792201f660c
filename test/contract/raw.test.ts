import assert from "node:assert/strict";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import * as contents from "../../src/api/catalogue/operations/contents.ts";
import * as workspaces from "../../src/api/catalogue/operations/workspaces.ts";
import { anyInputOf } from "./inputs.ts";
import { perDialect, wrongNotebookToken, wrongPlatformToken } from "./tenant.ts";

perDialect("raw", `${catalogue.length} operations`, (current) => {
  for (const operation of catalogue) {
    it(`${operation.id} returns any response unchanged`, async () => {
      for (const [status, contentType, body] of [
        [404, "application/json", "No such file, in plain text"],
        [403, "application/json", '{"errorCode":"DS-0018","details":{}}'],
        [418, "text/html", "<h1>a page</h1>"],
        [500, "application/json", '{"half": '],
        [200, "text/html", "<h1>a page</h1>"],
        [200, "application/json", '{"nothing":"as described"}'],
      ] as const) {
        const action = { kind: "response", status, contentType, body } as const;
        const response = await current().broken(action, () => current().rawCall(operation, anyInputOf(operation)));
        assert.equal(response.status, status);
        assert.equal(Buffer.from(response.body).toString(), body);
        assert.equal(response.headers["content-type"], contentType);
      }
      const moved = { kind: "redirect", location: "/hub/user/x" } as const;
      const response = await current().broken(moved, () => current().rawCall(operation, anyInputOf(operation)));
      assert.deepEqual([response.status, response.headers.location], [302, "/hub/user/x"]);
    });
  }

  // Proves 7: A caller can get the response without these checks
  it("returns the tenant's own errors", async () => {
    const tenant = current();
    const read = await tenant.content(tenant.running, wrongNotebookToken).raw(contents.getContent, { path: "" });
    const settings = await tenant.platform(wrongPlatformToken).raw(workspaces.getSettings, {});
    const missing = await tenant.content().raw(contents.getContent, { path: "none" });
    assert.deepEqual([read.status, settings.status, missing.status], [403, 401, 404]);
  });

  it("still rejects input that can't be in a URL, and a path outside of the workspace", async () => {
    const before = current().proxy.requests.length;
    const failure = await current().failure(current().content().raw(contents.getContent, { path: "../x" }));
    assert.equal(failure.kind, "request");
    assert.equal(current().proxy.requests.length, before);
  });
});
