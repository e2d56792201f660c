import assert from "node:assert/strict";
import { contentNames, lookUpContent } from "../../../../src/api/families/content-names.ts";
import { fakePlatform, json } from "../fake-platform.ts";

describe("the names of content", () => {
  const fake = () =>
    fakePlatform(({ path }) => {
      if (path.endsWith("/pages/1")) {
        return json(200, { pageId: 1, title: " Sales EMEA " });
      }
      if (path.endsWith("/cards/2")) {
        return json(200, { id: 2, title: "Sales by month" });
      }
      return path.endsWith("/cards/3") ? json(403, { message: "no access" }) : json(404, {});
    });

  it("are found, missing, or unknown on the client's instance", async () => {
    const { platform, requests } = fake();
    assert.deepEqual(await lookUpContent(platform, "PAGE", "1"), { type: "found", name: "Sales EMEA" });
    assert.deepEqual(await lookUpContent(platform, "CARD", "4"), { type: "missing" });
    assert.deepEqual(await lookUpContent(platform, "CARD", "3"), { type: "unknown" });
    assert.equal(requests.length, 3);
    assert.deepEqual(await lookUpContent(platform, "DATAFLOW", "4"), { type: "unknown" });
    assert.deepEqual(await lookUpContent(platform, "constructor", "4"), { type: "unknown" });
    assert.equal(requests.length, 3);
  });

  it("are read for a repository with at most 100 requests", async () => {
    const { platform, requests } = fake();
    const items = Array.from({ length: 300 }, (_, index) => ({
      contentType: "CARD",
      repositoryObjectId: String(index),
    }));
    assert.deepEqual([...(await contentNames(platform, items))], [["CARD 2", "Sales by month"]]);
    assert.equal(requests.length, 100);
  });
});
