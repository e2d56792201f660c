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
  parsedDate,
  readExecutions,
  readLocks,
  readMetrics,
  readPermissions,
  readTimer,
} from "../../../../src/api/families/workflows.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { parsableJson } from "../../../harness/parsable-json.ts";
import { bodyOf, failureOf, fakePlatform, html, json } from "../fake-platform.ts";

const modelId = "6e1f9a70-2c85-4d4b-b0f3-91d7c5a8e234";
const timer = {
  name: "Daily",
  modelId,
  modelVersion: "1.0.0",
  cron: "0 0 7 ? * *",
  timeZone: "Europe/Berlin",
};

/** A platform whose signed-in user has this ID. It answers a trigger with the trigger's own body. */
function withUser(id: unknown) {
  return fakePlatform((request) =>
    request.method === "GET" ? json(200, { id }) : json(200, { ...bodyOf(request), id: "t" }),
  );
}

describe("TIMER triggers", () => {
  it("belong to the signed-in user, and contain their type, cron, and time zone", async () => {
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
        name: "Daily",
        type: "TIMER",
        modelId,
        modelVersion: "1.0.0",
        entityType: "USER",
        entityId: "481516234",
        defaultValues: {},
        metadata: { interval: "Every Day", type: "TIMER", cron: "0 0 7 ? * *", timeZone: "Europe/Berlin" },
      });
    }
  });

  it("have the typed cron expression, or six fields if the dialect needs them, and their default values", async () => {
    const defaultValues = { amount: 12.5, größe: [1] };
    for (const [dialect, cron] of [
      [dialects.documented, "30 6 * * 1-5"],
      [dialects.domo, "0 30 6 ? * MON-FRI"],
    ] as const) {
      const fake = fakePlatform(({ method }) => json(200, method === "GET" ? { id: 1 } : { id: "t" }), dialect);
      await createTimerTrigger(fake.platform, { ...timer, cron: "30 6 * * 1-5", defaultValues });
      const body = bodyOf(fake.requests[1] ?? assert.fail());
      assert.equal((body.metadata as { readonly cron: string }).cron, cron);
      assert.deepEqual(body.defaultValues, defaultValues);
    }
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
    it(`are rejected before the first request: ${JSON.stringify(input)}`, async () => {
      const fake = withUser(1);
      const failure = await failureOf(createTimerTrigger(fake.platform, { ...timer, ...input }));
      assert.deepEqual([failure.kind, failure.failureCause], ["request", { type: "input", field }]);
      assert.match(failure.message, new RegExp(`^Can't create the trigger: ${field}: `));
      assert.equal(fake.requests.length, 0);
    });
  }

  it("are not created if the signed-in user is unknown", async () => {
    for (const response of [json(401, { message: "Unauthorized" }), json(200, {}), html(200)]) {
      const fake = fakePlatform(() => response);
      const failure = await failureOf(createTimerTrigger(fake.platform, timer));
      assert.deepEqual([failure.kind, failure.operationId], ["retrieval", "users.me"]);
      assert.equal(
        fake.requests.every(({ method }) => method === "GET"),
        true,
      );
    }
  });

  it("are sent once, regardless of failures", async () => {
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

  it("report their next runs", async () => {
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
    // Proves 2.8: the metadata's type equals the trigger's type
    ["body.metadata.type", { ...manual, metadata: { type: "TIMER", cron: "x", timeZone: "y" } }],
    ["body.metadata", manual],
    // Proves 2.8: a TIMER's entity type is USER
    ["body.entityType", { ...bare, entityType: "GROUP", metadata: { type: "TIMER", cron: "x", timeZone: "y" } }],
    // Proves 2.8: a TIMER's metadata has a cron expression and a time zone
    ["body.metadata.cron", { ...bare, metadata: { type: "TIMER", timeZone: "y" } }],
    // Proves 2.8: a TIMER's metadata has a cron expression and a time zone
    ["body.metadata.timeZone", { ...bare, metadata: { type: "TIMER", cron: "x", timeZone: "" } }],
    ["body.entityId", { ...manual, entityId: 7, metadata: { type: "MANUAL" } }],
  ];
  for (const [field, body] of cases) {
    it(`are rejected with the invalid field: ${field}`, async () => {
      const fake = fakePlatform(() => json(200, {}));
      const failure = await failureOf(fake.platform.call(triggers.createTrigger, { body: body as never }));
      assert.deepEqual([failure.kind, failure.failureCause], ["request", { type: "input", field }]);
      assert.equal(fake.requests.length, 0);
    });
  }

  // Proves 2.8: a trigger has a name, type, workflow, version; default values are an empty object by default
  it("are sent with all their fields, with empty default values if there are none", async () => {
    const fake = fakePlatform(() => json(200, {}));
    const body = { ...manual, metadata: { type: "MANUAL", formId: null }, active: false };
    await fake.platform.call(triggers.createTrigger, { body });
    assert.deepEqual(bodyOf(fake.requests[0] ?? assert.fail()), { ...body, defaultValues: {} });
  });

  it("return a bare number when deleted, and stay readable", async () => {
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

  // Proves 4.6: Missing options are omitted
  it("are requested without omitted options", async () => {
    assert.deepEqual(await sent({ modelId }), [["modelId", modelId]]);
    assert.deepEqual(await sent({ modelId, statuses: [], triggerTypes: [] }), [["modelId", modelId]]);
  });

  // Proves 4.6: Metrics are filtered by version, trigger
  it("are requested with comma-separated lists and ISO 8601 times", async () => {
    const query: MetricsQuery = {
      modelId,
      modelVersion: "1.0.0",
      statuses: ["COMPLETED", "FAILED"],
      triggerTypes: ["TIMER", "API"],
      startedBy: 7,
      startedAfter: new Date(0),
      finishedBefore: "2025-11-18T16:42:05+01:00",
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

  // Proves 4.6: Statuses are a comma-separated list of the four that are named
  it("are rejected before a request with the invalid option", async () => {
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

describe("workflow responses", () => {
  it("contain executions as a list, or in an object under one of three names", async () => {
    const items = [{ id: "e1", status: "COMPLETED", novelty: 1 }];
    for (const response of [items, { executions: items }, { content: items, total: 1 }, { items }]) {
      const fake = fakePlatform(() => json(200, response));
      assert.deepEqual(await readExecutions(fake.platform), items);
    }
    assert.deepEqual(executionsOf({ executions: null }), []);
  });

  it("contain executions in an unknown container, or none", async () => {
    assert.deepEqual(await readExecutions(fakePlatform(() => json(200, { runs: [{ id: "e1" }] })).platform), [
      { id: "e1" },
    ]);
    assert.deepEqual(await readExecutions(fakePlatform(() => json(200, {})).platform), []);
  });

  it("without a list of executions are an error, not an empty list", async () => {
    for (const response of [{ runs: "many" }, { content: undefined, total: 3 }, { executions: [5] }]) {
      const failure = await failureOf(readExecutions(fakePlatform(() => json(200, response)).platform));
      assert.deepEqual([failure.kind, failure.failureCause.type], ["workflowGet", "unexpectedResponse"]);
    }
  });

  it("with a field of another type than described are passed on, and logged once", async () => {
    const items = [
      { id: "e1", modelName: { odd: true } },
      { id: "e2", modelName: { odd: true } },
    ];
    for (const response of [items, { executions: items }]) {
      const fake = fakePlatform(() => json(200, response));
      assert.deepEqual(await readExecutions(fake.platform), items);
      await readExecutions(fake.platform);
      assert.equal(fake.lines.filter((line) => line.startsWith("warn ")).length, 1, fake.lines.join("\n"));
    }
  });

  // Proves 2.11: undescribed fields of responses are kept
  it("keep unknown fields with any content", async () => {
    const known = new Set(["id", "status", "modelId", "modelVersion"]);
    const field = fc
      .string({ minLength: 1, unit: "binary" })
      .filter((name) => !known.has(name) && name !== "__proto__");
    await fc.assert(
      fc.asyncProperty(
        parsableJson(
          fc.dictionary(
            field.map((name) => `x${name}`),
            fc.jsonValue(),
          ),
        ),
        async (unknown) => {
          const response = JSON.parse(JSON.stringify({ id: "e", status: "FAILED", ...unknown }));
          const fake = fakePlatform(() => json(200, response));
          assert.deepEqual(await fake.platform.call(executions.getExecution, { executionId: "e" }), response);
          assert.deepEqual(await readExecutions(fakePlatform(() => json(200, [response])).platform), [response]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("contain locks by version or as a list, and which are older than a day", async () => {
    const now = Date.now();
    const map = {
      "1.1.0": { lockedBy: 7, lockedOn: now, success: true },
      "1.0.0": {},
      "0.9.0": null,
      "0.8.0": { lockedBy: "8", lockedOn: now - 25 * 3_600_000 },
    };
    const list = Object.entries(map).map(([version, lock]) => ({ version, ...lock }));
    for (const response of [map, list]) {
      const locks = await readLocks(fakePlatform(() => json(200, response)).platform, modelId);
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

  it("contain permissions of users and groups as one list", async () => {
    const response = { USER: [{ id: 7, name: "Ada", permissions: ["ADMIN"] }], GROUP: [{ id: "31" }], OTHER: null };
    assert.deepEqual(await readPermissions(fakePlatform(() => json(200, response)).platform, modelId), [
      { type: "USER", id: "7", name: "Ada", permissions: ["ADMIN"] },
      { type: "GROUP", id: "31", name: "31", permissions: [] },
    ]);
  });

  it("contain times in both formats", () => {
    const cases = [1763484125000, "1763484125000", "2025-11-18T16:42:05Z", "2025-11-18T17:42:05+01:00"];
    assert.deepEqual(
      cases.map((value) => parsedDate(value)?.getTime()),
      cases.map(() => 1763484125000),
    );
    assert.deepEqual([null, undefined, "", "soon"].map(parsedDate), [undefined, undefined, undefined, undefined]);
  });

  it("contain versions as bare strings after a create, and as objects otherwise", async () => {
    const fake = fakePlatform(() => json(200, { id: "m", versions: ["1.0.0"] }));
    assert.deepEqual((await fake.platform.call(operations.createWorkflow, {})).versions, ["1.0.0"]);
    assert.equal(fake.requests[0]?.body, "{}");
  });
});

describe("first versions", () => {
  it("contain their definition as a JSON string", async () => {
    const fake = fakePlatform(() => json(200, { version: "1.0.0" }));
    const definition = { version: 2, designElements: [{ id: "größe 😀" }], dataList: [] };
    const body = firstVersion("1.0.0", definition);
    await fake.platform.call(operations.createFirstWorkflowVersion, { modelId, body });
    const sent = bodyOf(fake.requests[0] ?? assert.fail());
    assert.deepEqual(Object.keys(sent).toSorted(), ["savedJson", "version"]);
    assert.deepEqual(JSON.parse(String(sent.savedJson)), definition);
    assert.equal(fake.requests[0]?.path, `/api/workflow/v1/models/${modelId}/versions`);
  });

  // Proves 2.9: a first version is two strings: the saved JSON and the version
  it("accept any two strings, and reject anything else before a request", async () => {
    const fake = fakePlatform(() => json(200, {}));
    const bodies: readonly (readonly [field: string, body: unknown])[] = [
      ["body.savedJson", { version: "1.0.0", savedJson: { a: 1 } }],
      ["body.savedJson", { version: "1.0.0" }],
      ["body.version", { version: 1, savedJson: "{}" }],
      ["body", { version: "1.0.0", savedJson: "{}", more: 1 }],
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
    for (const body of [firstVersion("1.10.0-beta.1", {}), { version: "v1", savedJson: "no JSON" }]) {
      await fake.platform.call(operations.createFirstWorkflowVersion, { modelId, body });
    }
    assert.equal(fake.requests.length, 2);
  });
});

describe("the owner of a TIMER", () => {
  const timer = {
    name: "Daily",
    type: "TIMER",
    modelId,
    modelVersion: "1.0.0",
    entityType: "USER",
    metadata: { type: "TIMER", cron: "0 0 7 ? * *", timeZone: "GMT" },
  };
  const signedIn = () => fakePlatform(({ method }) => (method === "GET" ? json(200, { id: 7 }) : json(200, {})));

  // Proves 2.8: a TIMER's entity ID is the ID of the user who
  it("is the signed-in user, or nothing is sent, even for a raw response", async () => {
    for (const way of ["call", "raw"] as const) {
      const fake = signedIn();
      const failure = await failureOf(
        fake.platform[way](triggers.createTrigger, { body: { ...timer, entityId: "8" } }),
      );
      assert.deepEqual(failure.failureCause, { type: "input", field: "body.entityId" });
      assert.match(failure.message, /must be the ID of the signed-in user, 7/);
      await fake.platform[way](triggers.createTrigger, { body: { ...timer, entityId: "7" } });
      assert.deepEqual(
        fake.requests.map(({ method }) => method),
        ["GET", "POST"],
        "who is signed in is asked for once",
      );
    }
  });

  it("is the given user on a platform that has no operation for the signed-in user", async () => {
    for (const status of [404, 405, 501]) {
      const fake = fakePlatform(({ method }) => (method === "GET" ? json(status, {}) : json(200, {})));
      await fake.platform.call(triggers.createTrigger, { body: { ...timer, entityId: "7" } });
      assert.equal(bodyOf(fake.requests.at(-1) ?? assert.fail()).entityId, "7");
      const input = { name: "Daily", modelId, modelVersion: "1.0.0", cron: "0 0 7 ? * *", timeZone: "GMT" };
      await createTimerTrigger(fake.platform, { ...input, userId: "8" });
      assert.equal(bodyOf(fake.requests.at(-1) ?? assert.fail()).entityId, "8");
    }
  });

  it("must be known: nothing is sent if it can't be read", async () => {
    const fake = fakePlatform(({ method }) => (method === "GET" ? json(403, {}) : json(200, {})));
    const failure = await failureOf(fake.platform.call(triggers.createTrigger, { body: { ...timer, entityId: "7" } }));
    assert.match(failure.message, /wasn't sent because it must name the signed-in user/);
    assert.equal(fake.requests.length, 1);
  });

  it("is not checked for other triggers", async () => {
    const fake = signedIn();
    const body = { ...timer, type: "API", entityType: "WORKFLOW", entityId: "m", metadata: { type: "API" } };
    await fake.platform.call(triggers.createTrigger, { body });
    assert.deepEqual(
      fake.requests.map(({ method }) => method),
      ["POST"],
    );
  });
});

describe("executions on a platform that isn't known to filter them", () => {
  const all = [
    { id: "1", modelId: "m", modelVersion: "1.0.0", status: "FAILED", triggerType: "API" },
    { id: "2", modelId: "m", modelVersion: "2.0.0", status: "COMPLETED", triggerType: "TIMER" },
    { id: "3", modelId: "n", modelVersion: "1.0.0", status: "COMPLETED", triggerType: "API" },
  ];

  // Proves 4.6: GET all executions, without a query
  it("are requested without a query, and filtered locally", async () => {
    for (const [filter, ids] of [
      [{}, ["1", "2", "3"]],
      [{ modelId: "m" }, ["1", "2"]],
      [{ modelId: "m", version: "1.0.0" }, ["1"]],
      [{ status: "COMPLETED" }, ["2", "3"]],
      [{ triggerTypes: "API,MANUAL" }, ["1", "3"]],
    ] as const) {
      const fake = fakePlatform(() => json(200, all));
      assert.deepEqual(
        (await readExecutions(fake.platform, filter)).map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        fake.requests.map(({ path }) => path),
        ["/api/workflow/v2/executions"],
      );
    }
    const domo = fakePlatform(() => json(200, all), dialects.domo);
    await readExecutions(domo.platform, { modelId: "m" });
    assert.equal(domo.requests[0]?.path, "/api/workflow/v2/executions?modelId=m");
  });
});

describe("times of the metrics", () => {
  // Proves 4.6: Times are ISO 8601 timestamps
  it("are any ISO 8601 timestamp, and nothing else", async () => {
    const fake = fakePlatform(() => json(200, {}));
    const good = [
      "2025-11-18T16:42:05Z",
      "2025-11-18T16:42:05.123+01:00",
      "2025-11-18T16:42",
      "2025-11-18",
      "20251118T164205Z",
      "2024-02-29T23:59:60.5-05",
    ];
    for (const startedAfter of good) {
      await fake.platform.call(executions.getExecutionMetrics, { modelId, startedAfter });
    }
    assert.equal(fake.requests.length, good.length);
    const wrong = ["yesterday", "18.11.2025", "1763484125000", ""];
    const impossible = [
      "2025-13-45T99:99:99Z",
      "2025-00-10",
      "2025-02-29",
      "20251131",
      "2025-11-00T10:00Z",
      "2025-11-18T25:00Z",
      "2025-11-18T16:60Z",
      "2025-11-18T16:42:61Z",
      "2025-11-18T16:42:05+24:00",
    ];
    for (const finishedBefore of [...wrong, ...impossible]) {
      const failure = await failureOf(fake.platform.call(executions.getExecutionMetrics, { modelId, finishedBefore }));
      assert.deepEqual(failure.failureCause, { type: "input", field: "finishedBefore" }, finishedBefore);
      assert.match(failure.message, /finishedBefore: it must be an ISO 8601 time/);
    }
    assert.equal(fake.requests.length, good.length);
  });
});
