import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type SampleTenant,
  type SampleTenantOptions,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import { until } from "../harness/until.ts";
import { assertError, call, contents, type Response } from "./client.ts";

const service = "api/datascience/v1";
const salesId = "4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10";

describe("sample tenant", () => {
  let dataDirectory: string;
  let tenant: SampleTenant;
  const lines: string[] = [];

  async function restart(options: Partial<SampleTenantOptions> = {}): Promise<void> {
    await tenant?.stop();
    tenant = await startSampleTenant({ dataDirectory, bootSeconds: 0.2, log: (line) => lines.push(line), ...options });
  }
  const platform = async (
    method: string,
    path: string,
    body?: unknown,
    authorization?: string | null,
  ): Promise<Response> =>
    await call({ url: `${tenant.url}/`, token: "", root: "" }, method, path, {
      body,
      authorization: authorization === undefined ? `Bearer ${tenant.platformToken}` : authorization,
    });
  const content = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const url = tenant.workspaces.find(({ id }) => id === salesId)?.contentUrl ?? "";
    return await call({ url, token: tenant.notebookToken(salesId), root: "" }, method, path, { body });
  };
  const idOf = (name: string): string => tenant.workspaces.find((workspace) => workspace.name === name)?.id ?? "";
  const start = async (name: string): Promise<Response> =>
    await platform("POST", `${service}/workspaces/${idOf(name)}/instances`);

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-tenant-"));
    await restart();
  });
  afterEach(async () => {
    await tenant.stop();
    await rm(dataDirectory, { recursive: true });
  });

  it("has 12 workspaces, one of which is running", async () => {
    const found = (await platform("POST", `${service}/search/workspaces`, { limit: 50 })).json;
    assert.ok(Array.isArray(found.workspaces));
    assert.equal(found.workspaces.length, 12);
    assert.deepEqual(found.pageContext, { count: 12, offset: 0, totalCount: 12 });
    const running = found.workspaces.filter(({ instances }) => instances.length > 0);
    assert.deepEqual(
      running.map(({ id }) => id),
      [salesId],
    );
    assert.equal(running[0].instances[0].status, "RUNNING");
    const url = new URL(running[0].instances[0].url);
    assert.equal(url.searchParams.get("next"), `${tenant.url}/user/acme-dev-481516234/4f7c21aa/`);
  });

  it("searches by name and in pages", async () => {
    const search = async (body: unknown): Promise<readonly string[]> => {
      const { workspaces } = (await platform("POST", `${service}/search/workspaces`, body)).json;
      assert.ok(Array.isArray(workspaces));
      return workspaces.map(({ name }) => name);
    };
    assert.deepEqual(await search({ searchFieldMap: { NAME: "SALES" } }), ["Sales forecasting"]);
    const all = await search({ limit: 50 });
    assert.deepEqual([...(await search({ limit: 5 })), ...(await search({ limit: 7, offset: 5 }))], all);
    assert.equal((await platform("POST", `${service}/search/workspaces`, { limit: 0 })).status, 400);
  });

  it("boots a workspace before it runs, and stops it", async () => {
    await restart({ bootSeconds: 3 });
    const name = "Customer churn";
    assert.equal((await start(name)).json.status, "BOOTSTRAPPING");
    const read = async (): Promise<Record<string, unknown>> =>
      (await platform("GET", `${service}/workspaces/${idOf(name)}`)).json;
    const [instance] = instancesOf(await read());
    assert.equal(instance?.status, "BOOTSTRAPPING");
    assertPlatformError(await start(name), 500);
    const status = async (): Promise<unknown> => instancesOf(await read())[0]?.status;
    await until("the end of the start", async () => (await status()) !== "BOOTSTRAPPING");
    assert.equal(await status(), "RUNNING");
    const stop = `${service}/workspaces/${idOf(name)}/instances/${instance?.id}`;
    assert.equal((await platform("DELETE", stop)).status, 204);
    assert.deepEqual(instancesOf(await read()), []);
    assertPlatformError(await platform("DELETE", stop), 404);
  });

  it("refuses to start without access, and before the sign-in in the browser", async () => {
    assertPlatformError(await start("Payroll analytics"), 403);
    const refused = await start("Finance close");
    const { errorCode, responseStatus, details } = refused.json;
    assert.deepEqual([refused.status, errorCode, responseStatus], [403, "DS-0018", 403]);
    assert.ok(typeof details === "object" && details !== null && "jupyterAuthURL" in details);
    const address = new URL(String(details.jupyterAuthURL));
    assert.equal(address.origin, tenant.url);
    assert.equal((await platform("GET", (address.pathname + address.search).slice(1), undefined, null)).status, 200);
    assert.equal((await start("Finance close")).status, 200);
  });

  it("replaces the complete configuration, and removes omitted members", async () => {
    const path = `${service}/workspaces/${salesId}`;
    const before = (await platform("GET", path)).json;
    assert.deepEqual([before.notebookKernel, before.cpu, before.memory], ["PYTHON_3_12", 1, 8]);
    const whole = await platform("PUT", path, { ...before, cpu: 2, memory: 16, extra: { kept: 1 } });
    assert.deepEqual([whole.status, whole.json.cpu, whole.json.extra], [200, 2, { kept: 1 }]);
    assert.equal(whole.json.instances, undefined);
    assert.deepEqual((await platform("GET", path)).json.inputConfiguration, before.inputConfiguration);
    await platform("PUT", path, { name: "Alone" });
    const after = (await platform("GET", path)).json;
    assert.deepEqual([after.id, after.name, after.cpu, after.inputConfiguration], [salesId, "Alone", undefined, []]);
    assert.equal(instancesOf(after).length, 1);
    // The API does not show that the platform requires a name.
    assert.equal((await platform("PUT", path, { description: "no name" })).status, 200);
    assert.equal((await platform("PUT", path, { name: "Alone" })).status, 200);
  });

  it("returns errors in the platform's format, with a trace id", async () => {
    for (const authorization of [null, "Bearer wrong", `Bearer ${tenant.notebookToken(salesId)}`]) {
      assertPlatformError(await platform("GET", `${service}/settings`, undefined, authorization), 401);
    }
    assertPlatformError(await platform("GET", `${service}/workspaces/unknown`), 404);
    const unknown = await platform("GET", "api/unknown/v1");
    assertPlatformError(unknown, 404);
    assert.equal(unknown.json.message, "No static resource api/unknown/v1 for request");
    assertPlatformError(await platform("DELETE", `${service}/settings`), 405);
  });

  // Proves 4.2: Paths begin with the user's namespace and the workspace's short id
  it("accepts only a workspace's own token on its content server", async () => {
    const url = tenant.workspaces[0]?.contentUrl ?? "";
    for (const token of [tenant.platformToken, tenant.notebookToken(idOf("Customer churn"))]) {
      assertError(await call({ url, token, root: "" }, "GET", "api/contents"), 403, "Forbidden");
    }
    assert.equal((await content("GET", "api/contents")).status, 200);
  });

  it("schedules a notebook that was found with the search", async () => {
    const search = async (): Promise<readonly Record<string, unknown>[]> => {
      const { notebooks } = (await platform("POST", `${service}/search/notebooks`, {})).json;
      assert.ok(Array.isArray(notebooks));
      return notebooks;
    };
    const notebook = (await search()).find(({ path }) => path === "reports/weekly.ipynb");
    assert.equal(notebook?.execution, null);
    const path = (id: unknown): string => `services/platform/v1/workspaces/${salesId}/notebooks/${id}/dataflow`;
    assert.equal((await content("PUT", path(notebook?.id), { name: "Weekly" })).status, 200);
    assert.notEqual((await search()).find(({ id }) => id === notebook?.id)?.execution, null);
    assert.equal((await content("PUT", path("unknown"), {})).status, 404);
  });

  it("also supports the other dialect", async () => {
    await restart({ dialect: "domo" });
    assertPlatformError(await platform("GET", `${service}/settings`), 401);
    const server = { url: `${tenant.url}/`, token: "", root: "" };
    const headers = { "x-domo-developer-token": tenant.platformToken };
    const response = await call(server, "GET", `${service}/workspaces/${salesId}`, { headers, authorization: null });
    assert.deepEqual([response.json.jupyterKernel, response.json.notebookKernel], ["PYTHON_3_12", undefined]);
    const settings = await call(server, "GET", `${service}/settings`, { headers, authorization: null });
    assert.ok(Array.isArray(settings.json.jupyterKernels));
  });

  it("has 2,000 files in one workspace and a file of 60 MB in another, created on first use", async () => {
    for (const name of ["Document archive", "Sensor readings"]) {
      await assert.rejects(readFile(tenant.contentRoot(idOf(name))), { code: "ENOENT" });
      await tenant.startWorkspace(idOf(name));
    }
    const get = async (name: string, path: string): Promise<Response> => {
      const url = tenant.workspaces.find((workspace) => workspace.name === name)?.contentUrl ?? "";
      return await call({ url, token: tenant.notebookToken(idOf(name)), root: "" }, "GET", path);
    };
    assert.equal((await get("Document archive", "api/contents")).children.length, 2000);
    const large = await get("Sensor readings", "api/contents/readings.csv?content=0");
    assert.equal(large.json.size, 60 * 1024 * 1024);
  });

  it("keeps state and files across a restart, and its tokens with a seed", async () => {
    await restart({ seed: "kept" });
    const { platformToken } = tenant;
    await content("PUT", contents("kept.txt"), { type: "file", format: "text", content: "kept" });
    await platform("PUT", `${service}/workspaces/${salesId}`, { name: "Renamed" });
    await restart({ seed: "kept" });
    assert.equal(tenant.platformToken, platformToken);
    assert.equal(tenant.workspaces[0]?.name, "Renamed");
    assert.equal((await content("GET", contents("kept.txt"))).json.content, "kept");
    await restart();
    assert.notEqual(tenant.platformToken, platformToken);
  });

  it("injects faults on demand", async () => {
    const missing = contents("missing.py");
    assertError(await content("GET", missing), 404, "No such file or directory: missing.py");
    tenant.faults.plainText404(true);
    assert.equal((await content("GET", missing)).text, "file or directory '/missing.py' does not exist");
    tenant.faults.fail(503, 1);
    assert.equal((await content("GET", "api/contents")).status, 503);
    tenant.faults.fail(503, 0);
    tenant.faults.cut(1);
    await assert.rejects(content("GET", "api/contents"), { code: "ECONNRESET" });
    tenant.faults.cut(0);
    tenant.faults.latency(120);
    const started = performance.now();
    await content("GET", "api/contents?content=0");
    assert.ok(performance.now() - started >= 110);
  });

  it("writes no token in a log line or in its state", async () => {
    const before = lines.length;
    await content("GET", `api/contents?token=${tenant.notebookToken(salesId)}`);
    await platform("GET", `${service}/settings`);
    await tenant.stop();
    const written = [...lines, await readFile(join(dataDirectory, "state.json"), "utf8")].join("\n");
    assert.ok(lines.length >= before + 2);
    const { token, notebookTokens } = tenant.tenantFile();
    for (const secret of [token, ...Object.values(notebookTokens)]) {
      assert.ok(!written.includes(secret));
    }
    await restart();
  });
});

function instancesOf(workspace: Record<string, unknown>): readonly Record<string, unknown>[] {
  assert.ok(Array.isArray(workspace.instances));
  return workspace.instances;
}

function assertPlatformError(response: Response, status: number): void {
  assert.equal(response.status, status, response.text);
  assert.equal(response.json.status, status);
  assert.match(String(response.json.toe), /^[A-Z0-9]{10}-[A-Z0-9]{5}-[A-Z0-9]{5}$/);
  assert.notEqual(response.json.message, "");
}
