import assert from "node:assert/strict";
import { getContent, updateContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { getWorkspace } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { fakePlatform, json, origin, secret } from "../fake-platform.ts";

describe("preparing a request", () => {
  it("returns the request without the credential, and sends nothing", () => {
    const fake = fakePlatform(() => json(200, {}));
    const request = fake.content.prepare(updateContent, {
      path: "a b/ü.txt",
      body: { type: "file", format: "text", content: "x" },
    });
    assert.deepEqual(
      [request.method, request.url.href, request.header],
      [
        "PUT",
        `${origin}/user/alice/4f7c21aa/api/contents/a%20b/%C3%BC.txt`,
        { name: "authorization", template: "token {token}" },
      ],
    );
    assert.deepEqual(JSON.parse(request.body ?? ""), { type: "file", format: "text", content: "x" });
    assert.equal(JSON.stringify(request).includes(secret), false);
    assert.equal(fake.content.prepare(getContent, { path: "a", content: 0 }).url.search, "?content=0");
    assert.equal(fake.requests.length, 0);
  });

  it("rejects the same input as a call", () => {
    const fake = fakePlatform(() => json(200, {}));
    assert.throws(() => fake.platform.prepare(getWorkspace, { workspaceId: "" }), /workspaceId/);
  });
});
