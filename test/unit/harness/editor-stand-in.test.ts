import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

/** The module that a file of the source gets as the editor's API. */
function editorOf(file: string): string {
  return createRequire(join(projectDirectory, "src", file)).resolve("vscode");
}

describe("the stand-in for the editor", () => {
  it("is the editor's API for the extension", () => {
    const standIn = join(projectDirectory, "test", "harness", "editor-stand-in", "vscode.ts");
    assert.equal(editorOf("ui/tree/tree-items.ts"), standIn);
    assert.equal(editorOf("tenants/connections.ts"), standIn);
  });

  it("doesn't exist for what runs without the editor", () => {
    for (const file of ["api/http/transport.ts", "programs/front-door/server.ts"]) {
      assert.throws(() => editorOf(file), { code: "MODULE_NOT_FOUND" }, file);
    }
  });
});
