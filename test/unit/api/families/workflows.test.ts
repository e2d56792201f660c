import assert from "node:assert/strict";
import fc from "fast-check";
import * as executions from "../../../../src/api/catalogue/operations/executions.ts";
import * as triggers from "../../../../src/api/catalogue/operations/triggers.ts";
import * as operations from "../../../../src/api/catalogue/operations/workflows.ts";
import {
  createTimerTrigger,
  executionsOf,
  firstVersion,
  isDeleted,
  type MetricsQuery,
  readExecutions,
  readLocks,
  readMetrics,
  readPermissions,
  readTimer,
  timeOf,
} from "../../../../src/api/families/workflows.ts";
import { bodyOf, failureOf, fakePlatform, html, json } from "../fake-platform.ts";

const modelId = "6e1f9a70-2c85-4d4b-b0f3-91d7c5a8e234";
const timer = {
  name: "Daily",
  modelId,
  modelVersion: "1.0.0",
  cron: "0 0 7 ? * *",
  timeZone: "Europe/Berlin",
};

/** A platform whose signed-in user has that id; it answers a trigger with its own body. */
function withUser(id: unknown) {
  return fakePlatform((request) =>
    request.method === "GET" ? json(200, { id }) : json(200, { ...bodyOf(request), id: "t" }),
  );
}

describe("TIMER triggers", () => {
  it("belong to the signed-in user, and carry their type, cron and time zone", async () => {
    for (const id of [481516234, "481516234"]) {
      const fake = withUser(id);
      const metadata = { interval: "Every Day", type: "MANUAL", cron: "x" };
      const made = await createTimerTrigger(fake.platform, { ...timer, metadata });
      assert.equal(made.id, "t");
      assert.deepEqual(
        fake.requests.map(({ method, path }) => `${method} ${path}`),
        ["GET /api/content/v2/users/me", "POST /api/workflow/v2/triggers"],
      );
      assert.deepEqual(bodyOf(fake.requests[1] ?? assert.fail()), {
        ...{ name: "Daily", type: "TIMER", modelId, modelVersion: "1.0.0" },
        ...{ entityType: "USER", entityId: "481516234", defaultValues: {} },
        metadata: { interval: "Every Day", type: "TIMER", cron: "0 0 7 ? * *", timeZone: "Europe/Berlin" },
      });
    }
  });

  it("of five fields are sent with six, and keep their default values", async () => {
    const fake = withUser(1);
    const defaultValues = { amount: 12.5, größe: [1] };
    await createTimerTrigger(fake.platform, { ...timer, cron: "30 6 * * 1-5", defaultValues });
    const body = bodyOf(fake.requests[1] ?? assert.fail());
    assert.equal((body.metadata as { readonly cron: string }).cron, "0 30 6 ? * MON-FRI");
    assert.deepEqual(body.defaultValues, defaultValues);
  });

  const wrong: readonly (readonly [field: string, input: Partial<typeof timer>])[] = [
    ["cron", { cron: "0 0 25 ? * *" }],
    ["cron", { cron: "every day" }],
    ["timeZone", { timeZone: "Europe/Nowhere" }],
    ["name", { name: "" }],
    ["modelId", { modelId: "" }],
    ["modelVersion", { modelVersion: "" }],
  ];
  for (const [field, input] of wrong) {
    it(`are refused before the first request: ${JSON.stringify(input)}`, async () => {
      const fake = withUser(1);
      const failure = await failureOf(createTimerTrigger(fake.platform, { ...timer, ...input }));
      assert.deepEqual([failure.kind, failure.failureCause], ["request", { type: "input", field }]);
      assert.match(failure.message, new RegExp(`^Cannot create the trigger: ${field}: `));
      assert.equal(fake.requests.length, 0);
    });
  }

  it("are not created when nobody knows who is signed in", async () => {
    for (const answer of [json(401, { message: "Unauthorized" }), json(200, {}), html(200)]) {
      const fake = fakePlatform(() => answer);
      const failure = await failureOf(createTimerTrigger(fake.platform, timer));
      assert.deepEqual([failure.kind, failure.operationId], ["retrieval", "users.me"]);
      assert.equal(
        fake.requests.every(({ method }) => method === "GET"),
        true,
      );
    }
  });

  it("are sent once, whatever breaks", async () => {
    const fake = fakePlatform((request) => {
      if (request.method === "GET") {
        return json(200, { id: 1 });
      }
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    });
    const failure = await failureOf(createTimerTrigger(fake.platform, timer));
    assert.deepEqual([failure.kind, failure.operationWord], ["workflowCrud", "create_trigger"]);
    assert.equal(fake.requests.filter(({ method }) => method === "POST").length, 1);
  });

  it("tell their next runs", async () => {
    const reading = await readTimer("0 7 * * *", "Europe/Berlin");
    assert.equal(reading.valid, true);
    const times = reading.valid ? reading.schedule.nextRuns(2, new Date("2026-11-21T06:00:00Z")) : [];
    assert.deepEqual(times.map(Number), [Date.UTC(2026, 10, 22, 6), Date.UTC(2026, 10, 23, 6)]);
  });
});

