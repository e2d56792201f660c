import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyOperation } from "../../src/api/catalogue/operation.ts";
import * as designs from "../../src/api/catalogue/operations/designs.ts";
import * as sandbox from "../../src/api/catalogue/operations/sandbox.ts";
import { fetchDesignAssets } from "../../src/api/families/design-assets.ts";
import { addDesignAdmins, allDesigns } from "../../src/api/families/designs.ts";
import { allRepositories, promoteAndSeed } from "../../src/api/families/sandbox.ts";
import type { ErrorKind, PlatformError } from "../../src/api/http/errors.ts";
import { anyInputOf } from "./inputs.ts";
import { type ContractTenant, perDialect, wrongPlatformToken } from "./tenant.ts";

interface Row {
  /** The row of the API description, 7, in its words. Rows that it does not have begin with "not listed". */
  readonly row: string;
  readonly kind: ErrorKind;
  readonly operations: readonly AnyOperation[];
}

const listed: readonly AnyOperation[] = [sandbox.listAuthorizations, sandbox.getRepository, sandbox.updateAlias];
const settings: readonly AnyOperation[] = [sandbox.updateSandboxSettings];
const others: readonly AnyOperation[] = Object.values(sandbox).filter(
  (operation) => ![...listed, ...settings].includes(operation),
);

const rows: readonly Row[] = [
  // Proves 7: App design reads: app GET error
  {
    row: "app design reads",
    kind: "appGet",
    operations: [designs.listDesigns, designs.getDesign, designs.listDesignVersions, designs.getDesignPermissions],
  },
  // Proves 7: Design assets: asset error
  { row: "design assets", kind: "asset", operations: [designs.getDesignAssets] },
  // Proves 7: Grant design access: app CRUD error
  { row: "grant design access", kind: "appCrud", operations: [designs.addDesignAdmin] },
  // Proves 7: Get instances: sandbox GET error; Get repository: sandbox GET error
  {
    row: "get instances, get repository",
    kind: "sandboxGet",
    operations: [sandbox.listAuthorizations, sandbox.getRepository],
  },
  // Proves 7: Toggle same-instance promotion: sandbox CRUD error; Alias update: sandbox CRUD error
  {
    row: "toggle same-instance promotion, alias update",
    kind: "sandboxCrud",
    operations: [sandbox.updateSandboxSettings, sandbox.updateAlias],
  },
  {
    row: "not listed: sandbox reads",
    kind: "sandboxGet",
    operations: others.filter(({ effect }) => effect === "read"),
  },
  {
    row: "not listed: sandbox changes",
    kind: "sandboxCrud",
    operations: others.filter(({ effect }) => effect !== "read"),
  },
];
const statuses = [300, 304, 400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 502, 503, 504];
const total = rows.reduce((sum, { operations }) => sum + operations.length, 0);

function failureOf(tenant: ContractTenant, operation: AnyOperation, token?: string): Promise<PlatformError> {
  // Each operation has its own input; the compiler can't know which one it is here.
  const platformOperation = operation as AnyOperation & { readonly credential: "platform" };
  return tenant.failure(tenant.platform(token).call(platformOperation, anyInputOf(operation) as never));
}

async function firstDesign(tenant: ContractTenant): Promise<{ designId: string; version: string }> {
  for await (const [design] of allDesigns(tenant.platform())) {
    return { designId: design?.id ?? "", version: design?.latestVersion ?? "" };
  }
  return assert.fail("there is no design");
}

