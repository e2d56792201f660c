import assert from "node:assert/strict";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { userNames } from "../../../../src/ui/resources/user-names.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const users = [
  { id: 1, displayName: "Ada Example" },
  { id: 2, displayName: "Ben Sample" },
];

describe("the names of users", () => {
  for (const id of ["documented", "domo"] as const) {
    it(`are read from the user list of a platform that is ${id}, once`, async () => {
      const { platform, requests } = fakePlatform(() => json(200, users), dialects[id]);
      assert.equal((await userNames(platform, [2, "7", null])).get("2"), "Ben Sample");
      assert.equal((await userNames(platform, [1, "7"])).get("1"), "Ada Example");
      assert.equal(requests.length, 1);
      assert.equal(requests[0]?.path.includes("?"), id === "domo");
    });
  }

  it("are omitted if the user list can't be read", async () => {
    const { platform } = fakePlatform(() => json(403, {}));
    assert.equal((await userNames(platform, [2])).size, 0);
  });
});