describe("triggers of any type", () => {
  const manual = { name: "M", type: "MANUAL", modelId, modelVersion: "1", entityType: "X", entityId: "1" };
  const { metadata: _, ...bare } = { ...manual, type: "TIMER", entityType: "USER", metadata: 0 };
  const cases: readonly (readonly [field: string, body: object])[] = [
    ["body.metadata.type", { ...manual, metadata: { type: "TIMER", cron: "x", timeZone: "y" } }],
    ["body.metadata", manual],
    ["body.entityType", { ...bare, entityType: "GROUP", metadata: { type: "TIMER", cron: "x", timeZone: "y" } }],
    ["body.metadata.cron", { ...bare, metadata: { type: "TIMER", timeZone: "y" } }],
    ["body.metadata.timeZone", { ...bare, metadata: { type: "TIMER", cron: "x", timeZone: "" } }],
    ["body.entityId", { ...manual, entityId: 7, metadata: { type: "MANUAL" } }],
  ];
  for (const [field, body] of cases) {
    it(`are refused by the field that is wrong: ${field}`, async () => {
      const fake = fakePlatform(() => json(200, {}));
      const failure = await failureOf(fake.platform.call(triggers.createTrigger, { body: body as never }));
      assert.deepEqual([failure.kind, failure.failureCause], ["request", { type: "input", field }]);
      assert.equal(fake.requests.length, 0);
    });
  }

  it("are sent with all their fields, and empty default values when none are given", async () => {
    const fake = fakePlatform(() => json(200, {}));
    const body = { ...manual, metadata: { type: "MANUAL", formId: null }, active: false };
    await fake.platform.call(triggers.createTrigger, { body });
    assert.deepEqual(bodyOf(fake.requests[0] ?? assert.fail()), { ...body, defaultValues: {} });
  });

  it("answer a bare number when deleted, and stay readable", async () => {
    const fake = fakePlatform(() => json(200, "1"));
    assert.equal(await fake.platform.call(triggers.deleteTrigger, { triggerId: "t" }), 1);
    assert.deepEqual(
      [null, undefined, 1763484125000, "2025-11-18T16:42:05Z"].map((deletedAt) => isDeleted({ deletedAt })),
      [false, false, true, true],
    );
  });
});

