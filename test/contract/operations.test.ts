import assert from "node:assert/strict";
import { type CatalogueOperation, catalogue, type OperationId } from "../../src/api/operations/catalogue.ts";
import * as contents from "../../src/api/operations/contents.ts";
import * as workspaces from "../../src/api/operations/workspaces.ts";
import {
  allWorkspaces,
  computeTierLabel,
  kernelLabel,
  kernelOf,
  readContentServer,
  startWorkspace,
  stateOf,
} from "../../src/api/workspaces.ts";
import { type ContractTenant, perDialect } from "./tenant.ts";

const kernelFields = { documented: "notebookKernel", domo: "jupyterKernel" } as const;

async function newFile(tenant: ContractTenant, path: string, content = "text"): Promise<void> {
  const body = { type: "file", format: "text", content } as const;
  await tenant.content().call(contents.updateContent, { path, body });
}

async function readText(tenant: ContractTenant, path: string): Promise<unknown> {
  return (await tenant.content().call(contents.getContent, { path, type: "file", format: "text" })).content;
}

/** What every operation is called with and what its answer has to be: one case per operation, or it does not compile. */
const cases = {
  "workspaces.settings.get": async (tenant) => {
    const settings = await tenant.platform().call(workspaces.getSettings, {});
    assert.equal(settings.isEnabled, true);
    assert.equal((settings.instanceTypes?.length ?? 0) > 2, true);
    assert.equal(typeof settings.instanceTypes?.[0]?.memory, "number");
    assert.equal(Array.isArray(settings[`${kernelFields[tenant.dialect]}s`]), true);
    assert.equal(settings.timeZone, "Europe/Berlin");
  },
  "workspaces.namespace.get": async (tenant) => {
    const { name } = await tenant.platform().call(workspaces.getNamespace, {});
    assert.equal(name, tenant.running.namespace);
  },
  "workspaces.get": async (tenant) => {
    const { id } = tenant.running;
    const workspace = await tenant.platform().call(workspaces.getWorkspace, { workspaceId: id });
    assert.deepEqual([workspace.id, workspace.name], [id, "Sales forecasting"]);
    assert.equal(stateOf(workspace).state, "running");
    assert.equal(computeTierLabel(workspace, workspace.instanceTypes ?? []), "1 CPU / 8 GB");
    assert.equal(workspace[kernelFields[tenant.dialect]], "PYTHON_3_12");
    assert.equal(kernelLabel(kernelOf(workspace)), "Python 3.12");
    const { location } = await readContentServer(tenant.platform(), id);
    assert.deepEqual(location, { type: "found", base: new URL(tenant.running.contentUrl) });
  },
  "workspaces.instances.start": async (tenant) => {
    const workspaceId = tenant.workspace("R experiments").id;
    assert.deepEqual(await startWorkspace(tenant.platform(), workspaceId), {
      outcome: "started",
      text: "workspace started",
    });
    const workspace = await tenant.platform().call(workspaces.getWorkspace, { workspaceId });
    assert.notEqual(stateOf(workspace).state, "stopped");
  },
  "workspaces.instances.stop": async (tenant) => {
    const workspaceId = tenant.workspace("Customer churn").id;
    await startWorkspace(tenant.platform(), workspaceId);
    const state = stateOf(await tenant.platform().call(workspaces.getWorkspace, { workspaceId }));
    const instanceId = String(state.state === "stopped" ? assert.fail("it is stopped") : state.instance.id);
    assert.equal(await tenant.platform().call(workspaces.stopInstance, { workspaceId, instanceId }), undefined);
    const { workspace, location } = await readContentServer(tenant.platform(), workspaceId);
    assert.equal(stateOf(workspace).state, "stopped");
    assert.deepEqual(location, { type: "notRunning" });
  },
  "workspaces.update": async (tenant) => {
    const workspaceId = tenant.workspace("Inventory planning").id;
    const read = await tenant.platform().call(workspaces.getWorkspace, { workspaceId });
    const body = { ...read, description: "Änderung", inputConfiguration: [{ alias: "sales", dataSourceId: "d-1" }] };
    const updated = await tenant.platform().call(workspaces.updateWorkspace, { workspaceId, body });
    assert.equal(updated.description, "Änderung");
    const again = await tenant.platform().call(workspaces.getWorkspace, { workspaceId });
    assert.deepEqual([again.description, again.inputConfiguration], ["Änderung", body.inputConfiguration]);
    assert.equal(kernelOf(again), kernelOf(read));
  },
  "workspaces.search": async (tenant) => {
    const all = await tenant.platform().call(workspaces.searchWorkspaces, { body: {} });
    assert.deepEqual([all.workspaces.length, all.pageContext?.totalCount], [12, 12]);
    const second = await tenant.platform().call(workspaces.searchWorkspaces, { body: { limit: 5, offset: 10 } });
    assert.equal(second.workspaces.length, 2);
    const named = [];
    for await (const page of allWorkspaces(tenant.platform(), "SALES")) {
      named.push(...page.map(({ name }) => name));
    }
    assert.deepEqual(named, ["Sales forecasting"]);
  },
  "workspaces.notebooks.search": async (tenant) => {
    const { notebooks } = await tenant.platform().call(workspaces.searchNotebooks, { body: {} });
    const own = notebooks.filter(({ workspaceId }) => workspaceId === tenant.running.id);
    assert.equal(own.length > 0 && own.every(({ path }) => path?.endsWith(".ipynb")), true);
  },
  "contents.get": async (tenant) => {
    const root = await tenant.content().call(contents.getContent, { path: "" });
    assert.deepEqual([root.type, root.path, root.format], ["directory", "", "json"]);
    assert.equal(Array.isArray(root.content) && root.content.length > 3, true);
    const bare = await tenant.content().call(contents.getContent, { path: "", content: 0 });
    assert.deepEqual([bare.content, bare.format], [null, null]);
    await newFile(tenant, "get.txt", "ü\r\n");
    const file = await tenant.content().call(contents.getContent, { path: "get.txt", hash: 1 });
    assert.deepEqual([file.content, file.format, file.type, file.size], ["ü\r\n", "text", "file", 4]);
    assert.match(file.hash ?? "", /^[0-9a-f]{64}$/);
    const encoded = await tenant.content().call(contents.getContent, { path: "get.txt", format: "base64" });
    assert.equal(Buffer.from(String(encoded.content), "base64").toString(), "ü\r\n");
  },
  "contents.create": async (tenant) => {
    const made = await tenant.content().call(contents.createContent, {
      parentPath: "",
      body: { type: "notebook", path: "" },
    });
    assert.deepEqual([made.type, made.path], ["notebook", "Untitled.ipynb"]);
    const folder = await tenant.content().call(contents.createContent, {
      parentPath: "",
      body: { type: "directory", path: "" },
    });
    assert.deepEqual([folder.type, folder.name], ["directory", "Untitled Folder"]);
    const script = await tenant.content().call(contents.createContent, {
      parentPath: "Untitled Folder",
      body: { type: "file", path: "Untitled Folder", ext: ".py" },
    });
    assert.equal(script.path, "Untitled Folder/untitled.py");
    const copy = await tenant.content().call(contents.createContent, {
      parentPath: "copied.py",
      body: { copy_from: "Untitled Folder/untitled.py" },
    });
    assert.equal(copy.path, "copied.py");
  },
  "contents.rename": async (tenant) => {
    await newFile(tenant, "before #1.txt");
    const moved = await tenant.content().call(contents.renameContent, {
      oldPath: "before #1.txt",
      body: { path: "data/after 100%.txt" },
    });
    assert.deepEqual([moved.name, moved.path, moved.content], ["after 100%.txt", "data/after 100%.txt", null]);
    assert.equal(await readText(tenant, "data/after 100%.txt"), "text");
  },
  "contents.update": async (tenant) => {
    const content = { cells: [], metadata: { a: 1 }, nbformat: 4, nbformat_minor: 5 };
    const saved = await tenant.content().call(contents.updateContent, {
      path: "update.ipynb",
      body: { type: "notebook", format: "json", content },
    });
    assert.deepEqual([saved.type, saved.path, saved.content], ["notebook", "update.ipynb", null]);
    assert.deepEqual(JSON.parse(String(await readText(tenant, "update.ipynb"))), content);
    await tenant.content().call(contents.updateContent, {
      path: "update.bin",
      body: { type: "file", format: "base64", content: "/wD+" },
    });
    const back = await tenant.content().call(contents.getContent, { path: "update.bin" });
    assert.deepEqual([back.format, String(back.content).trim()], ["base64", "/wD+"]);
  },
  "contents.delete": async (tenant) => {
    await newFile(tenant, "delete.txt");
    assert.equal(await tenant.content().call(contents.deleteContent, { path: "delete.txt" }), undefined);
    const failure = await tenant.failure(tenant.content().call(contents.getContent, { path: "delete.txt" }));
    assert.equal(failure.kind, "notFound");
  },
  "contents.checkpoints.create": async (tenant) => {
    await newFile(tenant, "made.txt");
    const checkpoint = await tenant.content().call(contents.createCheckpoint, { path: "made.txt" });
    assert.equal(checkpoint.id, "checkpoint");
    assert.match(checkpoint.last_modified ?? "", /^\d{4}-\d\d-\d\dT/);
  },
  "contents.checkpoints.list": async (tenant) => {
    await newFile(tenant, "listed.txt");
    assert.deepEqual(await tenant.content().call(contents.listCheckpoints, { path: "listed.txt" }), []);
    const made = await tenant.content().call(contents.createCheckpoint, { path: "listed.txt" });
    assert.deepEqual(await tenant.content().call(contents.listCheckpoints, { path: "listed.txt" }), [made]);
  },
  "contents.checkpoints.restore": async (tenant) => {
    await newFile(tenant, "restored.txt", "old");
    const { id } = await tenant.content().call(contents.createCheckpoint, { path: "restored.txt" });
    await newFile(tenant, "restored.txt", "new");
    await tenant.content().call(contents.restoreCheckpoint, { path: "restored.txt", checkpointId: id });
    assert.equal(await readText(tenant, "restored.txt"), "old");
  },
  "contents.checkpoints.delete": async (tenant) => {
    await newFile(tenant, "dropped.txt");
    const { id } = await tenant.content().call(contents.createCheckpoint, { path: "dropped.txt" });
    await tenant.content().call(contents.deleteCheckpoint, { path: "dropped.txt", checkpointId: id });
    assert.deepEqual(await tenant.content().call(contents.listCheckpoints, { path: "dropped.txt" }), []);
  },
  "contents.dataflow.update": async (tenant) => {
    const { notebooks } = await tenant.platform().call(workspaces.searchNotebooks, { body: {} });
    const notebook = notebooks.find(({ workspaceId }) => workspaceId === tenant.running.id) ?? assert.fail();
    const input = { workspaceId: tenant.running.id, notebookId: notebook.id };
    const body = { name: "Nightly", cpu: 1, memory: 8 };
    assert.deepEqual(await tenant.content().call(contents.updateDataflow, { ...input, body }), { ok: true });
    const after = await tenant.platform().call(workspaces.searchNotebooks, { body: {} });
    assert.notEqual(after.notebooks.find(({ id }) => id === notebook.id)?.execution, null);
  },
} satisfies Readonly<Record<OperationId, (tenant: ContractTenant) => Promise<void>>>;

perDialect("operations over HTTP", `${catalogue.length} operations`, (current) => {
  for (const operation of catalogue) {
    it(`${operation.id} (${operation.section}): ${operation.summary}`, async () => {
      const tenant = current();
      const run: ((tenant: ContractTenant) => Promise<void>) | undefined = cases[operation.id];
      assert.notEqual(run, undefined, `there is no case for ${operation.id}`);
      const pattern = patternOf(operation, tenant);
      const before = tenant.proxy.requests.length;
      await run(tenant);
      const sent = tenant.proxy.requests.slice(before);
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
  const services = tenant.dialect === "documented" ? "services/platform/v1" : "services/domo/v1";
  const prefix = operation.path.startsWith("/") ? "" : new URL(tenant.running.contentUrl).pathname;
  const template = operation.path
    .replace("<services>", services)
    .replace(/\/\{\w+\*\}/g, "(?:/[^/]+)*")
    .replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${prefix}${template}$`);
}
