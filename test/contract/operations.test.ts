import assert from "node:assert/strict";
import { type CatalogueOperation, catalogue, type OperationId } from "../../src/api/catalogue/operations/catalogue.ts";
import { dialects, pathTemplateOf } from "../../src/api/http/dialects.ts";
import { contentCases } from "./cases/contents.ts";
import { designCases } from "./cases/designs.ts";
import { frontDoorCases } from "./cases/front-door.ts";
import { pageCases } from "./cases/pages.ts";
import { readCases } from "./cases/reads.ts";
import { sandboxCases } from "./cases/sandbox.ts";
import { workflowCases } from "./cases/workflows.ts";
import { workspaceCases } from "./cases/workspaces.ts";
import { type ContractTenant, perDialect } from "./tenant.ts";

/** One case per operation, or it does not compile. */
const cases = {
  ...workspaceCases,
  ...contentCases,
  ...designCases,
  ...sandboxCases,
  ...pageCases,
  ...workflowCases,
  ...readCases,
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

  it("have no case of an operation that there is not", () => {
    const ids: readonly string[] = catalogue.map(({ id }) => id);
    assert.deepEqual(Object.keys(cases).toSorted(), ids.toSorted());
  });
});

/** The paths that an operation's template can become, within its dialect and behind its prefix. */
function patternOf(operation: CatalogueOperation, tenant: ContractTenant): RegExp {
  const prefix = operation.credential === "notebook" ? new URL(tenant.running.contentUrl).pathname : "";
  const template = pathTemplateOf(operation, dialects[tenant.dialect])
    .replace(/^(?=[^/])/, prefix === "" ? "/" : "")
    .replace(/\/\{\w+\*\}/g, "(?:/[^/]+)*")
    .replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${prefix}${template}$`);
}
