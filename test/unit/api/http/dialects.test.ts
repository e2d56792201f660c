import assert from "node:assert/strict";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { updateDataflow } from "../../../../src/api/catalogue/operations/notebooks.ts";
import { getSettings } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { dialects, dialectWith, isDialectId } from "../../../../src/api/http/dialects.ts";
import { fakePlatform, item, json, secret } from "../fake-platform.ts";

describe("dialects", () => {
  // Proves 5.1: platform endpoints take a credential that belongs to one tenant
  // Proves 5.2: the content server takes the notebook token, a kind of its own
  it("send each credential kind in its own header", async () => {
    const expected = {
      documented: [
        { name: "authorization", value: `Bearer ${secret}` },
        { name: "authorization", value: `token ${secret}` },
      ],
      domo: [
        { name: "x-domo-developer-token", value: secret },
        { name: "authorization", value: `Token ${secret}` },
      ],
    };
    for (const dialect of Object.values(dialects)) {
      const fake = fakePlatform(() => json(200, item("a")), dialect);
      await fake.platform.call(getSettings, {});
      await fake.content.call(getContent, { path: "a" });
      for (const [index, { name, value }] of expected[dialect.id].entries()) {
        const headers = fake.requests[index]?.headers ?? {};
        assert.equal(headers[name], value);
        assert.equal(Object.values(headers).filter((text) => text.includes(secret)).length, 1);
      }
    }
  });

  it("have the prefix of services", async () => {
    const paths = await Promise.all(
      Object.values(dialects).map(async (dialect) => {
        const fake = fakePlatform(() => json(200, {}), dialect);
        await fake.content.call(updateDataflow, { workspaceId: "w", notebookId: "n", body: {} });
        return fake.requests[0]?.path.replace("/user/alice/4f7c21aa/", "");
      }),
    );
    const rest = "workspaces/w/notebooks/n/dataflow";
    assert.deepEqual(paths, [`services/platform/v1/${rest}`, `services/domo/v1/${rest}`]);
  });

  // Proves 4.5: The prefix of the repository endpoints is not shown
  it("can have single entries overridden, and keep the others", async () => {
    const dialect = dialectWith("documented", {
      headers: { platform: { name: "x-api-key", template: "key {token}" } },
      segments: { services: "hub/services" },
    });
    assert.equal(dialect.headers.notebook, dialects.documented.headers.notebook);
    const fake = fakePlatform(() => json(200, {}), dialect);
    await fake.platform.call(getSettings, {});
    assert.equal(fake.requests[0]?.headers["x-api-key"], `key ${secret}`);
    assert.equal(fake.requests[0]?.headers.authorization, undefined);
    assert.equal(fake.lines.join("\n").includes(secret), false, "a header of another name shows the secret in the log");
    assert.deepEqual(dialects.documented.headers.platform, { name: "authorization", template: "Bearer {token}" });
  });

  it("insert a token unchanged, even with $ in it", async () => {
    const fake = fakePlatform(() => json(200, {}));
    await fake.platform.call(getSettings, {});
    assert.equal(fake.requests[0]?.headers.authorization, `Bearer ${secret}`);
  });

  it("recognize only their ids", () => {
    assert.deepEqual(["documented", "domo", "toString", "constructor", "__proto__", ""].map(isDialectId), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
