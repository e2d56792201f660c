import assert from "node:assert/strict";
import {
  beganOf,
  callText,
  isUnderWay,
  lengthOf,
  packageNames,
  readTriggersOf,
  readUsingWorkflows,
  usingWorkflowsOf,
  versionsOf,
} from "../../../../src/api/families/workflow-facts.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { failureOf, fakePlatform, json } from "../fake-platform.ts";

describe("versions of a workflow", () => {
  it("are sorted newest first by number, as objects or strings", () => {
    const objects = versionsOf({
      versions: [
        { version: "1.2.0", active: true, deployedOn: "2025-10-02T08:15:30Z", totalTimesRun: 3, createdBy: 7 },
        { version: "1.10.0", active: false, deployedOn: null },
        { version: "1.9.0", active: false, deployedOn: 1_763_484_125_000 },
      ],
    });
    assert.deepEqual(
      objects.map(({ version, state }) => `${version} ${state}`),
      ["1.10.0 draft", "1.9.0 released", "1.2.0 active"],
    );
    assert.deepEqual([objects[2]?.runs, objects[2]?.createdBy], [3, "7"]);
    assert.deepEqual(
      versionsOf({ versions: ["1.0.0", "2.0.0"] }).map(({ version }) => version),
      ["2.0.0", "1.0.0"],
    );
    assert.deepEqual(versionsOf({ versions: null }), []);
  });
});

describe("an execution", () => {
  const execution = { createdAt: "2025-11-18T16:42:00Z", startedAt: "2025-11-18T16:42:05Z", finishedAt: null };

  it("has a duration after its start, and none before", () => {
    const finishedAt = "2025-11-18T16:42:41Z";
    assert.equal(lengthOf({ ...execution, finishedAt }), 36_000);
    assert.equal(lengthOf(execution, Date.parse("2025-11-18T16:43:05Z")), 60_000);
    assert.equal(lengthOf({ ...execution, startedAt: null }), undefined);
    assert.equal(beganOf({ ...execution, startedAt: null })?.toISOString(), "2025-11-18T16:42:00.000Z");
  });

  it("is under way until it has ended", () => {
    const statuses = ["NOT_STARTED", "IN_PROGRESS", undefined, "COMPLETED", "FAILED", "CANCELLED"];
    assert.deepEqual(
      statuses.map((status) => isUnderWay({ status })),
      [true, true, true, false, false, false],
    );
  });
});

describe("triggers of a workflow", () => {
  it("are its own and those of users that refer to it, deleted ones last", async () => {
    const fake = fakePlatform(({ path }) =>
      json(
        200,
        path.includes("USER/7")
          ? [
              { id: "timer", modelId: "m", createdAt: "2025-11-01T00:00:00Z", deletedAt: null },
              { id: "other", modelId: "another" },
              { id: "gone", modelId: "m", createdAt: "2025-12-01T00:00:00Z", deletedAt: 1_763_484_125_000 },
            ]
          : path.includes("ODYSSEY_WORKFLOW_MODEL/m")
            ? [{ id: "manual", modelId: "m", createdAt: "2025-11-02T00:00:00Z", deletedAt: null }]
            : [],
      ),
    );
    const triggers = await readTriggersOf(fake.platform, "m", ["7", "8", "7"]);
    assert.deepEqual(
      triggers.map(({ id }) => id),
      ["manual", "timer", "gone"],
    );
    assert.equal(fake.requests.length, 3);
  });

  // Proves 4.6: A user's timers are listed even if another holder's list fails
  it("are listed even if another holder's list fails, and fail if none can be read", async () => {
    const failures: unknown[] = [];
    const onHolderFailure = (error: unknown): void => void failures.push(error);
    const some = fakePlatform(({ path }) =>
      path.includes("USER/7") ? json(200, [{ id: "timer", modelId: "m" }]) : json(403, { message: "no" }),
    );
    const triggers = await readTriggersOf(some.platform, "m", ["7", "8"], { onHolderFailure });
    assert.deepEqual([triggers.map(({ id }) => id), failures.length], [["timer"], 2]);
    const none = fakePlatform(() => json(403, { message: "no" }));
    assert.equal((await failureOf(readTriggersOf(none.platform, "m", ["7"]))).kind, "workflowGet");
  });

  it("are requested with the dialect's name for a workflow", async () => {
    const fake = fakePlatform(() => json(200, []), { ...dialects.documented, workflowEntityType: "FLOW" });
    await readTriggersOf(fake.platform, "m", []);
    assert.equal(fake.requests[0]?.path, "/api/workflow/v2/triggers/entity/FLOW/m");
  });
});

describe("functions that steps call", () => {
  const calls = { packageId: "ce-1", functionName: "run" };

  it("are described by their package's name, or its id if packages can't be listed", async () => {
    const fake = fakePlatform(() => json(200, [{ id: "ce-1", name: "Mail tools" }, { id: 2 }]));
    assert.equal(callText({ calls }, await packageNames(fake.platform, [{ calls }])), "Mail tools · run");
    const refused = fakePlatform(() => json(403, {}));
    assert.equal(callText({ calls }, await packageNames(refused.platform, [{ calls }])), "ce-1 · run");
    const none = fakePlatform(() => json(500, {}));
    assert.equal((await packageNames(none.platform, [{ calls: undefined }])).size, 0);
    assert.equal(none.requests.length, 0);
  });

  it("fail to be looked up if the response is neither an object nor a list", async () => {
    for (const other of ['"no"', "5", "true"]) {
      const { platform } = fakePlatform(() => json(200, other));
      const failure = await failureOf(readUsingWorkflows(platform, "ce-1"));
      assert.deepEqual([failure.kind, failure.failureCause.type], ["workflowGet", "unexpectedResponse"]);
      assert.match(failure.message, /wrong type.* To see the response, run .* workflows\.usage\.get\.$/);
    }
  });

  it("are looked up for other workflows in all known response formats", () => {
    const alpha = { modelId: "a", name: "Alpha", version: "1.0.0" };
    const formats = [
      { modelId: "a", modelName: "Alpha", modelVersion: "1.0.0" },
      { entityId: "a", name: "Alpha", version: "1.0.0" },
      { modelId: null, entityId: "a", modelName: null, name: "Alpha", modelVersion: null, version: "1.0.0" },
    ];
    for (const entry of formats) {
      assert.deepEqual(usingWorkflowsOf({ count: 1, items: [entry] }), [alpha]);
    }
    assert.deepEqual(usingWorkflowsOf({ items: [{ entityId: "a", name: null, version: null }] }), [
      { modelId: "a", name: "a", version: undefined },
    ]);
    for (const none of [null, undefined, [], { items: [] }, { items: null }, { workflows: [] }]) {
      assert.deepEqual(usingWorkflowsOf(none), []);
    }
  });

  it("are shown in unknown formats, too", () => {
    const shown = (response: unknown): readonly unknown[] => usingWorkflowsOf(response).map(({ name }) => name);
    assert.deepEqual(shown({ usedBy: ["Nightly load"] }), ["Nightly load"]);
    assert.deepEqual(shown({ items: [{ entityId: "a", name: "Alpha" }, { workflow: "b" }, null] }), [
      "Alpha",
      '{"workflow":"b"}',
      "null",
    ]);
    assert.deepEqual(shown({ count: 3 }), ['{"count":3}']);
    assert.deepEqual(usingWorkflowsOf([{ name: "x" }]), [{ modelId: undefined, name: "x", version: undefined }]);
    assert.equal(String(shown([{ workflow: "x".repeat(5000) }])).length < 300, true);
  });
});
