import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { dialects, pathTemplateOf } from "../../src/api/http/dialects.ts";
import { describedQueries } from "../../src/programs/sample-tenant/described/mode.ts";
import {
  type SampleTenant,
  type SampleTenantWorkspace,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";

type Mode = "lenient" | "strict";

/** An unparsed answer. */
interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

for (const mode of ["lenient", "strict"] as const satisfies readonly Mode[]) {
  describe(`a tenant that implements only the API description (${mode})`, () => {
    let directory: string;
    let tenant: SampleTenant;
    let workspace: SampleTenantWorkspace;

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), "platform-workbench-described-"));
      tenant = await startSampleTenant({ dataDirectory: directory, described: mode, bootSeconds: 0 });
      workspace = tenant.workspaces.find(({ status }) => status === "running") ?? assert.fail("no workspace runs");
    });
    after(async () => {
      await tenant.stop();
      await rm(directory, { recursive: true });
    });

    async function send(url: string, authorization: string, method: string, body: unknown): Promise<Response> {
      const response = await fetch(url, {
        method,
        redirect: "manual",
        headers: { authorization },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, json: text === "" ? {} : JSON.parse(text) };
    }
    const platform = (method: string, path: string, body?: unknown): Promise<Response> =>
      send(tenant.url + path, `Bearer ${tenant.platformToken}`, method, body);
    const content = (method: string, path: string, body?: unknown): Promise<Response> =>
      send(workspace.contentUrl + path, `token ${tenant.notebookToken(workspace.id)}`, method, body);

    // Proves 2.4: limits, user access, and feature flags are objects of any content
    // Proves 2.5: input and output configuration are accepted in the update
    it("returns settings and workspaces in the described shapes, without instances", async () => {
      const { json: settings } = await platform("GET", "/api/datascience/v1/settings");
      assert.deepEqual(Object.keys(settings).toSorted(), [
        ...["currentUserInstanceTypes", "featureFlags", "instanceTypes", "isEnabled", "limits", "locale"],
        ...["maintenance", "notebookKernels", "timeZone", "userAccess"],
      ]);
      for (const name of ["limits", "userAccess", "featureFlags", "maintenance"]) {
        assert.equal(isPlainObject(settings[name]), true, name);
      }
      const path = `/api/datascience/v1/workspaces/${workspace.id}`;
      const { json: read } = await platform("GET", path);
      assert.deepEqual(Object.keys(read).toSorted(), [
        ...["cpu", "id", "inputConfiguration", "instanceTypes", "memory", "notebookKernel", "outputConfiguration"],
      ]);
      assert.equal(isPlainObject(read.inputConfiguration) && isPlainObject(read.outputConfiguration), true);
      const inputConfiguration = { orders: { dataSourceId: "d-1" } };
      assert.equal((await platform("PUT", path, { ...read, inputConfiguration })).status, 200);
      assert.deepEqual((await platform("GET", path)).json, { ...read, inputConfiguration });
    });

    it("has no undescribed endpoints", async () => {
      const beyond = catalogue.filter(({ section, credential }) => section === "beyond" && credential === "platform");
      assert.notEqual(beyond.length, 0);
      for (const operation of beyond) {
        const path = pathTemplateOf(operation, dialects.documented).replace(/\{\w+\}/g, "x");
        assert.equal(
          (await platform(operation.method, path, operation.method === "GET" ? undefined : {})).status,
          operation.id === "designs.permissions.get" ? 405 : 404,
          operation.id,
        );
      }
      for (const [method, path] of [
        ["GET", "files/forecast.ipynb"],
        ["GET", "api"],
        ["GET", "api/events/subscribe"],
        ["POST", "api/contents/forecast.ipynb/checkpoints/checkpoint"],
        ["DELETE", "api/contents/forecast.ipynb/checkpoints/checkpoint"],
      ] as const) {
        assert.equal((await content(method, path)).status, 404, path);
      }
    });

    it("returns 405 for reads of a design's permissions at every level, including the one that can be granted", async () => {
      for (const level of ["ADMIN", "WRITE", "READ"]) {
        assert.equal((await platform("GET", `/api/apps/v1/designs/x/permissions/${level}`)).status, 405, level);
      }
    });

    it(`${mode === "strict" ? "rejects" : "ignores"} undescribed queries`, async () => {
      const designs = await platform("GET", "/api/apps/v1/designs?limit=1&order=updated");
      const notebook = await content("GET", "api/contents/forecast.ipynb?content=1&type=file&hash=1");
      if (mode === "strict") {
        assert.deepEqual([designs.status, notebook.status], [400, 400]);
        return;
      }
      assert.deepEqual([designs.status, Array.isArray(designs.json) && designs.json.length], [200, 1]);
      assert.deepEqual([notebook.status, notebook.json.type, notebook.json.format], [200, "notebook", "json"]);
      assert.deepEqual([isPlainObject(notebook.json.content), notebook.json.hash], [true, null]);
      assert.deepEqual([notebook.headers.get("etag"), notebook.headers.get("last-modified")], [null, null]);
    });

    it("creates, renames, and writes as described, and doesn't support copying", async () => {
      assert.equal((await content("POST", "api/contents/data", { copy_from: "clean.py" })).status, 400);
      const body = { type: "file", path: "data", copy_from: "clean.py" };
      const created = await content("POST", "api/contents/data", body);
      assert.deepEqual([created.status, created.json.size, created.json.type], [201, 0, "file"]);
      const path = `data/described.txt`;
      assert.equal((await content("PATCH", `api/contents/${String(created.json.path)}`, { path })).status, 200);
      const text = { type: "file", format: "text", content: "ü" };
      assert.deepEqual((await content("PUT", `api/contents/${path}`, text)).json.size, 2);
      assert.equal((await content("PUT", "api/contents/data/missing.txt", text)).status, 404);
      assert.equal((await content("PUT", `api/contents/${path}`, { ...text, format: "base64" })).status, 400);
      assert.equal((await content("DELETE", `api/contents/${path}`)).status, 204);
    });

    it("lists queries only for existing operations", () => {
      for (const [id, names] of Object.entries(describedQueries)) {
        const operation = catalogue.find((one) => one.id === id) ?? assert.fail(`there is no operation ${id}`);
        assert.deepEqual(
          names.filter((name) => !(name in operation.queryParameters)),
          [],
          id,
        );
      }
    });
  });
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
