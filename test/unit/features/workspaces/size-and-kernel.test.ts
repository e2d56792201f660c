import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { DispatchRequest } from "../../../../src/api/http/dispatch.ts";
import { editor } from "../../../harness/editor-stand-in/vscode.ts";
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
  let answers: { settings: object; workspace: object };

  beforeEach(() => {
    sent = [];
    answers = { settings, workspace };
    editor.picks.length = 0;
    editor.choices.length = 0;
    editor.messages.length = 0;
  });

  // The editor's API is a stand-in here, which only what is imported afterwards gets.
  const load = async () => {
    const module = await import("../../../../src/features/workspaces/size-and-kernel.ts");
    const { platform } = fakePlatform((request: DispatchRequest) => {
      if (request.method === "PUT") {
        sent.push(JSON.parse(String(request.body)));
        return json(200, {});
      }
      return json(200, request.path.endsWith("/settings") ? answers.settings : answers.workspace);
    });
    const parts = {
      connections: { nameOf: () => "Sales forecasting", platform: async () => platform },
      documents: { reload: () => undefined },
      tree: { row: () => undefined, replace: () => undefined },
    };
    return { ...module, parts };
  };

  it("offers the sizes of the signed-in user, and sends the whole configuration with the chosen one", async () => {
    const { changeSize, parts } = await load();
    editor.choices.push("2 CPU / 16 GB");
    await changeSize(parts, reference);
    assert.deepEqual(
      editor.picks.map(({ title, items }) => [title, items.map(({ label, description }) => [label, description])]),
      [
        [
          "Change Size of Sales forecasting",
          [
            ["1 CPU / 8 GB", "current size"],
            ["2 CPU / 16 GB", undefined],
          ],
        ],
      ],
    );
    assert.deepEqual(sent, [{ ...workspace, cpu: 2, memory: 16 }]);
    assert.match(editor.messages[0]?.text ?? "", /will have 2 CPU \/ 16 GB the next time it starts/);
  });

  it("offers the kernels by their names, and writes the platform's own field", async () => {
    const { changeKernel, parts } = await load();
    editor.choices.push("R 4.1", "Python 3.12");
    await changeKernel(parts, reference);
    const { notebookKernel, ...rest } = workspace;
    answers = {
      settings: { jupyterKernels: ["PYTHON_3_12", "R_4_1"] },
      workspace: { ...rest, jupyterKernel: "R_4_1", instances: [] },
    };
    await changeKernel(parts, reference);
    assert.deepEqual(sent, [
      { ...workspace, notebookKernel: "R_4_1" },
      { ...rest, instances: [], jupyterKernel: notebookKernel },
    ]);
    assert.equal(editor.messages[1]?.text, "Sales forecasting now has Python 3.12.");
  });

  it("sends nothing for what the workspace has already, nor when the person gives up", async () => {
    const { changeSize, parts } = await load();
    const { CancellationError } = await import("vscode");
    editor.choices.push("1 CPU / 8 GB");
    await changeSize(parts, reference);
    assert.equal(editor.messages[0]?.text, "Sales forecasting already has 1 CPU / 8 GB.");
    await assert.rejects(changeSize(parts, reference), CancellationError);
    assert.deepEqual(sent, []);
  });

  it("says so where the platform offers none, and sends no number that would arrive changed", async () => {
    const { changeSize, changeKernel, parts } = await load();
    answers = { settings: {}, workspace };
    await assert.rejects(changeSize(parts, reference), /does not say which sizes it offers/);
    await assert.rejects(changeKernel(parts, reference), /does not say which kernels it offers/);
    answers = { settings, workspace: { ...workspace, outputConfiguration: { limit: 2 ** 60 } } };
    editor.choices.push("2 CPU / 16 GB");
    await assert.rejects(changeSize(parts, reference), /the number at outputConfiguration\.limit is too large/);
    assert.deepEqual(sent, []);
  });
});
