import assert from "node:assert/strict";
import { getContent } from "../../src/api/catalogue/operations/contents.ts";
import type { ErrorKind } from "../../src/api/http/errors.ts";
import type { FaultAction } from "../harness/proxy.ts";
import { calls, provoked, rows, salesId } from "./error-cases.ts";
import { type ContractTenant, perDialect } from "./tenant.ts";

interface StatusCases {
  readonly row: (typeof rows)[number];
  readonly call: keyof typeof calls;
  /** The method of the failing step, for a call with several steps. */
  readonly step?: string;
  readonly statuses: readonly number[];
  readonly kind: ErrorKind;
  readonly word?: string;
  readonly entity: string;
}

const any = [400, 401, 402, 405, 409, 410, 413, 418, 422, 429, 500, 501, 502, 503, 504, 507];
const other = any.filter((status) => status !== 500);
const creating = "create content or folder: other non-2xx (POST step or rename step)";
const missing = "update file, delete content, update workspace config, update notebook dataflow: 404";
const changing = "update, delete, dataflow, workspace config: other non-2xx";
const listing = "list checkpoints, settings, namespace: non-2xx";
const notebook = `workspace ${salesId}, notebook n-1`;

/** Statuses that the tenant itself never returns, but a server in front of it might. */
const given: readonly StatusCases[] = [
  { row: "GET content: other non-2xx", call: "get", statuses: any, kind: "retrieval", entity: "README.md" },
  ...["POST", "PATCH"].flatMap((step): StatusCases[] => [
    { row: creating, call: "create", step, statuses: [...any, 404], kind: "crud", word: "create", entity: "new.py" },
    {
      row: creating,
      call: "createFolder",
      step,
      statuses: [...any, 404],
      kind: "crud",
      word: "create_folder",
      entity: "new folder",
    },
  ]),
  { row: missing, call: "update", statuses: [404], kind: "notFound", word: "update", entity: "kept.txt" },
  { row: missing, call: "delete", statuses: [404], kind: "notFound", word: "delete", entity: "kept.txt" },
  {
    row: missing,
    call: "dataflow",
    statuses: [404],
    kind: "notFound",
    word: "update_notebook_dataflow",
    entity: notebook,
  },
  { row: missing, call: "configuration", statuses: [404], kind: "notFound", word: "update_config", entity: salesId },
  { row: changing, call: "update", statuses: any, kind: "crud", word: "update", entity: "kept.txt" },
  { row: changing, call: "delete", statuses: any, kind: "crud", word: "delete", entity: "kept.txt" },
  {
    row: changing,
    call: "dataflow",
    statuses: [...any, 403],
    kind: "crud",
    word: "update_notebook_dataflow",
    entity: notebook,
  },
  {
    row: changing,
    call: "configuration",
    statuses: [...any, 403],
    kind: "crud",
    word: "update_config",
    entity: salesId,
  },
  {
    row: "create checkpoint: non-2xx",
    call: "checkpoint",
    statuses: [...any, 403, 404],
    kind: "crud",
    word: "create_checkpoint",
    entity: "kept.txt",
  },
  { row: listing, call: "checkpoints", statuses: [...any, 403, 404], kind: "retrieval", entity: "kept.txt" },
  { row: listing, call: "settings", statuses: [...any, 403, 404], kind: "retrieval", entity: "settings" },
  { row: listing, call: "namespace", statuses: [...any, 403, 404], kind: "retrieval", entity: "user namespace" },
  {
    row: "start workspace: other non-2xx",
    call: "start",
    statuses: [...other, 404],
    kind: "workspace",
    word: "start",
    entity: salesId,
  },
];

/** The rows with a not-found error, which apply to a 404 with any content type. */
const notFound = [
  ["GET content: 404", "get", undefined, "README.md"],
  [missing, "update", "update", "kept.txt"],
  [missing, "delete", "delete", "kept.txt"],
  [missing, "configuration", "update_config", salesId],
  [missing, "dataflow", "update_notebook_dataflow", notebook],
] as const;

function responding(status: number, body: object): FaultAction {
  return { kind: "response", status, body: JSON.stringify(body) };
}

const cuts: readonly (readonly [string, FaultAction])[] = [
  ["before the platform saw it", { kind: "cut", when: "before" }],
  ["after the platform did it", { kind: "cut", when: "after" }],
];

