import assert from "node:assert/strict";
import {
  isRequirement,
  nameIn,
  normalizedName,
  typedRequirements,
} from "../../../../src/features/packages/requirements.ts";

describe("requirements", () => {
  it("have a name", () => {
    assert.deepEqual(["dask[array]>=2024", "zope.interface", "a-b_c==1"].map(nameIn), [
      "dask",
      "zope.interface",
      "a-b_c",
    ]);
  });

  it("are a name, optionally with extras and versions", () => {
    for (const text of [
      "pandas",
      "zope.interface",
      "a",
      "dask[array,df]>=2024,!=2025.1",
      "x==1.0.*",
      "y~=2.0rc1",
      "z===1+local",
    ]) {
      assert.equal(isRequirement(text), true, text);
    }
  });

  it("are no options, addresses, paths, or other words", () => {
    const others = [
      "",
      "-r",
      "--index-url",
      "-e.",
      "./local",
      "../a",
      "a/b",
      "a @ https://x",
      "git+https://x",
      "a;b",
      "a>",
      "a=1",
    ];
    for (const text of [
      ...others,
      "a>=1,",
      "a$(b)",
      "a'b",
      "é",
      "a-",
      "a\n",
      "a".repeat(200),
      "a[b",
      `a${"=1".repeat(50)}`,
    ]) {
      assert.equal(isRequirement(text), false, text);
    }
  });

  it("are read as people type them", () => {
    assert.deepEqual(typedRequirements("  pandas >= 2 , < 3  numpy"), ["pandas>=2,<3", "numpy"]);
    assert.deepEqual(typedRequirements("dask [array] polars\tscipy ~= 1.1"), ["dask[array]", "polars", "scipy~=1.1"]);
    for (const text of ["", "  ", "pandas -r x", "pandas, numpy", "a ; b", "a ".repeat(300)]) {
      assert.equal(typedRequirements(text), undefined, text);
    }
  });

  it("compare names like an index", () => {
    assert.equal(normalizedName("Zope.Interface__X"), "zope-interface-x");
  });
});
