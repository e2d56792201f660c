import assert from "node:assert/strict";
import { allGroups, allUsers, type Principal } from "../../../../src/api/families/people.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { fakePlatform, json } from "../fake-platform.ts";

async function all(pages: AsyncIterable<readonly Principal[]>): Promise<readonly Principal[]> {
  const found: Principal[] = [];
  for await (const page of pages) {
    found.push(...page);
  }
  return found;
}

describe("people", () => {
  it("are named by name, or else by address, or else by id", async () => {
    const { platform } = fakePlatform(() =>
      json(200, [
        { id: 1, displayName: "Ada", emailAddress: "ada@example.com" },
        { id: "2", displayName: " ", detail: { email: "ben@example.com" } },
        { id: 3 },
      ]),
    );
    assert.deepEqual(await all(allUsers(platform)), [
      { type: "USER", id: "1", name: "Ada", email: "ada@example.com" },
      { type: "USER", id: "2", name: "ben@example.com", email: "ben@example.com" },
      { type: "USER", id: "3", name: "3" },
    ]);
  });

  // Proves 4.7: Lists of people are requested without a query
  it("are read page by page, without duplicates from a platform that returns all of them on every page", async () => {
    const paging = fakePlatform(({ path }) => {
      const offset = Number(new URL(path, "https://acme.example.com").searchParams.get("offset"));
      return json(
        200,
        offset > 400 ? [] : Array.from({ length: offset === 400 ? 5 : 200 }, (_, at) => ({ id: offset + at })),
      );
    }, dialects.domo);
    assert.equal((await all(allUsers(paging.platform))).length, 405);
    assert.equal(paging.requests.length, 3);
    const everyone = () =>
      json(
        200,
        Array.from({ length: 250 }, (_, id) => ({ id })),
      );
    const whole = fakePlatform(everyone, dialects.domo);
    assert.equal((await all(allUsers(whole.platform))).length, 250);
    assert.equal(whole.requests.length, 2);
    const described = fakePlatform(everyone);
    assert.equal((await all(allUsers(described.platform))).length, 250);
    assert.deepEqual(
      described.requests.map(({ path }) => path),
      ["/api/content/v1/users"],
    );
  });

  it("include groups, under either name of the id, and omit those without an id", async () => {
    const { platform } = fakePlatform(() =>
      json(200, [{ groupId: 7, name: "Finance" }, { id: 8 }, { name: "Nobody" }]),
    );
    assert.deepEqual(await all(allGroups(platform)), [
      { type: "GROUP", id: "7", name: "Finance" },
      { type: "GROUP", id: "8", name: "8" },
    ]);
  });
});