perDialect("error table", `${rows.length} rows, ${provoked.length + given.length} groups of cases`, (current) => {
  before(async () => {
    await calls.update(current());
  });

  it("has a case for every row", () => {
    const covered: readonly string[] = [...provoked, ...given].map(({ row }) => row);
    const inTests: readonly string[] = ["start workspace: runtime failure while starting"];
    assert.deepEqual(
      rows.filter((row) => !covered.includes(row) && !inTests.includes(row)),
      [],
    );
  });

  for (const { row, what, run, kind, word, status, entity, message } of provoked) {
    it(`${row}: ${what}`, async () => {
      const failure = await run(current());
      assert.deepEqual(
        [failure.kind, failure.operationWord, failure.response?.status, failure.entity],
        [kind, word, status, entity],
      );
      assert.match(failure.message, message);
    });
  }

  for (const { row, call, step, statuses, kind, word, entity } of given) {
    it(`${row}: ${call}${step === undefined ? "" : ` at its ${step}`} with ${statuses.join(", ")}`, async () => {
      for (const status of statuses) {
        const body = { message: `no ${status} today`, reason: null, toe: `TRACE-${status}` };
        const match = step === undefined ? {} : { method: step };
        const failure = await current().broken(
          responding(status, body),
          () => current().failure(calls[call](current())),
          match,
        );
        assert.deepEqual(
          [failure.kind, failure.operationWord, failure.response?.status, failure.entity, failure.traceId],
          [kind, word, status, entity, `TRACE-${status}`],
          `${call} ${status}`,
        );
        assert.match(
          failure.message,
          new RegExp(`: no ${status} today \\(${status}\\) \\(trace TRACE-${status}\\)\\.`),
        );
        assert.deepEqual(JSON.parse(failure.response?.body ?? ""), body);
      }
    });
  }

  for (const [row, call, word, entity] of notFound) {
    it(`${row}: ${call} with a web page as the response`, async () => {
      const tenant = current();
      const page = "<!DOCTYPE html><title>404</title>";
      const action: FaultAction = {
        kind: "response",
        status: 404,
        body: page,
        headers: { "content-type": "text/html" },
      };
      const failure = await tenant.broken(action, () => tenant.failure(calls[call](tenant)));
      assert.deepEqual([failure.kind, failure.operationWord, failure.entity], ["notFound", word, entity]);
      assert.match(
        failure.message,
        /the server returned a "not found" web page \(404\) .* If the item should exist, check the address/,
      );
      // The file system does not treat a web page as proof that a file is missing.
      assert.equal(failure.failureCause.type, "notJson");
    });
  }

  it("create content or folder: leftovers of a failed rename are removed", async () => {
    const listed = await current().content().call(getContent, { path: "" });
    assert.equal(JSON.stringify(listed.content).toLowerCase().includes("untitled"), false);
  });

  for (const [what, action] of cuts) {
    // Proves 7: Start, failure during the start: unsuccessful
    it(`start workspace: runtime failure while starting: cut ${what}`, async () => {
      const tenant = current();
      const workspaceId = tenant.workspace("Marketing attribution").id;
      const before = tenant.proxy.count({ method: "POST", path: /\/instances$/ });
      assert.deepEqual(await tenant.broken(action, () => calls.start(tenant, workspaceId)), {
        outcome: "starting",
        status: 500,
        text: "The workspace is starting.",
      });
      assert.equal(tenant.proxy.count({ method: "POST", path: /\/instances$/ }) - before, 1, "it was sent twice");
    });
  }

  for (const [state, change] of [
    ["stopped", (tenant: ContractTenant) => tenant.tenant.stopWorkspace(tenant.running.id)],
    ["crashed", (tenant: ContractTenant) => tenant.tenant.crashWorkspace(tenant.running.id)],
  ] as const) {
    it(`every operation on the content of a workspace that is ${state} reports that state, not an invalid token`, async () => {
      const tenant = current();
      await change(tenant);
      try {
        for (const name of [
          "get",
          "create",
          "createFolder",
          "update",
          "delete",
          "checkpoint",
          "checkpoints",
          "dataflow",
        ] as const) {
          const failure = await tenant.failure(calls[name](tenant));
          assert.equal(failure.failureCause.type, "workspaceNotRunning", `${name}: ${failure.message}`);
          assert.match(failure.message, /the workspace isn't running\. Start it/);
          assert.notEqual(failure.kind, "notFound");
        }
      } finally {
        await tenant.tenant.stopWorkspace(tenant.running.id);
        await tenant.tenant.startWorkspace(tenant.running.id);
      }
      assert.equal((await calls.get(tenant)).type, "file");
    });
  }
});