describe("metrics", () => {
  async function sent(query: MetricsQuery): Promise<readonly (readonly [string, string])[]> {
    const fake = fakePlatform(() => json(200, {}));
    await readMetrics(fake.platform, query);
    assert.equal(fake.requests.length, 1);
    const url = new URL(fake.requests[0]?.path ?? "", "http://x");
    assert.equal(url.pathname, "/api/workflow/v2/executions/metrics");
    return [...url.searchParams];
  }

  it("are asked for without what is left out", async () => {
    assert.deepEqual(await sent({ modelId }), [["modelId", modelId]]);
    assert.deepEqual(await sent({ modelId, statuses: [], triggerTypes: [] }), [["modelId", modelId]]);
  });

  it("are asked for with lists joined by commas and times as ISO 8601", async () => {
    const query: MetricsQuery = {
      ...{ modelId, modelVersion: "1.0.0", statuses: ["COMPLETED", "FAILED"], triggerTypes: ["TIMER", "API"] },
      ...{ startedBy: 7, startedAfter: new Date(0), finishedBefore: "2025-11-18T16:42:05+01:00" },
    };
    assert.deepEqual(await sent(query), [
      ["modelId", modelId],
      ["modelVersion", "1.0.0"],
      ["status", "COMPLETED,FAILED"],
      ["triggerTypes", "TIMER,API"],
      ["startedBy", "7"],
      ["startedAfter", "1970-01-01T00:00:00.000Z"],
      ["finishedBefore", "2025-11-18T16:42:05+01:00"],
    ]);
  });

  it("are refused before a request by the option that is wrong", async () => {
    const fake = fakePlatform(() => json(200, {}));
    const { platform } = fake;
    const cases = [
      ["statuses", readMetrics(platform, { modelId, statuses: ["NOT_STARTED" as "FAILED"] })],
      ["triggerTypes", readMetrics(platform, { modelId, triggerTypes: ["TIMER,API"] })],
      ["startedAfter", readMetrics(platform, { modelId, startedAfter: "yesterday" })],
      ["finishedBefore", readMetrics(platform, { modelId, finishedBefore: new Date(Number.NaN) })],
      ["modelId", readMetrics(platform, { modelId: "" })],
      ["status", platform.call(executions.getExecutionMetrics, { modelId, status: "COMPLETED,STARTED" })],
      ["status", platform.call(executions.getExecutionMetrics, { modelId, status: "" })],
      ["triggerTypes", platform.call(executions.getExecutionMetrics, { modelId, triggerTypes: "A,,B" })],
    ] as const;
    for (const [field, work] of cases) {
      const failure = await failureOf(work);
      assert.deepEqual([failure.kind, failure.failureCause], ["request", { type: "input", field }]);
    }
    assert.equal(fake.requests.length, 0);
  });
});

