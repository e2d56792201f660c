import assert from "node:assert/strict";
import { CancellationError } from "vscode";
import type { DispatchRequest } from "../../../../src/api/http/dispatch.ts";
import { changeKernel, changeSize } from "../../../../src/features/workspaces/size-and-kernel.ts";
import { editor, nextInput, type StandInInput } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const settings = {
  instanceTypes: [
    { cpu: 1, memory: 8 },
    { cpu: 2, memory: 16 },
    { cpu: 8, memory: 64 },
  ],
  currentUserInstanceTypes: [
    { cpu: 2, memory: 16 },
    { cpu: 1, memory: 8 },
  ],
  notebookKernels: [{ kernel: "PYTHON_3_12", displayName: "Python 3.12" }, "R_4_1"],
};
const workspace = {
  id: "sales",
  name: "Sales forecasting",
  cpu: 1,
  memory: 8,
  notebookKernel: "PYTHON_3_12",
  instances: [{ id: 7, status: "RUNNING" }],
  somethingElse: { kept: true },
};
const reference = { tenantId: "acme", workspaceId: "sales" };

describe("changing the size and the kernel of a workspace", () => {
  let sent: unknown[];
  let responses: { settings: object; workspace: object };

  beforeEach(() => {
    sent = [];
    responses = { settings, workspace };
    editor.messages.length = 0;
  });

  const load = () => {
    const { platform } = fakePlatform((request: DispatchRequest) => {
      if (request.method === "PUT") {
        sent.push(JSON.parse(String(request.body)));
        return json(200, {});
      }
      return json(200, request.path.endsWith("/settings") ? responses.settings : responses.workspace);
    });
    return {
      connections: { nameOf: () => "Sales forecasting", platform: async () => platform },
      documents: { reload: () => undefined },
      tree: { row: () => undefined, replace: () => undefined },
    };
  };

  /** Runs a change, lets a user act on its list, and returns the list. */
  async function choosing(
    change: () => Promise<void>,
    act: (list: StandInInput) => void = (list) => list.dispose(),
  ): Promise<StandInInput> {
    const shown = nextInput();
    const changed = change();
    const list = await Promise.race([shown, changed.then(() => assert.fail("no list was shown"))]);
    act(list);
    await changed;
    return list;
  }

  it("offers the sizes of the signed-in user, and sends the complete configuration with the chosen one", async () => {
    const parts = load();
    const { title, items } = await choosing(
      () => changeSize(parts, reference),
      (list) => list.choose("2 CPU / 16 GB"),
    );
    assert.equal(title, "Change Size of Sales forecasting");
    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [
        ["1 CPU / 8 GB", "current size"],
        ["2 CPU / 16 GB", undefined],
      ],
    );
    assert.deepEqual(sent, [{ ...workspace, cpu: 2, memory: 16 }]);
    assert.match(editor.messages[0]?.text ?? "", /will have 2 CPU \/ 16 GB the next time it starts/);
  });

  it("offers the kernels by name, and writes the platform's own field", async () => {
    const parts = load();
    await choosing(
      () => changeKernel(parts, reference),
      (list) => list.choose("R 4.1"),
    );
    const { notebookKernel, ...rest } = workspace;
    responses = {
      settings: { jupyterKernels: ["PYTHON_3_12", "R_4_1"] },
      workspace: { ...rest, jupyterKernel: "R_4_1", instances: [] },
    };
    await choosing(
      () => changeKernel(parts, reference),
      (list) => list.choose("Python 3.12"),
    );
    assert.deepEqual(sent, [
      { ...workspace, notebookKernel: "R_4_1" },
      { ...rest, instances: [], jupyterKernel: notebookKernel },
    ]);
    assert.equal(editor.messages[1]?.text, "Sales forecasting now has Python 3.12.");
  });

  it("shows the current value as the active choice", async () => {
    const parts = load();
    const active = async (change: () => Promise<void>): Promise<readonly string[]> => {
      let labels: readonly string[] = [];
      const act = (list: StandInInput): void => {
        labels = list.activeItems.map(({ label }) => label);
        list.choose(labels[0] ?? "");
      };
      await choosing(change, act);
      return labels;
    };
    responses = { settings, workspace: { ...workspace, cpu: 2, memory: 16, notebookKernel: "R_4_1" } };
    assert.deepEqual(await active(() => changeSize(parts, reference)), ["2 CPU / 16 GB"]);
    assert.deepEqual(await active(() => changeKernel(parts, reference)), ["R 4.1"]);
  });

  it("sends nothing if the value is unchanged or the user cancels", async () => {
    const parts = load();
    await choosing(
      () => changeSize(parts, reference),
      (list) => list.choose("1 CPU / 8 GB"),
    );
    assert.equal(editor.messages[0]?.text, "Sales forecasting already has 1 CPU / 8 GB.");
    await assert.rejects(
      choosing(() => changeSize(parts, reference)),
      CancellationError,
    );
    assert.deepEqual(sent, []);
  });

  it("reports if the platform offers none, and sends no number that would be changed", async () => {
    const parts = load();
    responses = { settings: {}, workspace };
    await assert.rejects(changeSize(parts, reference), /doesn't say which sizes it offers/);
    await assert.rejects(changeKernel(parts, reference), /doesn't say which kernels it offers/);
    responses = { settings, workspace: { ...workspace, outputConfiguration: { limit: 2 ** 60 } } };
    const chosen = choosing(
      () => changeSize(parts, reference),
      (list) => list.choose("2 CPU / 16 GB"),
    );
    await assert.rejects(chosen, /the number at outputConfiguration\.limit is too large/);
    assert.deepEqual(sent, []);
  });
});
