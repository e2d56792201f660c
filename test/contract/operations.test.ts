import assert from "node:assert/strict";
import { type CatalogueOperation, catalogue, type OperationId } from "../../src/api/catalogue/operations/catalogue.ts";
import { dialects, pathTemplateOf } from "../../src/api/http/dialects.ts";
import { appStudioCases } from "./cases/app-studio.ts";
import { codeEngineCases } from "./cases/code-engine.ts";
import { contentCases } from "./cases/contents.ts";
import { designCases } from "./cases/designs.ts";
import { frontDoorCases } from "./cases/front-door.ts";
import { pageCases } from "./cases/pages.ts";
import { readCases } from "./cases/reads.ts";
import { sandboxCases } from "./cases/sandbox.ts";
import { workflowCases } from "./cases/workflows.ts";
import { workspaceCases } from "./cases/workspaces.ts";
import { ContractTenant, perDialect } from "./tenant.ts";

/** One case for each operation: a missing one is a compiler error. */
const cases = {
  ...workspaceCases,
  ...contentCases,
  ...designCases,
  ...sandboxCases,
  ...pageCases,
  ...workflowCases,
  ...readCases,
  ...codeEngineCases,
  ...appStudioCases,
  ...frontDoorCases,
} satisfies Readonly<Record<OperationId, (tenant: ContractTenant) => Promise<void>>>;

perDialect("operations over HTTP", `${catalogue.length} operations`, (current) => {
  for (const operation of catalogue) {
    it(`${operation.id} (${operation.section}): ${operation.summary}`, async () => {
      const tenant = current();
      const run: ((tenant: ContractTenant) => Promise<void>) | undefined = cases[operation.id];
      assert.notEqual(run, undefined, `there is no case for ${operation.id}`);
      const pattern = patternOf(operation, tenant);
      const proxy = tenant.proxyOf(operation);
      const before = proxy.requests.length;
      await run(tenant);
      const sent = proxy.requests.slice(before);
      const own = sent.filter(({ method, path }) => method === operation.method && pattern.test(path));
      assert.notEqual(own.length, 0, `the case never called ${operation.method} ${operation.path}`);
    });
  }

  it("have no case for an operation that doesn't exist", () => {
    const ids: readonly string[] = catalogue.map(({ id }) => id);
    assert.deepEqual(Object.keys(cases).toSorted(), ids.toSorted());
  });
});

/**
 * Operations whose cases need something that the description does not show: fields, queries, a file created by a PUT,
 * or another endpoint to find the item. The content-server suite tests the differences for contents.
 */
const beyondInCases: ReadonlySet<OperationId> = new Set([
  "contents.checkpoints.create",
  "contents.checkpoints.list",
  "contents.create",
  "contents.dataflow.update",
  "contents.delete",
  "contents.get",
  "contents.rename",
  "contents.update",
  "designs.versions.assets",
  "groups.list",
  "pages.shares.remove",
  "pages.summaries.search",
  "sandbox.config.get",
  "sandbox.promotions.promoteAndSeed",
  "sandbox.repositories.access.get",
  "sandbox.repositories.access.update",
  "sandbox.repositories.commitRequests.create",
  "sandbox.repositories.commitRequests.list",
  "sandbox.repositories.commits.list",
  "sandbox.repositories.get",
  "sandbox.repositories.permissions.get",
  "sandbox.repositories.permissions.update",
  "users.list",
  "workflows.executions.list",
  "workflows.executions.metrics.get",
  "workflows.get",
  "workflows.triggers.create",
  "workflows.triggers.delete",
  "workspaces.get",
  "workspaces.instances.start",
  "workspaces.update",
]);

describe("operations over HTTP (only the API description)", () => {
  const described = catalogue.filter(({ section, id }) => section !== "beyond" && !beyondInCases.has(id));
  let started: ContractTenant | undefined;

  before(async () => {
    started = await ContractTenant.start("documented", "lenient");
  });
  after(async () => await started?.stop(`${described.length} operations`));

  for (const { id } of described) {
    it(`${id} returns a response of a known shape`, () => cases[id](started ?? assert.fail("no tenant")));
  }
});

/** The possible paths of an operation's template, within its dialect and without its prefix. */
function patternOf(operation: CatalogueOperation, tenant: ContractTenant): RegExp {
  const prefix = operation.credential === "notebook" ? new URL(tenant.running.contentUrl).pathname : "";
  const template = pathTemplateOf(operation, dialects[tenant.dialect])
    .replace(/^(?=[^/])/, prefix === "" ? "/" : "")
    .replace(/\/\{\w+\*\}/g, "(?:/[^/]+)*")
    .replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${prefix}${template}$`);
}