perDialect("errors of app designs and the sandbox", `${rows.length} rows, ${total} operations`, (current) => {
  it("has every operation of 4.3 and 4.5 in a row", () => {
    assert.equal(total, Object.keys(designs).length + Object.keys(sandbox).length);
  });

  for (const { row, kind, operations } of rows) {
    for (const operation of operations) {
      it(`${row}: non-2xx: ${operation.id} with ${statuses.length} statuses`, async () => {
        const tenant = current();
        for (const status of statuses) {
          const body = { status, message: `no ${status} today`, toe: `TRACE-${status}` };
          const action = { kind: "response", status, body: status === 304 ? "" : JSON.stringify(body) } as const;
          const failure = await tenant.broken(action, () => failureOf(tenant, operation));
          assert.deepEqual([failure.kind, failure.status, failure.operationId], [kind, status, operation.id]);
          assert.equal(failure.entity.length > 0 && !failure.entity.includes("{"), true, failure.entity);
          if (status >= 400) {
            assert.equal(failure.traceId, `TRACE-${status}`);
            assert.deepEqual(JSON.parse(failure.response?.body ?? ""), body);
            assert.equal(failure.message.includes(`: no ${status} today (${status}) (trace TRACE-${status}).`), true);
          }
        }
      });

      it(`${row}: a broken connection: ${operation.id}`, async () => {
        const tenant = current();
        const before = tenant.proxy.requests.length;
        const failure = await tenant.broken({ kind: "cut", when: "before" }, () => failureOf(tenant, operation));
        assert.deepEqual([failure.kind, failure.failureCause.type], [kind, "network"]);
        const sent = tenant.proxy.requests.length - before;
        assert.equal(operation.effect === "read" ? sent > 1 : sent === 1, true, `it was sent ${sent} times`);
      });
    }

    it(`${row}: a wrong credential, rejected by the tenant itself`, async () => {
      for (const operation of operations) {
        const failure = await failureOf(current(), operation, wrongPlatformToken);
        assert.deepEqual([failure.kind, failure.status], [kind, 401], operation.id);
        assert.match(failure.message, /Unauthorized \(401\) \(trace .*Sign in again\.$/);
      }
    });

    it(`${row}: a missing item, reported by the tenant itself`, async () => {
      for (const operation of operations.filter(({ pathParameters }) => Object.keys(pathParameters).length > 0)) {
        const failure = await failureOf(current(), operation);
        const expected = operation === designs.getDesignPermissions ? 405 : 404;
        assert.deepEqual([failure.kind, failure.status], [kind, expected], operation.id);
      }
    });
  }

  // Proves 7: Design assets with the text Not Found: a separate message
  it("design assets: the text Not Found has its own message", async () => {
    const tenant = current();
    const { designId } = await firstDesign(tenant);
    const input = { designId, version: "9.9.9" };
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-errors-"));
    try {
      const target = { archiveDirectory: directory, unpackDirectory: join(directory, "source") };
      for (const work of [
        tenant.platform().call(designs.getDesignAssets, input),
        fetchDesignAssets(tenant.platform(), input, target),
      ]) {
        const failure = await tenant.failure(work);
        assert.deepEqual([failure.kind, failure.status, failure.response?.body], ["asset", 404, "Not Found"]);
        assert.equal(failure.entity, `design ${designId}, version 9.9.9`);
        assert.match(failure.message, /the platform has no archive for it: it returned the text Not Found \(404\)/);
      }
      assert.deepEqual(await readdir(directory), []);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("design assets: a broken transfer is restarted, and a truncated archive is never accepted", async () => {
    const tenant = current();
    const source = await firstDesign(tenant);
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-errors-"));
    const match = { path: /\/assets$/ };
    try {
      const failure = await tenant.broken(
        { kind: "cut", when: "during" },
        () => tenant.failure(fetchDesignAssets(tenant.platform(), source, { archiveDirectory: directory })),
        match,
      );
      assert.deepEqual([failure.kind, failure.failureCause.type], ["asset", "network"]);
      assert.deepEqual(await readdir(directory), []);
      const { bytes } = await tenant.broken(
        { kind: "cut", when: "during" },
        () => fetchDesignAssets(tenant.platform(), source, { archiveDirectory: directory }),
        { ...match, times: 2 },
      );
      assert.equal(bytes > 1000, true);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("app design reads: another user's design is reported as missing, not as deleted", async () => {
    const designId = "9d41c6e0-27b8-4f53-8c1a-64f0e2b7d935";
    const reading = await current().failure(current().platform().call(designs.getDesign, { designId }));
    assert.match(
      reading.message,
      /not found \(404\).* or you don't have access to it\. The platform doesn't distinguish the two\.$/,
    );
    const granting = await current().failure(addDesignAdmins(current().platform(), designId, [1]));
    assert.deepEqual([granting.kind, granting.status], ["appGet", 404]);
  });

  it("not listed: a shared repository can't be changed, and an unknown commit can't be promoted", async () => {
    const tenant = current();
    for await (const [repository] of allRepositories(tenant.platform(), { shared: true })) {
      const input = { repositoryId: repository?.id ?? "", body: { summary: "s" } };
      const failure = await tenant.failure(tenant.platform().call(sandbox.createCommit, input));
      assert.deepEqual([failure.kind, failure.status], ["sandboxCrud", 403]);
      assert.match(failure.message, /belongs to acme-partner\.example\.com/);
    }
    for await (const [repository] of allRepositories(tenant.platform(), { name: "Logistics" })) {
      const place = { repositoryId: repository?.id ?? "", deploymentId: repository?.deployments?.[0]?.id ?? "" };
      const failure = await tenant.failure(promoteAndSeed(tenant.platform(), place, { commitId: "c", mapping: [] }));
      assert.deepEqual([failure.kind, failure.status], ["sandboxCrud", 400]);
    }
  });
});
