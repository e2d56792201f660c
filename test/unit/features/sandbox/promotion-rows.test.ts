import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the promotions below a repository", () => {
  it("are listed newest first with their target, in any order from the platform, without other repositories", async () => {
    const [{ partBranch }, { partRows, repositoryRow }] = await Promise.all([
      import("../../../../src/features/sandbox/lists.ts"),
      import("../../../../src/features/sandbox/rows.ts"),
    ]);
    const repository = { id: "r-1", name: "Sales", deployments: [{ id: "d-1", domain: "prod.example.com" }] };
    const promotion = (commitName: string, started: string, deploymentId: string, repositoryId = "r-1") => ({
      id: commitName,
      commitName,
      started,
      deploymentId,
      repositoryId,
    });
    const { platform } = fakePlatform(() =>
      json(200, {
        promotions: [
          promotion("v5", "2026-11-05T02:25:00Z", "d-1"),
          promotion("v3", "2026-08-22T01:22:00Z", "d-gone"),
          promotion("v9", "2026-11-20T01:22:00Z", "d-1", "r-2"),
          promotion("v4", "2026-11-19T06:48:00Z", "d-1"),
        ],
      }),
    );
    const part = partRows(repositoryRow("acme", repository, false)).find((row) => row.part === "promotions");
    assert.ok(part !== undefined);
    const request = { client: platform, filter: "", offset: 0, signal: new AbortController().signal };
    const { rows } = await partBranch(part).read(request);
    assert.deepEqual(
      rows.map((row) => (row.type === "promotion" ? [row.promotion.commitName, row.target] : row.type)),
      [
        ["v4", "prod.example.com"],
        ["v5", "prod.example.com"],
        ["v3", undefined],
      ],
    );
  });
});
