import assert from "node:assert/strict";
import type { PlatformNotebook } from "../../../src/api/catalogue/models/workspaces.ts";
import * as notebookOperations from "../../../src/api/catalogue/operations/notebooks.ts";
import { transferWorkspace } from "../../../src/api/catalogue/operations/ownership.ts";
import * as workspaces from "../../../src/api/catalogue/operations/workspaces.ts";
import { readContentServer } from "../../../src/api/families/content-server-location.ts";
import { startWorkspace } from "../../../src/api/families/workspace-start.ts";
import {
  allWorkspaces,
  computeTierLabel,
  kernelLabel,
  kernelOf,
  readWorkspacePage,
  stateOf,
} from "../../../src/api/families/workspaces.ts";
import { listWithin } from "../../../src/api/families/wrapped-list.ts";
import type { Cases } from "./cases.ts";

const kernelFields = { documented: "notebookKernel", domo: "jupyterKernel" } as const;

export const workspaceCases = {
  // Proves 2.4: instance types are objects with CPUs and GB of memory
  // Proves 2.4: the signed-in user's instance types are listed next to all of them; kernels are a list of descriptors
  // Proves 2.4: locale and time zone are strings, and maintenance is an object
  "workspaces.settings.get": async (tenant) => {
    const settings = await tenant.platform().call(workspaces.getSettings, {});
    assert.equal(settings.isEnabled, true);
    assert.equal((settings.instanceTypes?.length ?? 0) > 2, true);
    assert.equal(typeof settings.instanceTypes?.[0]?.memory, "number");
    assert.equal(Array.isArray(settings[`${kernelFields[tenant.dialect]}s`]), true);
    assert.deepEqual([settings.locale, settings.timeZone], ["en-US", "Europe/Berlin"]);
    assert.equal(typeof settings.maintenance, "object");
    const sizes = settings.instanceTypes?.map(({ cpu, memory }) => `${cpu}/${memory}`) ?? [];
    const own = settings.currentUserInstanceTypes?.map(({ cpu, memory }) => `${cpu}/${memory}`) ?? [];
    assert.equal(own.length > 0 && own.every((size) => sizes.includes(size)), true);
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
    assert.deepEqual([workspace.cpu, workspace.memory], [1, 8]);
    assert.deepEqual(Object.keys(workspace.instanceTypes?.[0] ?? {}), ["cpu", "memory"]);
    const { items: all } = await readWorkspacePage(tenant.platform(), { limit: 50, offset: 0 });
    const stopped = all.filter((one) => stateOf(one).state === "stopped");
    assert.equal(stopped.length > 0, true);
    for (const one of stopped) {
      assert.match(kernelOf(one) ?? "", /^(?:PYTHON|R)_\d+(?:_\d+)?$/);
    }
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
    const all = await readWorkspacePage(tenant.platform(), { limit: 50, offset: 0 });
    assert.deepEqual([all.items.length, all.total], [12, 12]);
    const second = await readWorkspacePage(tenant.platform(), { limit: 5, offset: 10 });
    assert.equal(second.items.length, 2);
    const named = [];
    for await (const page of allWorkspaces(tenant.platform(), "SALES")) {
      named.push(...page.map(({ name }) => name));
    }
    assert.deepEqual(named, ["Sales forecasting"]);
  },
  "workspaces.notebooks.search": async (tenant) => {
    const response = await tenant.platform().call(notebookOperations.searchNotebooks, { body: {} });
    const notebooks = listWithin<PlatformNotebook>(notebookOperations.searchNotebooks, {}, response, ["notebooks"]);
    const own = notebooks.filter(({ workspaceId }) => workspaceId === tenant.running.id);
    assert.equal(own.length > 0 && own.every(({ path }) => path?.endsWith(".ipynb")), true);
  },
  "workspaces.owner.update": async (tenant) => {
    const stopped = tenant.tenant.workspaces.find(({ status }) => status === "stopped");
    const workspaceId = stopped?.id ?? assert.fail("every workspace is running");
    const { owner } = await tenant.platform().call(workspaces.getWorkspace, { workspaceId });
    for (const newOwnerId of [481_516_237, Number(owner)]) {
      await tenant.platform().call(transferWorkspace, { workspaceId, body: { newOwnerId } });
      assert.equal((await tenant.platform().call(workspaces.getWorkspace, { workspaceId })).owner, newOwnerId);
    }
    const missing = await tenant.failure(
      tenant.platform().call(transferWorkspace, { workspaceId: "none", body: { newOwnerId: 1 } }),
    );
    assert.deepEqual([missing.kind, missing.status], ["notFound", 404]);
  },
} satisfies Cases;
