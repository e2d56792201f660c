import assert from "node:assert/strict";
import { groupBranch } from "../../../../src/features/workflows/rows/group.ts";
import type { WorkflowGroupRow, WorkflowRow } from "../../../../src/features/workflows/rows/workflow-row.ts";
import { workflowReaders } from "../../../../src/features/workflows/tree.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const resource = { type: "workflow", tenantId: "acme", id: "m", name: "Nightly load" } as const;
const of = { tenantId: "acme", modelId: "m", modelName: "Nightly load" };
const workflow = { id: "m", name: "Nightly load", description: "", owner: "7" };
const row: WorkflowRow = {
  ...of,
  type: "workflow",
  key: "workflow/m",
  workflow: { ...workflow, updatedOn: undefined, createdOn: undefined },
  resource,
};
const group: WorkflowGroupRow = {
  ...of,
  type: "workflowGroup",
  group: "triggers",
  key: "workflow/m/triggers",
  workflowRow: row,
  runs: undefined,
  versions: [],
  locks: [],
  userIds: ["7"],
};

/** A platform with only the API description, which does not report who is signed in. */
function described() {
  return fakePlatform(({ path }) =>
    path.includes("USER/7")
      ? json(200, [{ id: "t", name: "Nightly", type: "TIMER", modelId: "m" }])
      : path.includes("/triggers/entity/")
        ? json(200, [])
        : path.includes("/users/me")
          ? json(404, {})
          : json(200, path.endsWith("/models/m") ? { id: "m", name: "Nightly load", owner: 7 } : {}),
  );
}

const missing = "This platform doesn't say who is signed in. Your own timers may be missing.";

describe("the triggers of a workflow on a platform that can't return the signed-in user", () => {
  // Proves 4.6: Triggers are listed even if no operation returns the signed-in user
  it("are listed in the tree with a note", async () => {
    const { signal } = new AbortController();
    const request = { client: described().platform, filter: "", offset: 0, signal };
    const page = await groupBranch(group).read(request);
    assert.deepEqual(
      page.rows.map(({ resource: own }) => own?.name),
      ["Nightly"],
    );
    assert.equal(page.remark, missing);
  });

  it("are in the details of the workflow, and have their own details", async () => {
    const client = described().platform;
    const details = await workflowReaders.workflow({ client, resource });
    const table = details.sections.find(({ title }) => title === "Triggers");
    assert.ok(table?.type === "table");
    assert.deepEqual([table.rows.length, table.remark], [1, missing]);
    const trigger = { ...resource, type: "trigger", id: "t", parentId: "m", name: "Nightly" } as const;
    assert.equal((await workflowReaders.trigger({ client, resource: trigger })).kind, "Trigger");
    const other = { ...trigger, id: "other", name: "Mine" };
    await assert.rejects(workflowReaders.trigger({ client, resource: other }), /has no trigger Mine .*Your own timers/);
  });
});
