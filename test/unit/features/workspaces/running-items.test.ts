import assert from "node:assert/strict";
import { companionPathPrefix } from "../../../../src/api/kernels/kernel-server.ts";
import type { KernelSession, RunningKernel } from "../../../../src/api/kernels/models.ts";
import { idleKernels, runningItems } from "../../../../src/features/workspaces/running/running-items.ts";

describe("what runs in a workspace", () => {
  const kernelOf = (id: string, executionState = "idle"): RunningKernel => ({
    id,
    specName: "python3",
    executionState,
    connections: 0,
    lastActivity: undefined,
  });
  const sessionOf = (path: string, kernel: RunningKernel): KernelSession => ({
    id: `session of ${path}`,
    path,
    name: "",
    type: "notebook",
    kernel,
  });

  it("lists a shared kernel once, those without a notebook last, and then the terminals", () => {
    const [shared, own, other] = [kernelOf("shared"), kernelOf("own", "busy"), kernelOf("other", "unknown")];
    const sessions = [
      sessionOf("z.ipynb", shared),
      sessionOf("b.ipynb", own),
      sessionOf("a.ipynb", shared),
      sessionOf("a.ipynb", shared),
      sessionOf("", other),
    ];
    const terminal = { name: "1", lastActivity: undefined };
    assert.deepEqual(runningItems([other, own, shared], sessions, [terminal]), [
      { type: "kernel", kernel: shared, paths: ["a.ipynb", "z.ipynb"] },
      { type: "kernel", kernel: own, paths: ["b.ipynb"] },
      { type: "kernel", kernel: other, paths: [] },
      { type: "terminal", terminal },
    ]);
  });

  it("lists a companion as such, and never among the kernels that are shut down when idle", () => {
    const [own, companion] = [kernelOf("own"), kernelOf("companion")];
    const sessions = [sessionOf("a.ipynb", own), sessionOf(`${companionPathPrefix}1`, companion)];
    const items = runningItems([companion, own], sessions, []);
    assert.deepEqual(items, [
      { type: "kernel", kernel: own, paths: ["a.ipynb"] },
      { type: "companion", kernel: companion },
    ]);
    assert.deepEqual(
      idleKernels(items).map(({ kernel }) => kernel.id),
      ["own"],
    );
  });

  it("never counts a kernel as idle whose state isn't known", () => {
    const states = ["idle", "busy", "starting", "restarting", "dead", "unknown"];
    const items = runningItems(
      states.map((state) => kernelOf(state, state)),
      [],
      [],
    );
    assert.deepEqual(
      idleKernels(items).map(({ kernel }) => kernel.id),
      ["idle"],
    );
  });
});
