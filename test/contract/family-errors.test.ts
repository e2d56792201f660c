import assert from "node:assert/strict";
import type { AnyOperation } from "../../src/api/catalogue/operation.ts";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import * as executions from "../../src/api/catalogue/operations/executions.ts";
import * as triggers from "../../src/api/catalogue/operations/triggers.ts";
import * as workflows from "../../src/api/catalogue/operations/workflows.ts";
import { dialects, pathTemplateOf } from "../../src/api/http/dialects.ts";
import type { ErrorKind, PlatformError } from "../../src/api/http/errors.ts";
import { anyInputOf } from "./inputs.ts";
import { type ContractTenant, perDialect, wrongPlatformToken } from "./tenant.ts";

interface Row {
  /** The row of the API description, 7, in its words. */
  readonly row: string;
  readonly kind: ErrorKind;
  readonly operations: readonly (readonly [operation: AnyOperation, word?: string])[];
}

const words = new Map<AnyOperation, string>([
  [workflows.createWorkflow, "create"],
  [workflows.createWorkflowVersion, "create_version"],
  [workflows.createFirstWorkflowVersion, "create_version"],
  [workflows.deleteWorkflow, "delete"],
  [triggers.createTrigger, "create_trigger"],
  [triggers.deleteTrigger, "delete_trigger"],
]);

/** The operations of a section of the API description. */
function described(section: string): readonly AnyOperation[] {
  return catalogue.filter((operation) => operation.section === section);
}

const rows: readonly Row[] = [
  // Proves 7: Any page endpoint: route error that names method and path
  { row: "any page endpoint", kind: "route", operations: described("4.4").map((operation) => [operation]) },
  // Proves 7: Workflow reads: workflow GET error
  {
    row: "workflow reads",
    kind: "workflowGet",
    operations: described("4.6")
      .filter((operation) => !words.has(operation))
      .map((operation) => [operation]),
  },
  // Proves 7: Workflow CRUD error with operation create; Workflow CRUD error with operation create_version
  // Proves 7: Workflow CRUD error with operation delete; Workflow CRUD error with operation create_trigger
  // Proves 7: Workflow CRUD error with operation delete_trigger
  {
    row: "workflow create, create version, delete, create trigger, delete trigger",
    kind: "workflowCrud",
    operations: [...words],
  },
];
const statuses = [400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 502, 503, 504];
const total = rows.reduce((sum, { operations }) => sum + operations.length, 0);

function failureOf(tenant: ContractTenant, operation: AnyOperation, token?: string): Promise<PlatformError> {
  // Each operation has its own input; the compiler can't know which one it is here.
  const platformOperation = operation as AnyOperation & { readonly credential: "platform" };
  return tenant.failure(tenant.platform(token).call(platformOperation, anyInputOf(operation) as never));
}

/** The beginning of an error's message if it names its method and path. */
function routeOf(operation: AnyOperation, tenant: ContractTenant): string {
  const input = anyInputOf(operation);
  const path = pathTemplateOf(operation, dialects[tenant.dialect]);
  return `(${operation.method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name]))}): `;
}

perDialect("errors of pages and workflows", `${rows.length} rows, ${total} operations`, (current) => {
  it("has every operation of 4.4 and 4.6 in a row", () => {
    assert.equal(total, 17 + 19);
  });

  for (const { row, kind, operations } of rows) {
    for (const [operation, word] of operations) {
      it(`${row}: non-2xx: ${operation.id} with ${statuses.length} statuses`, async () => {
        const tenant = current();
        for (const status of statuses) {
          const body = { status, message: `no ${status} today`, toe: `TRACE-${status}` };
          const action = { kind: "response", status, body: JSON.stringify(body) } as const;
          const failure = await tenant.broken(action, () => failureOf(tenant, operation));
          assert.deepEqual(
            [failure.kind, failure.operationWord, failure.status, failure.traceId, failure.operationId],
            [kind, word, status, `TRACE-${status}`, operation.id],
          );
          assert.deepEqual(JSON.parse(failure.response?.body ?? ""), body);
          assert.equal(failure.entity.length > 0 && !failure.entity.includes("{"), true, failure.entity);
          assert.match(
            failure.message,
            new RegExp(`: no ${status} today \\(${status}\\) \\(trace TRACE-${status}\\)\\.`),
          );
          if (kind === "route") {
            assert.equal(failure.message.includes(routeOf(operation, tenant)), true, failure.message);
          }
        }
      });

      it(`${row}: a broken connection: ${operation.id}`, async () => {
        const tenant = current();
        const before = tenant.proxy.requests.length;
        const failure = await tenant.broken({ kind: "cut", when: "before" }, () => failureOf(tenant, operation));
        assert.deepEqual([failure.kind, failure.operationWord, failure.failureCause.type], [kind, word, "network"]);
        const sent = tenant.proxy.requests.length - before;
        assert.equal(operation.effect === "read" ? sent > 1 : sent === 1, true, `it was sent ${sent} times`);
      });
    }

    it(`${row}: a wrong credential, rejected by the tenant itself`, async () => {
      for (const [operation, word] of operations) {
        const failure = await failureOf(current(), operation, wrongPlatformToken);
        assert.deepEqual([failure.kind, failure.operationWord, failure.status], [kind, word, 401], operation.id);
        assert.match(failure.message, /Unauthorized \(401\) \(trace .*Sign in again\.$/);
      }
    });

    // These two do not report what is missing.
    const unsaid = ["pages.shares.remove", "workflows.triggers.list"];
    const missing = operations.filter(
      ([{ id, pathParameters }]) => Object.keys(pathParameters).length > 0 && !unsaid.includes(id),
    );
    if (missing.length === 0) continue;
    it(`${row}: ${missing.length} missing items, reported by the tenant itself`, async () => {
      for (const [operation, word] of missing) {
        const failure = await failureOf(current(), operation);
        assert.deepEqual([failure.kind, failure.operationWord, failure.status], [kind, word, 404], operation.id);
        assert.match(failure.message, /not found \(404\) \(trace /);
      }
    });
  }

  it("refuses to delete a workflow with an active version, with the reason", async () => {
    const tenant = current();
    const listed = await tenant.platform().call(executions.listExecutions, {});
    const modelId = (Array.isArray(listed) ? listed[0]?.modelId : undefined) ?? assert.fail("no execution");
    const failure = await tenant.failure(tenant.platform().call(workflows.deleteWorkflow, { modelId }));
    assert.deepEqual([failure.kind, failure.operationWord, failure.status], ["workflowCrud", "delete", 409]);
    assert.match(failure.message, /has an active version/);
  });
});
