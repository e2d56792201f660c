import assert from "node:assert/strict";
import { groupNames } from "../../../../src/ui/resources/group-names.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the names of groups", () => {
  it("are read once for all callers of an account, and again after a failure", async () => {
    let status = 403;
    const { platform, requests } = fakePlatform(() =>
      json(status, status === 200 ? [{ groupId: 3, name: "Forecasters" }] : {}),
    );
    assert.equal((await groupNames(platform)).size, 0);
    status = 200;
    const failed = requests.length;
    const [names] = await Promise.all([groupNames(platform), groupNames(platform)]);
    assert.equal(names.get("3"), "Forecasters");
    const read = requests.length - failed;
    assert.equal(await groupNames(platform), names);
    assert.equal(requests.length, failed + read);
  });
});