describe("workflow answers", () => {
  it("hold executions as a list, or as an object under one of three names", async () => {
    const items = [{ id: "e1", status: "COMPLETED", novelty: 1 }];
    for (const answer of [items, { executions: items }, { content: items, total: 1 }, { items }]) {
      const fake = fakePlatform(() => json(200, answer));
      assert.deepEqual(await readExecutions(fake.platform), items);
    }
    assert.deepEqual(executionsOf({}), []);
    assert.deepEqual(executionsOf({ executions: null }), []);
  });

  it("with a field of another type than described are passed on, and the log says so once", async () => {
    const items = [
      { id: "e1", modelName: { odd: true } },
      { id: "e2", modelName: { odd: true } },
    ];
    for (const answer of [items, { executions: items }]) {
      const fake = fakePlatform(() => json(200, answer));
      assert.deepEqual(await readExecutions(fake.platform), items);
      await readExecutions(fake.platform);
      assert.equal(fake.lines.filter((line) => line.startsWith("warn ")).length, 1, fake.lines.join("\n"));
    }
  });

  it("keep their unknown fields, whatever these hold", async () => {
    const known = new Set(["id", "status", "modelId", "modelVersion"]);
    const field = fc
      .string({ minLength: 1, unit: "binary" })
      .filter((name) => !known.has(name) && name !== "__proto__");
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          field.map((name) => `x${name}`),
          fc.jsonValue(),
        ),
        async (unknown) => {
          const answer = JSON.parse(JSON.stringify({ id: "e", status: "FAILED", ...unknown }));
          const fake = fakePlatform(() => json(200, answer));
          assert.deepEqual(await fake.platform.call(executions.getExecution, { executionId: "e" }), answer);
          assert.deepEqual(await readExecutions(fakePlatform(() => json(200, [answer])).platform), [answer]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("tell locks by version or as a list, and which are older than a day", async () => {
    const now = Date.now();
    const map = {
      "1.1.0": { lockedBy: 7, lockedOn: now, success: true },
      "1.0.0": {},
      "0.9.0": null,
      "0.8.0": { lockedBy: "8", lockedOn: now - 25 * 3_600_000 },
    };
    const list = Object.entries(map).map(([version, lock]) => ({ version, ...lock }));
    for (const answer of [map, list]) {
      const locks = await readLocks(fakePlatform(() => json(200, answer)).platform, modelId);
      assert.deepEqual(
        locks.map(({ version, lockedBy, isStale }) => [version, lockedBy, isStale]),
        [
          ["1.1.0", "7", false],
          ["0.8.0", "8", true],
        ],
      );
    }
    assert.deepEqual(await readLocks(fakePlatform(() => json(200, {})).platform, modelId), []);
  });

  it("tell permissions of users and groups as one list", async () => {
    const answer = { USER: [{ id: 7, name: "Ada", permissions: ["ADMIN"] }], GROUP: [{ id: "31" }], OTHER: null };
    assert.deepEqual(await readPermissions(fakePlatform(() => json(200, answer)).platform, modelId), [
      { type: "USER", id: "7", name: "Ada", permissions: ["ADMIN"] },
      { type: "GROUP", id: "31", name: "31", permissions: [] },
    ]);
  });

  it("tell times in both forms", () => {
    const cases = [1763484125000, "1763484125000", "2025-11-18T16:42:05Z", "2025-11-18T17:42:05+01:00"];
    assert.deepEqual(
      cases.map((value) => timeOf(value)?.getTime()),
      cases.map(() => 1763484125000),
    );
    assert.deepEqual([null, undefined, "", "soon"].map(timeOf), [undefined, undefined, undefined, undefined]);
  });

  it("name versions as bare texts after a create, as objects otherwise", async () => {
    const fake = fakePlatform(() => json(200, { id: "m", versions: ["1.0.0"] }));
    assert.deepEqual((await fake.platform.call(operations.createWorkflow, {})).versions, ["1.0.0"]);
    assert.equal(fake.requests[0]?.body, "{}");
  });
});

describe("first versions", () => {
  it("carry their definition as a text that holds JSON", async () => {
    const fake = fakePlatform(() => json(200, { version: "1.0.0" }));
    const definition = { version: 2, designElements: [{ id: "größe 😀" }], dataList: [] };
    const body = firstVersion("1.0.0", definition);
    await fake.platform.call(operations.createFirstWorkflowVersion, { modelId, body });
    const sent = bodyOf(fake.requests[0] ?? assert.fail());
    assert.deepEqual(Object.keys(sent).toSorted(), ["savedJson", "version"]);
    assert.deepEqual(JSON.parse(String(sent.savedJson)), definition);
    assert.equal(fake.requests[0]?.path, `/api/workflow/v1/models/${modelId}/versions`);
  });

  it("are refused before a request with another text, or a version that is no semantic one", async () => {
    const fake = fakePlatform(() => json(200, {}));
    const bodies: readonly (readonly [field: string, body: unknown])[] = [
      ["body.savedJson", { version: "1.0.0", savedJson: "{" }],
      ["body.savedJson", { version: "1.0.0", savedJson: { a: 1 } }],
      ["body.savedJson", { version: "1.0.0" }],
      ["body", { version: "1.0.0", savedJson: "{}", more: 1 }],
      ...[1, "1", "1.0", "01.0.0", "v1.0.0", "1.0.0 ", ""].map(
        (version) => ["body.version", { version, savedJson: "{}" }] as const,
      ),
    ];
    for (const [field, body] of bodies) {
      const failure = await failureOf(
        fake.platform.call(operations.createFirstWorkflowVersion, { modelId, body: body as never }),
      );
      assert.deepEqual(
        [failure.kind, failure.failureCause],
        ["request", { type: "input", field }],
        JSON.stringify(body),
      );
    }
    assert.equal(fake.requests.length, 0);
    for (const version of ["0.0.1", "1.10.0-beta.1+build.7"]) {
      await fake.platform.call(operations.createFirstWorkflowVersion, { modelId, body: firstVersion(version, {}) });
    }
    assert.equal(fake.requests.length, 2);
  });
});
