import assert from "node:assert/strict";
import { missingPackageOf, packageFor } from "../../../../src/features/packages/missing-package.ts";

describe("the package that a cell failed to import", () => {
  it("is named as its module, unless it is known to have another name", () => {
    const nameFor = (module: string) => packageFor(`No module named '${module}'`)?.name;
    assert.equal(nameFor("sklearn"), "scikit-learn");
    assert.equal(nameFor("PIL"), "pillow");
    assert.equal(nameFor("xgboost"), "xgboost");
    assert.equal(nameFor("typing_inspect"), "typing-inspect");
    assert.equal(nameFor("constructor"), "constructor");
  });

  it("is a guess if only the module's name suggests it", () => {
    const isKnown = (module: string) => packageFor(`No module named '${module}'`)?.isKnown;
    assert.equal(isKnown("yaml"), true);
    assert.equal(isKnown("pandas"), true);
    assert.equal(isKnown("our_helpers"), false);
    assert.equal(isKnown("constructor"), false);
  });

  it("is none for a message that names nothing to install", () => {
    for (const name of ["_private", "a b", "a; rm -rf x", "--index-url", "x_", "", "é", "a".repeat(200)]) {
      assert.equal(packageFor(`No module named '${name}'`), undefined, name);
    }
    assert.equal(packageFor("cannot import name 'x' from 'y'"), undefined);
  });

  it("is none for a module of Python, one that several packages share, or a part of an installed package", () => {
    for (const name of ["tkinter", "imp", "google", "pandas.missing"]) {
      assert.equal(packageFor(`No module named '${name}'`), undefined, name);
    }
  });

  it("is found in the cell's outputs", () => {
    const failed = (name: string, message: string) => {
      const data = new TextEncoder().encode(JSON.stringify({ name, message, stack: "" }));
      return { outputs: [{ items: [{ mime: "application/vnd.code.notebook.error", data }] }] };
    };
    assert.equal(missingPackageOf(failed("ModuleNotFoundError", "No module named 'yaml'"))?.name, "pyyaml");
    assert.equal(missingPackageOf(failed("ImportError", "No module named 'yaml'")), undefined);
    assert.equal(missingPackageOf({ outputs: [] }), undefined);
  });
});
