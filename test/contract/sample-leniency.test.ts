import assert from "node:assert/strict";
import * as z from "zod/mini";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { listWorkflows } from "../../src/api/catalogue/operations/workflows.ts";
import { searchWorkspaces } from "../../src/api/catalogue/operations/workspaces.ts";
import { dialects, pathTemplateOf } from "../../src/api/http/dialects.ts";
import { type ContractTenant, perDialect } from "./tenant.ts";

/** Sends requests of other clients, which bypass the catalog's own checks. */
async function send(tenant: ContractTenant, id: string, body: unknown, query = ""): Promise<Response> {
  const operation = catalogue.find((one) => one.id === id) ?? assert.fail(`no operation ${id}`);
  const dialect = dialects[tenant.dialect];
  const { name, template } = dialect.headers.platform;
  return fetch(new URL(`${pathTemplateOf(operation, dialect)}${query}`, tenant.tenant.url), {
    method: operation.method,
    headers: { [name]: template.replace("{token}", tenant.tenant.platformToken), "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

perDialect("the sample tenant", "what other clients send", (current) => {
  it("ignores paging members next to the query of a repository search, which a public client sends", async () => {
    const query = { offset: 0, limit: 2, fieldSearchMap: {}, sort: "lastCommit", order: "desc", filters: {}, own: 1 };
    const response = await send(current(), "sandbox.repositories.search", {
      query,
      shared: false,
      offset: 0,
      limit: 50,
    });
    assert.equal(response.status, 200, await response.clone().text());
    const { repositories } = z.parse(z.looseObject({ repositories: z.array(z.unknown()) }), await response.json());
    assert.equal(repositories.length, 2);
  });

  for (const [id, body] of [
    ["workspaces.search", { limit: 1, novel: true, filters: [{ type: "OWNER", values: [1], more: 1 }] }],
    ["sandbox.promotions.search", { limit: 1, novel: { deep: 1 } }],
    ["sandbox.aliases.update", { aliasedDomain: "acme-test.example.com", alias: "Production", novel: 1 }],
    ["pages.bulk.move", {}],
    ["pages.owners.remove", {}],
    ["pages.order.update", {}],
  ] as const) {
    it(`ignores unknown members and queries, and missing lists, of ${id}`, async () => {
      const response = await send(current(), id, body, "?novel=1");
      assert.equal(response.ok, true, `${response.status} ${await response.text()}`);
    });
  }

  it("still rejects a member of the wrong type", async () => {
    const response = await send(current(), "workspaces.search", { limit: "many", novel: 1 });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /limit/);
    // The catalog, which checks this project's requests, rejects misspelled members.
    const body = { limit: 1, novel: 1 };
    const failure = await current().failure(
      current()
        .platform()
        .call(searchWorkspaces, { body } as never),
    );
    assert.equal(failure.kind, "request");
    await current().platform().call(searchWorkspaces, { body: {} });
  });

  for (const [id, name, value] of [
    ["sandbox.authorizations.list", "limit", "abc"],
    ["sandbox.authorizations.list", "limit", "0"],
    ["designs.list", "checkAdminAuthority", "maybe"],
    ["designs.list", "deleted", "1"],
    ["designs.list", "direction", "up"],
    ["designs.list", "offset", "-1"],
    ["workflows.executions.metrics.get", "status", "NONSENSE"],
    ["workflows.executions.metrics.get", "finishedBefore", "2025-13-45T99:99:99Z"],
  ] as const) {
    it(`rejects the value ${value} of the query parameter ${name} of ${id}`, async () => {
      const [model] = await current().platform().call(listWorkflows, {});
      const modelId = model?.id ?? assert.fail("there is no workflow");
      const response = await send(current(), id, undefined, `?modelId=${modelId}&${name}=${value}`);
      assert.equal(response.status, 400);
      assert.match(await response.text(), new RegExp(name));
      assert.equal((await send(current(), id, undefined, `?modelId=${modelId}&novel=1`)).status, 200);
    });
  }

  it("rejects metrics without a workflow", async () => {
    const response = await send(current(), "workflows.executions.metrics.get", undefined);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /modelId/);
  });
});
