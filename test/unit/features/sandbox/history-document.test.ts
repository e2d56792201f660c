import assert from "node:assert/strict";
import { readHistory } from "../../../../src/features/sandbox/history-document.ts";
import type { HistorySearch } from "../../../../src/features/sandbox/history-search.ts";
import { bodyOf, fakePlatform, json } from "../../api/fake-platform.ts";

interface Promotion {
  readonly id: string;
  readonly repositoryName: string;
  readonly commitName: string;
}

const promotion = (id: string, commitName: string, repositoryName = "Sales pages"): Promotion => ({
  id,
  repositoryName,
  commitName,
});

describe("the document of a search in the history", () => {
  async function textOf(promotions: readonly Promotion[], search: Partial<HistorySearch>): Promise<string> {
    const { platform } = fakePlatform((request) => {
      const { offset, limit } = bodyOf(request);
      return json(200, { promotions: promotions.slice(Number(offset), Number(offset) + Number(limit)) });
    });
    const key = JSON.stringify({
      kind: "promotions",
      filters: {},
      sort: "completed",
      order: "desc",
      dates: {},
      ...search,
    });
    const address = { kind: "sandbox-history", tenantId: "one", workspaceId: "", key, title: "Promotions" };
    return readHistory({ platform: async () => platform }, address);
  }

  it("shows any id as code", async () => {
    const text = await textOf([promotion("x`\n\n[Sign in](https://evil.example) | y", "v1")], {});
    assert.match(text, /\| ``x` \[Sign in\]\(https:\/\/evil\.example\) \\\| y`` \|$/m);
  });

  async function tableOf(
    promotions: readonly Promotion[],
    search: Partial<HistorySearch>,
  ): Promise<readonly (readonly string[])[]> {
    const lines = (await textOf(promotions, search)).split("\n").filter((line) => line.startsWith("| "));
    return lines.map((line) => line.slice(2, -2).split(" | "));
  }

  it("has no column for the repository if all rows belong to the filtered one", async () => {
    const ofOne = { filters: { repositoryName: ["Sales pages"] } };
    const [heading, , row] = await tableOf([promotion("p1", "v1")], ofOne);
    assert.deepEqual(heading?.slice(0, 2), ["Commit", "Started by"]);
    assert.equal(row?.[0], "v1");
    const mixed = await tableOf([promotion("p1", "v1"), promotion("p2", "v1", "Orders")], ofOne);
    assert.deepEqual(mixed[0]?.slice(0, 2), ["Repository", "Commit"], "the platform ignored the filter");
    const ofTwo = await tableOf([promotion("p1", "v1")], { filters: { repositoryName: ["Sales pages", "Orders"] } });
    assert.deepEqual(ofTwo[0]?.slice(0, 2), ["Repository", "Commit"]);
    const all = await tableOf([promotion("p1", "v1")], {});
    assert.deepEqual(all[0]?.slice(0, 2), ["Repository", "Commit"]);
  });

  it("states that it is truncated only if there are more than 1000 results", async () => {
    const results = Array.from({ length: 1001 }, (_, index) => promotion(`p${index}`, "v1"));
    const cut = "Only the first 1000 results are shown.";
    assert.ok((await textOf(results, {})).includes(cut));
    assert.ok(!(await textOf(results.slice(0, 1000), {})).includes(cut));
  });

  it("sorts versions numerically, in both directions", async () => {
    const asPlatformSorts = [promotion("p1", "v1"), promotion("p2", "v10"), promotion("p3", "v9")];
    const commits = async (order: "asc" | "desc"): Promise<unknown> =>
      (await tableOf(asPlatformSorts, { sort: "commitName", order })).slice(2).map(([, commit]) => commit);
    assert.deepEqual(await commits("asc"), ["v1", "v9", "v10"]);
    assert.deepEqual(await commits("desc"), ["v10", "v9", "v1"]);
    const byTime = await tableOf(asPlatformSorts, { sort: "started", order: "asc" });
    assert.deepEqual(
      byTime.slice(2).map(([, commit]) => commit),
      ["v1", "v10", "v9"],
    );
  });
});
