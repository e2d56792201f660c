import assert from "node:assert/strict";
import type { KernelSpec } from "../../../../src/api/kernels/models.ts";
import { readNotebook } from "../../../../src/api/runs/parameters.ts";
import { runKernels } from "../../../../src/api/runs/run-kernels.ts";

const spec = (name: string, language: string): KernelSpec => ({
  name,
  language,
  displayName: name,
  logoFile: undefined,
});

describe("the kernels of a run", () => {
  const specs = [spec("ir", "R"), spec("python3", "python"), spec("data", "Python")];
  const support = { type: "available", defaultName: "python3", specs } as const;
  const chosen = (metadata: object, on: Parameters<typeof runKernels>[0] = support): unknown => {
    const found = runKernels(on, readNotebook({ nbformat: 4, metadata, cells: [] }) ?? assert.fail("no notebook"));
    return found.type === "found" ? [found.kernel.name, found.programKernel.name] : found;
  };

  it("are that of the notebook, and one for Python", () => {
    assert.deepEqual(chosen({ kernelspec: { name: "data" } }), ["data", "data"]);
    assert.deepEqual(chosen({ kernelspec: { name: "ir", language: "R" } }), ["ir", "python3"]);
    assert.deepEqual(chosen({ kernelspec: { name: "gone" } }), { type: "missing", kernel: "gone" });
  });

  it("fit the language of a notebook that names no kernel", () => {
    assert.deepEqual(chosen({}), ["python3", "python3"]);
    assert.deepEqual(chosen({ kernelspec: null, language_info: null }), ["python3", "python3"]);
    assert.deepEqual(chosen({ language_info: { name: "R" } }), ["ir", "python3"]);
    assert.deepEqual(chosen({ language_info: { name: "julia" } }), { type: "missing", kernel: "julia" });
  });

  it("are missing on a server without them", () => {
    assert.deepEqual(chosen({}, { type: "none" }), { type: "noKernels" });
    assert.deepEqual(chosen({}, { ...support, specs: [spec("ir", "R")] }), { type: "noPython" });
  });
});
