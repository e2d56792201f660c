import assert from "node:assert/strict";
import { findNotebook } from "../../../../src/api/families/notebooks.ts";
import { type FakePlatform, fakePlatform, json } from "../fake-platform.ts";

const all = Array.from({ length: 120 }, (_, at) => ({
  id: `n${at}`,
  path: `./reports/${at % 60}.ipynb`,
  workspaceId: at < 60 ? "finance" : "sales",
}));

function paging(
  limitOf: (limit: number) => number = (limit) => limit,
  offsetOf = (offset: number) => offset,
): FakePlatform {
  return fakePlatform(({ body }) => {
    const { limit, offset } = JSON.parse(String(body)) as { readonly limit: number; readonly offset: number };
    return json(200, { notebooks: all.slice(offsetOf(offset), offsetOf(offset) + limitOf(limit)) });
  });
}

describe("the notebook at a path of a workspace", () => {
  it("is searched for page by page until it is found", async () => {
    for (const [number, id, requests] of [
      [0, "n60", 2],
      [59, "n119", 3],
    ] as const) {
      const fake = paging();
      const found = await findNotebook(fake.platform, { workspaceId: "sales", path: `reports/${number}.ipynb` });
      assert.deepEqual([found?.id, fake.requests.length], [id, requests]);
    }
  });

  it("is undefined after the last page", async () => {
    const fake = paging();
    const missing = { workspaceId: "sales", path: "reports/missing.ipynb" };
    assert.deepEqual([await findNotebook(fake.platform, missing), fake.requests.length], [undefined, 3]);
  });

  it("is undefined on a platform that returns the same or all notebooks for every page", async () => {
    const missing = { workspaceId: "sales", path: "reports/missing.ipynb" };
    const same = paging(
      (limit) => limit,
      () => 0,
    );
    assert.deepEqual([await findNotebook(same.platform, missing), same.requests.length], [undefined, 2]);
    const whole = paging(
      () => all.length,
      () => 0,
    );
    assert.deepEqual([await findNotebook(whole.platform, missing), whole.requests.length], [undefined, 2]);
  });
});
