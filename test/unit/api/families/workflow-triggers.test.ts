import assert from "node:assert/strict";
import { readWorkflowTriggers, timerHoldersOf } from "../../../../src/api/families/workflow-triggers.ts";
import type { Responder } from "../fake-platform.ts";
import { failureOf, fakePlatform, json } from "../fake-platform.ts";

const model = {
  owner: 7,
  versions: [{ version: "1.0.0", createdBy: 7 }, { version: "1.1.0", createdBy: 8 }, "1.2.0"],
};

/** A platform on which user 8 has a timer. `other` answers everything but the lists of triggers. */
function withTimer(other: Responder, refusedHolder = "none") {
  return fakePlatform((request, nth) => {
    const { path } = request;
    if (!path.includes("/triggers/entity/")) {
      return other(request, nth);
    }
    return path.includes(refusedHolder)
      ? json(500, { message: "no" })
      : json(200, path.includes("USER/8") ? [{ id: "timer", modelId: "m" }] : []);
  });
}

describe("all triggers of a workflow", () => {
  it("are read from its owner, the creators of its versions, and the signed-in user", async () => {
    assert.deepEqual(timerHoldersOf(model), ["7", "8"]);
    const fake = withTimer(() => json(200, { id: 9 }));
    const { triggers, gaps } = await readWorkflowTriggers(fake.platform, "m", timerHoldersOf(model));
    assert.deepEqual([triggers.map(({ id }) => id), gaps], [["timer"], []]);
    const holders = fake.requests.flatMap(({ path }) => /entity\/(.*)$/.exec(path)?.[1] ?? []);
    assert.deepEqual(holders.toSorted(), ["ODYSSEY_WORKFLOW_MODEL/m", "USER/7", "USER/8", "USER/9"]);
  });

  for (const status of [404, 405, 501]) {
    it(`are listed if the platform can't return the signed-in user: ${status}`, async () => {
      const { platform } = withTimer(() => json(status, { message: "no such route" }));
      const { triggers, gaps } = await readWorkflowTriggers(platform, "m", timerHoldersOf(model));
      assert.deepEqual([triggers.map(({ id }) => id), gaps], [["timer"], [{ type: "unknownUser" }]]);
    });
  }

  it("are listed with the reason why others may be missing", async () => {
    const { platform } = withTimer(() => json(200, { id: 9 }), "USER/7");
    const { triggers, gaps } = await readWorkflowTriggers(platform, "m", timerHoldersOf(model));
    assert.deepEqual([triggers.map(({ id }) => id), gaps.map(({ type }) => type)], [["timer"], ["unreadList"]]);
    const unsure = withTimer(() => json(503, { message: "busy" }));
    const read = await readWorkflowTriggers(unsure.platform, "m", timerHoldersOf(model));
    assert.deepEqual([read.triggers.length, read.gaps.map(({ type }) => type)], [1, ["unreadList"]]);
  });

  it("fail if no list can be read", async () => {
    const { platform } = withTimer(() => json(404, {}), "entity");
    assert.equal((await failureOf(readWorkflowTriggers(platform, "m", ["7"]))).kind, "workflowGet");
  });
});
