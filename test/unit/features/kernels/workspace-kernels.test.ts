import assert from "node:assert/strict";
import type { NotebookDocument } from "vscode";
import type { DispatchResponse } from "../../../../src/api/http/dispatch.ts";
import { WorkspaceKernels } from "../../../../src/features/kernels/controllers/workspace-kernels.ts";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { fakePlatform, html, json } from "../../api/fake-platform.ts";

const kernelspecs = { ir: { name: "ir", spec: { display_name: "R", language: "R" } } };

describe("the kernels of a workspace", () => {
  let workspaces: WorkspaceKernels[];
  beforeEach(() => {
    workspaces = [];
  });
  afterEach(() => {
    for (const workspace of workspaces) {
      workspace.dispose();
    }
  });

  const workspaceWith = (state: StandInMemento, ...responses: DispatchResponse[]): WorkspaceKernels => {
    const { content } = fakePlatform(() => responses.shift() ?? assert.fail("one request too many"));
    const services = { state, connections: { content: async () => content, nameOf: () => "Sales" } };
    const workspace = new WorkspaceKernels(
      { tenantId: "tenant", workspaceId: "workspace" },
      services as unknown as KernelServices,
    );
    workspaces.push(workspace);
    return workspace;
  };

  it("are found after a proxy without a route responded with 404", async () => {
    const workspace = workspaceWith(new StandInMemento(), html(404), json(200, { default: "ir", kernelspecs }));
    assert.equal(await workspace.discover(), false);
    assert.equal(workspace.isUnknown, true);
    assert.equal(await workspace.discover(), true);
    assert.deepEqual([workspace.isUnknown, [...workspace.controllers.keys()]], [false, ["ir"]]);
  });

  it("stay known to the next window while a proxy responds with 404", async () => {
    const state = new StandInMemento();
    await workspaceWith(state, json(200, { default: "ir", kernelspecs })).discover();
    const workspace = workspaceWith(state, html(404));
    assert.equal(await workspace.discover(), false);
    const next = workspaceWith(state);
    assert.deepEqual([next.isUnknown, [...next.controllers.keys()]], [false, ["ir"]]);
  });

  it("are unknown if an earlier version stored an empty list", async () => {
    const state = new StandInMemento();
    await workspaceWith(state, json(200, { default: "ir", kernelspecs })).discover();
    assert.equal(state.keys().length, 1);
    for (const key of state.keys()) {
      await state.update(key, { defaultName: "", specs: [] });
    }
    assert.equal(workspaceWith(state).isUnknown, true);
  });

  it("are assumed once for all notebooks without a kernel, until the server reports some", () => {
    const workspace = workspaceWith(new StandInMemento());
    const notebook = { metadata: {} } as unknown as NotebookDocument;
    const assumed = workspace.controllerOf(notebook);
    assert.equal(workspace.controllerOf(notebook), assumed);
    assert.deepEqual([...workspace.controllers.keys()], ["python3"]);
  });
});
