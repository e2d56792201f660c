import assert from "node:assert/strict";
import { frozen } from "../../../../src/features/packages/requirement-files.ts";

describe("a file with the installed packages", () => {
  const installed = (name: string, version: string, isDirect = false) => ({
    ...{ name, version, isDirect },
    ...{ summary: "", installer: "pip" },
  });

  it("has their versions, without pip's own packages and what isn't a valid name", () => {
    const packages = [
      installed("demo", "1.0"),
      installed("local", "0.1.dev1+abc", true),
      installed("pip", "25.3"),
      installed("-r evil", "1"),
      installed("odd", "1 --index-url x"),
    ];
    assert.equal(frozen({ packages }), "demo==1.0\n# local==0.1.dev1+abc is not from an index\n");
  });
});
