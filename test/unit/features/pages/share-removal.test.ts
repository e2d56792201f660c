import assert from "node:assert/strict";
import { removeShares } from "../../../../src/features/pages/share-removal.ts";
import { empty, failureOf, fakePlatform, json } from "../../api/fake-platform.ts";

const shares = [
  { type: "user", id: "7", name: "Ada" },
  { type: "user", id: "8", name: "Ben" },
  { type: "user", id: "9", name: "Clara" },
] as const;

describe("removing the sharing of pages with several people", () => {
  const removing = (failing: string) => {
    const fake = fakePlatform(({ path }) => (path.includes(failing) ? json(500, { message: "no" }) : empty(204)));
    const removed = removeShares(fake.platform, shares, ["1", "2"]);
    return { removed, paths: () => fake.requests.map(({ path }) => path) };
  };

  it("sends one request for each", async () => {
    const { removed, paths } = removing("none");
    await removed;
    assert.deepEqual(
      paths(),
      ["7", "8", "9"].map((id) => `/api/content/v1/share/bulk/page/user/${id}`),
    );
  });

  it("reports after a failure whose sharing was removed and whose may still exist", async () => {
    const { removed, paths } = removing("/user/8");
    assert.match(
      (await failureOf(removed)).message,
      /Sharing with Ada was removed\. Sharing with Ben and Clara may still exist\.$/,
    );
    assert.equal(paths().length, 2);
  });

  it("reports no removal if the first request fails", async () => {
    assert.doesNotMatch((await failureOf(removing("/user/7").removed)).message, /was removed/);
  });
});
