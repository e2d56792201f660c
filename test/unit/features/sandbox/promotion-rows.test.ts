import assert from "node:assert/strict";
import { promotionsPart } from "../../../../src/features/sandbox/rows/promotion.ts";
import { repositoryRow } from "../../../../src/features/sandbox/rows/repository-row.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the promotions below a repository", () => {
  it("are listed newest first with their target, in any order from the platform, without other repositories", async () => {
    const repository = { id: "r-1", name: "Sales", deployments: [{ id: "d-1", domain: "prod.example.com" }] };
    const made = (commitName: string, started: string, deploymentId: string, repositoryId = "r-1") => ({
      id: commitName,
      commitName,
      started,
      deploymentId,
      repositoryId,
    });
    const { platform } = fakePlatform(() =>
      json(200, {
        promotions: [
          made("v5", "2026-11-05T02:25:00Z", "d-1"),
          made("v3", "2026-08-22T01:22:00Z", "d-gone"),
          made("v9", "2026-11-20T01:22:00Z", "d-1", "r-2"),
          made("v4", "2026-11-19T06:48:00Z", "d-1"),
        ],
      }),
    );
    const row = repositoryRow("acme", repository, false);
    const request = { client: platform, filter: "", offset: 0, signal: new AbortController().signal };
    const { rows } = await promotionsPart.read(row, request);
    assert.deepEqual(
      rows.map(({ promotion, target }) => [promotion.commitName, target]),
      [
        ["v4", "prod.example.com"],
        ["v5", "prod.example.com"],
        ["v3", undefined],
      ],
    );
  });
});
