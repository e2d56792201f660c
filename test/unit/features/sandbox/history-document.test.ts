import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { HistorySearch } from "../../../../src/features/sandbox/history-search.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

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
  async function tableOf(
    promotions: readonly Promotion[],
    search: Partial<HistorySearch>,
  ): Promise<readonly (readonly string[])[]> {
    const { readHistory } = await import("../../../../src/features/sandbox/history-document.ts");
    const { platform } = fakePlatform(({ body }) =>
      json(200, { promotions: (body as { readonly offset?: number }).offset ? [] : promotions }),
    );
    const key = JSON.stringify({
      ...{ kind: "promotions", filters: {}, sort: "completed", order: "desc", dates: {} },
      ...search,
    });
    const address = { kind: "sandbox-history", tenantId: "one", workspaceId: "", key, title: "Promotions.md" };
    const text = await readHistory({ platform: async () => platform }, address);
    const lines = text.split("\n").filter((line) => line.startsWith("| "));
    return lines.map((line) => line.slice(2, -2).split(" | "));
  }

  it("has no column for the repository if all rows are of the one that was filtered", async () => {
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

  it("sorts by version as people count, in both directions", async () => {
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
