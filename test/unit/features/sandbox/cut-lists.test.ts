import assert from "node:assert/strict";
import { partRows } from "../../../../src/features/sandbox/rows/part.ts";
import { repositoryRow } from "../../../../src/features/sandbox/rows/repository-row.ts";
import { sandboxReaders } from "../../../../src/features/sandbox/tree.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const resource = { type: "repository", tenantId: "acme", id: "r", name: "Order apps" } as const;

/** A platform whose lists of commits and commit requests contain one entry of `total`. */
function withTotal(total: number) {
  return fakePlatform(({ path }) => {
    const pageContext = { count: 1, totalCount: total };
    return path.endsWith("/commits")
      ? json(200, { commits: [{ id: "c1", name: "v1" }], pageContext })
      : path.endsWith("/commitRequests")
        ? json(200, { commitRequests: [{ id: "q1", commitName: "v1" }], pageContext })
        : json(200, { id: "r", name: "Order apps", results: [] });
  });
}

describe("a list of a repository that the platform returns incompletely", () => {
  const cut = {
    commits: "1 of 120 shown. The platform doesn't return more.",
    commitRequests: "1 of 120 shown. To find the others, run Platform: Search Commit Requests…",
  };

  for (const part of ["commits", "commitRequests"] as const) {
    it(`states how many of how many items are shown: ${part}`, async () => {
      const row = partRows(repositoryRow("acme", { id: "r", name: "Order apps" }, false)).find(
        ({ name }) => name === part,
      );
      assert.ok(row !== undefined);
      for (const [total, remark] of [
        [120, cut[part]],
        [1, undefined],
      ] as const) {
        const { signal } = new AbortController();
        const request = { client: withTotal(total).platform, filter: "", offset: 0, signal };
        const page = await row.part.read(row.of, request);
        assert.deepEqual(["rows" in page && page.rows.length, "rows" in page && page.remark], [1, remark]);
      }
    });
  }

  it("states it in details, even of an entry that isn't shown", async () => {
    const client = withTotal(120).platform;
    const { sections } = await sandboxReaders.repository({ client, resource });
    const table = sections.find(({ title }) => title === "Commits");
    assert.equal(table?.type === "table" ? table.remark : undefined, cut.commits);
    const commit = { ...resource, type: "commit", id: "c9", parentId: "r", name: "Order apps v9" } as const;
    await assert.rejects(
      sandboxReaders.commit({ client, resource: commit }),
      /doesn't contain Order apps v9\. 1 of 120/,
    );
    const whole = withTotal(1).platform;
    await assert.rejects(sandboxReaders.commit({ client: whole, resource: commit }), /no longer lists Order apps v9/);
  });
});
