import assert from "node:assert/strict";
import { sharesOf } from "../../../../../src/api/families/pages/page-shares.ts";
import { failureOf, fakePlatform, json } from "../../fake-platform.ts";

describe("the shares of pages", () => {
  it("are listed once per user and group, with the number of pages, with or without a name", async () => {
    const responses: Readonly<Record<string, object>> = {
      "1": { users: [{ id: 7, displayName: "Ada" }, { id: "8" }], groups: [{ id: 35, name: "Everybody" }], more: true },
      "2": { users: [{ id: "7" }], groups: null },
    };
    const { platform } = fakePlatform(({ path }) => json(200, responses[path.split("/").at(-1) ?? ""] ?? {}));
    assert.deepEqual(await sharesOf(platform, ["1", "2"]), [
      { type: "user", id: "7", name: "Ada", pages: 2 },
      { type: "user", id: "8", name: undefined, pages: 1 },
      { type: "group", id: "35", name: "Everybody", pages: 1 },
    ]);
  });

  it("are unknown if the platform doesn't list them, or not for this user; other failures are thrown", async () => {
    for (const status of [403, 404, 405, 501]) {
      const { platform } = fakePlatform(() => json(status, { message: "no" }));
      assert.equal(await sharesOf(platform, ["1"]), undefined, String(status));
    }
    const { platform } = fakePlatform(() => json(500, { message: "Out of order" }));
    const failure = await failureOf(sharesOf(platform, ["1"]));
    assert.match(failure.message, /^Can't list who has access to page 1 .*: Out of order/);
  });
});
