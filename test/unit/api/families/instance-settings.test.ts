import assert from "node:assert/strict";
import { instanceSizes, kernelsOf, wordsOf } from "../../../../src/api/families/instance-settings.ts";

const small = { cpu: 1, memory: 8 };
const large = { cpu: 16, memory: 128 };

describe("the instance settings of notebooks", () => {
  it("list every size once, smallest first, and which the user can choose", () => {
    assert.deepEqual(instanceSizes({ instanceTypes: [large, small], currentUserInstanceTypes: [{ ...small }] }), [
      { ...small, isOffered: true },
      { ...large, isOffered: false },
    ]);
    assert.deepEqual(instanceSizes({ instanceTypes: [small] }), [{ ...small, isOffered: undefined }]);
    assert.deepEqual(instanceSizes({ currentUserInstanceTypes: [large] }), [{ ...large, isOffered: true }]);
    assert.deepEqual(instanceSizes({ instanceTypes: null }), []);
  });

  it("list kernels under either name, as descriptors or bare codes", () => {
    const descriptors = [
      { kernel: "PYTHON_3_12", displayName: "Python 3.12 (new)" },
      "R_4_1",
      { code: "JULIA" },
      7,
      {},
    ];
    const expected = [
      { code: "PYTHON_3_12", name: "Python 3.12 (new)" },
      { code: "R_4_1", name: "R 4.1" },
      { code: "JULIA", name: "JULIA" },
    ];
    assert.deepEqual(kernelsOf({ notebookKernels: descriptors }), expected);
    assert.deepEqual(kernelsOf({ jupyterKernels: descriptors }), expected);
    assert.deepEqual(kernelsOf({}), []);
  });

  it("describe strings and lists of strings, and ignore other formats", () => {
    assert.deepEqual(["EVERYONE", ["a", "b"], { a: 1 }, [{ a: 1 }], [], null].map(wordsOf), [
      "EVERYONE",
      "a, b",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
